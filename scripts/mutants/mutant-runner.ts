import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { inject, TestRunner, type RunnerTestCase, type RunnerTestFile } from 'vitest';

declare global {
  /** Asked by the instrumented sources. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of globalThis.
  var mutants: { isActive: (id: number) => boolean };
}

declare module 'vitest' {
  // Vitest declares it as an interface, which only another interface extends.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    mutants: {
      /** The mutant that is active in the whole run, or null. */
      active: number | null;
      /** Where each test file records the mutants that it reaches or tries, or null. */
      recordFolder: string | null;
      /** The mutants that each test tries in turn, and the file that names those that it noticed. */
      each: { ids: readonly number[]; killedFile: string } | null;
    };
  }
}

/** Limit of reached mutants in one test: more is an endless loop. */
const maxReached = 50_000_000;

let active: number | null = null;
let reached = 0;
/** The mutants reached while none was active. */
const hits = new Set<number>();
/** Those of them that were reached before the first test of the file, while modules were loaded. */
let loaded: number[] | null = null;
/** The mutants that changed something in a test of this file. */
const tried = new Set<number>();
/** The mutants that a test of this worker has noticed. */
const killed = new Set<number>();

globalThis.mutants = {
  isActive: id => {
    reached += 1;
    if (reached > maxReached) throw new Error('An endless loop.');
    if (active === null) hits.add(id);
    if (id !== active) return false;
    tried.add(id);
    return true;
  },
};

// The same examples for each mutant, and in each run. The shortest example of a failure is not needed.
fc.configureGlobal({ seed: 1, endOnFailure: true });

/** Selects the active mutant; or runs each test once for every mutant that it reaches and no test has noticed yet. */
// oxlint-disable-next-line import/no-default-export -- Vitest imports a runner by its default export.
export default class MutantRunner extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    ({ active } = inject('mutants'));
    hits.clear();
    tried.clear();
    loaded = null;
    reached = 0;
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    const { recordFolder } = inject('mutants');
    if (recordFolder === null) return;
    for (const { filepath } of files) {
      const record = { testPath: filepath, hits: [...hits], loaded: loaded ?? [], tried: [...tried] };
      writeFileSync(join(recordFolder, `${crypto.randomUUID()}.json`), JSON.stringify(record));
    }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const { each } = inject('mutants');
    loaded ??= [...hits];
    reached = 0;
    // A mutant that is only reached while its module is loaded cannot be tried after that.
    if (each !== null) hits.clear();
    await run();
    for (const id of each?.ids ?? []) {
      if (!hits.has(id) || killed.has(id)) continue;
      active = id;
      reached = 0;
      const isNoticed = await Promise.resolve()
        .then(run)
        .then(
          () => false,
          () => true,
        );
      active = null;
      if (!isNoticed || each === null) continue;
      reached = 0;
      // Fails if the mutant left a wrong value in a cache: the following results of this file would mean nothing.
      await run();
      killed.add(id);
      appendFileSync(each.killedFile, `${id} ${test.fullName}\n`);
    }
  }
}
