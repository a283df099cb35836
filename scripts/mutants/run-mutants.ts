import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { ProvidedContext } from 'vitest';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';
import { findMutants, type Mutant } from './find-mutants.ts';
import { instrument } from './instrument.ts';

/** A mutant with its file, relative to the root. */
export type FileMutant = Mutant & { file: string };
/** `null` if no test failed; otherwise the name of the first that did. */
export type Outcome = { mutant: FileMutant; isReached: boolean; killedBy: string | null };

const ids = z.array(z.number());
const recordSchema = z.object({ testPath: z.string(), hits: ids, loaded: ids, tried: ids });

/** The mutants of each test file by its path. */
const readRecords = (
  folder: string,
): Map<string, { hits: Set<number>; loaded: Set<number>; tried: Set<number> }> =>
  new Map(
    readdirSync(folder).map(name => {
      const record = recordSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
      const { testPath, hits, loaded, tried } = record;
      return [testPath, { hits: new Set(hits), loaded: new Set(loaded), tried: new Set(tried) }];
    }),
  );

/** All mutants of some files. */
export const mutantsOf = (files: readonly string[]): FileMutant[] =>
  files.flatMap(file =>
    findMutants(file, readFileSync(join(root, file), 'utf8')).map(mutant => ({ ...mutant, file })),
  );

/**
 * Tries each of the `chosen` mutants in one Vitest process, and calls `report` for each. `tests`: glob patterns. First
 * each test tries all mutants that it reaches. Those that are left get separate runs, up to the first failure, of the
 * files that reach them while a module is loaded, or whose tests cannot try all mutants of a source because of a cache.
 */
export const runMutants = async (
  files: readonly string[],
  tests: readonly string[],
  choose: (all: readonly FileMutant[]) => readonly FileMutant[],
  report: (outcome: Outcome) => void,
): Promise<void> => {
  const all: FileMutant[] = [];
  const instrumented = new Map<string, string>();
  for (const file of files) {
    const mutants = mutantsOf([file]);
    const path = join(root, file).replaceAll('\\', '/');
    instrumented.set(path, instrument(readFileSync(join(root, file), 'utf8'), mutants, all.length));
    all.push(...mutants);
  }
  const start = (isolate: boolean): Promise<Vitest> =>
    createVitest(
      'test',
      {
        config: false,
        root,
        watch: false,
        include: [...tests],
        exclude: ['**/*.integration.test.ts'],
        runner: join(import.meta.dirname, 'mutant-runner.ts'),
        pool: 'threads',
        isolate,
        fileParallelism: false,
        // The cache does not see that the instrumented text has changed.
        fsModuleCache: false,
        // The limit of reached mutants ends a test, at any speed of the machine.
        testTimeout: 0,
        reporters: [{}],
      },
      {
        plugins: [
          {
            name: 'mutants',
            enforce: 'pre',
            transform: (_code, id) => {
              const code = instrumented.get(id.split('?')[0] ?? '');
              return code === undefined ? null : { code, map: null };
            },
          },
        ],
      },
    );
  /** Resolves to the name of a failed test, or null. */
  const run = async (
    vitest: Vitest,
    files: TestSpecification[],
    context: ProvidedContext['mutants'],
  ): Promise<string | null> => {
    for (const project of vitest.projects) project.provide('mutants', context);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files);
    // Results of earlier runs are listed too.
    const isOfRun = (id: string): boolean => files.some(({ moduleId }) => moduleId === id);
    const module = testModules.find(one => isOfRun(one.moduleId) && !one.ok());
    if (module === undefined) return unhandledErrors.length > 0 ? 'an error outside of the tests' : null;
    const [failed] = module.children.allTests('failed');
    return failed?.fullName ?? module.errors()[0]?.message ?? module.relativeModuleId;
  };

  // One worker for all files, which shares what they have noticed.
  const shared = await start(false);
  const isolated = await start(true);
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-mutants-'));
  const [reachedFolder, triedFolder] = [join(folder, 'reached'), join(folder, 'tried')];
  for (const one of [reachedFolder, triedFolder]) mkdirSync(one);
  try {
    const found = await isolated.globTestSpecifications();
    const failed = await run(isolated, found, { active: null, recordFolder: reachedFolder, each: null });
    if (failed !== null) throw new Error(`Without a mutant fails: ${failed}`);
    const durationOf = ({ testModule }: TestSpecification): number => testModule?.diagnostic().duration ?? 0;
    const fastestFirst = found.toSorted((one, other) => durationOf(one) - durationOf(other));

    const chosen = new Map(choose(all).map(mutant => [all.indexOf(mutant), mutant]));
    const killedFile = join(folder, 'killed');
    writeFileSync(killedFile, '');
    const rank = new Map(fastestFirst.map(({ moduleId }, index) => [moduleId, index]));
    const sorted = (await shared.globTestSpecifications()).toSorted(
      (one, other) => (rank.get(one.moduleId) ?? 0) - (rank.get(other.moduleId) ?? 0),
    );
    for (const file of sorted)
      await run(shared, [file], {
        active: null,
        recordFolder: triedFolder,
        each: { ids: [...chosen.keys()], killedFile },
      });
    const killed = new Map<number, string>();
    for (const line of readFileSync(killedFile, 'utf8').split('\n')) {
      const [id = '', ...name] = line.split(' ');
      if (id !== '') killed.set(Number(id), name.join(' '));
    }

    const [reached, tried] = [readRecords(reachedFolder), readRecords(triedFolder)];
    const isUntried = (id: number, path: string): boolean =>
      !killed.has(id) && !tried.get(path)?.tried.has(id) && !reached.get(path)?.loaded.has(id);
    /** The sources of which a cache hides mutants from the tests of a file. */
    const cachedSources = new Map(
      Array.from(reached, ([path, { hits }]) => [
        path,
        new Set([...chosen].flatMap(([id, { file }]) => (hits.has(id) && isUntried(id, path) ? [file] : []))),
      ]),
    );
    for (const [active, mutant] of chosen) {
      const reaching = fastestFirst.filter(({ moduleId }) => reached.get(moduleId)?.hits.has(active));
      let killedBy = killed.get(active) ?? null;
      for (const file of reaching) {
        const isLoaded = reached.get(file.moduleId)?.loaded.has(active);
        if (!isLoaded && !cachedSources.get(file.moduleId)?.has(mutant.file)) continue;
        killedBy ??= await run(isolated, [file], { active, recordFolder: null, each: null });
      }
      report({ mutant, isReached: reaching.length > 0, killedBy });
    }
  } finally {
    await shared.close();
    await isolated.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
