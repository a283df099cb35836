import { join } from 'node:path';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { setup as bundleWorkers } from '../../tools/app-harness/bundle-workers.ts';
import {
  setup as openSharedKeyring,
  teardown as closeSharedKeyring,
} from '../../tools/keyring/shared-keyring.ts';
import { root } from '../../tools/build/steps.ts';
import { readFileSync } from 'node:fs';

/** A row of docs/integrate/interface.md: what the interface says, its code, its test, and planted faults. */
export type InterfaceRow = {
  section: string;
  sentence: string;
  /** The files that implement the sentence. Faults are planted in the first. */
  code: string[];
  testFile: string;
  /**
   * Each makes a part of the sentence untrue. `title`: of the test, or of the group of tests, that must fail; `text`: a
   * part of one line of the file.
   */
  faults: InterfaceFault[];
};

type InterfaceFault = { title: string; text: string; replacement: string };

const keyOf = (section: string, sentence: string): string => `${section} ${sentence}`;

/** The faults of `interface-faults.tsv`, by section and sentence. */
export const interfaceFaults = (): Map<string, InterfaceFault[]> => {
  const lines = readFileSync(join(root, 'scripts', 'mutants', 'interface-faults.tsv'), 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .filter(line => line !== '')
    .map(line => line.split('\t'));
  const faults = new Map<string, InterfaceFault[]>();
  for (const [section = '', sentence = '', title = '', text = '', replacement = ''] of lines) {
    const key = keyOf(section, sentence);
    faults.set(key, [...(faults.get(key) ?? []), { title, text, replacement }]);
  }
  return faults;
};

/** The rows of the page, in its order. Each is two lines: the sentence; its code and its test file. */
export const interfaceRows = (): InterfaceRow[] => {
  const faults = interfaceFaults();
  return readFileSync(join(root, 'docs', 'integrate', 'interface.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .flatMap(part => {
      const [section = ''] = part.split(' ', 1);
      return [...part.matchAll(/^- (.+)\.\r?\n {2}(.+); `(test\/[^`]+)`$/gm)].map(
        ([, sentence = '', code = '', testFile = '']) => ({
          section,
          sentence,
          code: [...code.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? []),
          testFile,
          faults: faults.get(keyOf(section, sentence)) ?? [],
        }),
      );
    });
};

/** The code of a row with one of its faults, or the reason why it cannot be planted. */
export const plantFault = (
  { code }: InterfaceRow,
  fault: InterfaceFault,
): { faulty: string } | { problem: string } => {
  const [file = ''] = code;
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(fault.text);
  if (before === undefined || after === undefined) return { problem: `${file} does not contain its text` };
  if (more.length > 0) return { problem: `${file} contains its text more than once` };
  return { faulty: `${before}${fault.replacement}${after}` };
};

/** Vitest processes at the same time. */
const lanes = 2;

/** Limit of one test: a test that a fault leaves waiting has noticed it. */
const timeoutMs = 10_000;

const sourcePath = (file: string): string => join(root, file).replaceAll('\\', '/');

/** The full names of the tests with a title of `test.each` or of a group, too. */
const namePattern = (title: string): string =>
  title
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll(/%[sdifjoO]|\\\$\w+(?:\\\.\w+)*/g, '.*');

type TestRun = { passed: string[]; failed: string[]; error: string | null };

const resultsOf = (module: TestModule): TestRun => {
  const names = (state: 'passed' | 'failed'): string[] =>
    Array.from(module.children.allTests(state), test => test.fullName);
  return { passed: names('passed'), failed: names('failed'), error: module.errors()[0]?.message ?? null };
};

/** A Vitest process that runs tests of one file at a time, with the faulty text of one source in memory. */
const startLane = async () => {
  let planted: { path: string; code: string } | null = null;
  const vitest: Vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      include: ['test/**/*.test.ts'],
      setupFiles: 'tools/app-harness/use-bundled-workers.ts',
      maxWorkers: 1,
      pool: 'threads',
      // The cache does not see the planted text.
      fsModuleCache: false,
      testTimeout: timeoutMs,
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: 'planted-fault',
          enforce: 'pre',
          transform: (_code, id) =>
            planted !== null && id.split('?')[0] === planted.path ? { code: planted.code, map: null } : null,
        },
      ],
    },
  );
  await vitest.globTestSpecifications();
  const run = async (testFile: string, titles: readonly string[]): Promise<TestRun> => {
    const testNamePattern = new RegExp(titles.map(namePattern).join('|'));
    const specification = vitest.getRootProject().createSpecification(sourcePath(testFile), {
      testNamePattern,
    });
    const { testModules } = await vitest.runTestSpecifications([specification]);
    const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
    return module ? resultsOf(module) : { passed: [], failed: [], error: 'it did not run' };
  };
  return {
    run,
    /** Runs a test of a row while the row's code has this text. */
    runFaulty: async ({ code: [file = ''], testFile }: InterfaceRow, title: string, code: string) => {
      planted = { path: sourcePath(file), code };
      vitest.invalidateFile(planted.path);
      try {
        return await run(testFile, [title]);
      } finally {
        vitest.invalidateFile(planted.path);
        planted = null;
      }
    },
    close: () => vitest.close(),
  };
};

type Lane = Awaited<ReturnType<typeof startLane>>;

/** Tries the rows of one test file; returns a line for each that does not prove its sentence. */
const tryRows = async (lane: Lane, testFile: string, rows: readonly InterfaceRow[]): Promise<string[]> => {
  const found: string[] = [];
  const complain = ({ section, sentence }: InterfaceRow, problem: string): void => {
    found.push(`§${section} ${sentence}\n    ${problem}`);
  };
  const sound = await lane.run(
    testFile,
    rows.flatMap(({ faults }) => faults.map(({ title }) => title)),
  );
  for (const row of rows)
    for (const fault of row.faults) {
      const isOfFault = (name: string): boolean => new RegExp(namePattern(fault.title)).test(name);
      const isPassed = sound.passed.some(isOfFault) && !sound.failed.some(isOfFault);
      const planted = plantFault(row, fault);
      if (!isPassed) complain(row, `Without the fault its test does not pass: ${sound.error ?? fault.title}`);
      else if ('problem' in planted)
        complain(row, `The fault ${fault.text} cannot be planted: ${planted.problem}.`);
      else {
        const { failed, error } = await lane.runFaulty(row, fault.title, planted.faulty);
        const result = error === null ? 'passes' : `does not run: ${error}`;
        if (failed.length === 0) complain(row, `With the fault ${fault.text} its test ${result}`);
      }
    }
  return found;
};

/**
 * Plants the faults of each row of docs/integrate/interface.md in memory and runs the test that the row names, which
 * must fail. `only`: a text of the rows to try. Returns a line for each row that does not prove its sentence.
 */
export const tryInterfaceFaults = async (only: string): Promise<{ tried: number; problems: string[] }> => {
  const rows = interfaceRows().filter(row => `${row.section} ${row.sentence} ${row.testFile}`.includes(only));
  const queue = [...Map.groupBy(rows, ({ testFile }) => testFile)];
  await bundleWorkers({ onTestsRerun: () => undefined });
  await openSharedKeyring();
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    const lane = await startLane();
    try {
      for (let next = queue.shift(); next; next = queue.shift())
        problems.push(...(await tryRows(lane, ...next)));
    } finally {
      await lane.close();
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    await closeSharedKeyring();
  }
  return { tried: rows.length, problems };
};
