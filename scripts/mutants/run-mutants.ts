import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { ProvidedContext } from 'vitest';
import * as z from 'zod';
import { root } from '../steps.ts';
import { findMutants, type Mutant } from './find-mutants.ts';
import { instrument } from './instrument.ts';

/** A mutant with its file, relative to the root. */
export type FileMutant = Mutant & { file: string };
/** `null` if no test failed; otherwise the name of the first that did. */
export type Outcome = { mutant: FileMutant; isReached: boolean; killedBy: string | null };

const hitsSchema = z.object({ testPath: z.string(), hits: z.array(z.number()) });

/** All mutants of some files. */
export const mutantsOf = (files: readonly string[]): FileMutant[] =>
  files.flatMap(file =>
    findMutants(file, readFileSync(join(root, file), 'utf8')).map(mutant => ({ ...mutant, file })),
  );

/**
 * Tries each of the `chosen` mutants in one Vitest process, and calls `report` for each. `tests`: glob patterns. First
 * each test tries all mutants that it reaches. Those that are left, and those that act while a module is loaded, then
 * get separate runs: of the files that reach them, the fastest first, up to the first failure.
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
  const hitsFolder = mkdtempSync(join(tmpdir(), 'counterfoil-mutants-'));
  try {
    const found = await isolated.globTestSpecifications();
    const failed = await run(isolated, found, { active: null, hitsFolder, each: null });
    if (failed !== null) throw new Error(`Without a mutant fails: ${failed}`);
    const durationOf = ({ testModule }: TestSpecification): number => testModule?.diagnostic().duration ?? 0;
    const fastestFirst = found.toSorted((one, other) => durationOf(one) - durationOf(other));
    const reachedBy = new Map<number, Set<string>>();
    for (const name of readdirSync(hitsFolder)) {
      const { testPath, hits } = hitsSchema.parse(JSON.parse(readFileSync(join(hitsFolder, name), 'utf8')));
      for (const id of hits) reachedBy.set(id, (reachedBy.get(id) ?? new Set()).add(testPath));
    }

    const chosen = new Map(choose(all).map(mutant => [all.indexOf(mutant), mutant]));
    const killedFile = join(hitsFolder, 'killed');
    writeFileSync(killedFile, '');
    const rank = new Map(fastestFirst.map(({ moduleId }, index) => [moduleId, index]));
    const sorted = (await shared.globTestSpecifications()).toSorted(
      (one, other) => (rank.get(one.moduleId) ?? 0) - (rank.get(other.moduleId) ?? 0),
    );
    for (const file of sorted)
      await run(shared, [file], {
        active: null,
        hitsFolder: null,
        each: { ids: [...chosen.keys()], killedFile },
      });
    const killed = new Map<number, string>();
    for (const line of readFileSync(killedFile, 'utf8').split('\n')) {
      const [id = '', ...name] = line.split(' ');
      if (id !== '') killed.set(Number(id), name.join(' '));
    }

    for (const [active, mutant] of chosen) {
      const paths = reachedBy.get(active);
      const reaching = fastestFirst.filter(({ moduleId }) => paths?.has(moduleId));
      let killedBy = killed.get(active) ?? null;
      for (const file of reaching)
        killedBy ??= await run(isolated, [file], { active, hitsFolder: null, each: null });
      report({ mutant, isReached: reaching.length > 0, killedBy });
    }
  } finally {
    await shared.close();
    await isolated.close();
    rmSync(hitsFolder, { recursive: true, force: true });
  }
};
