import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exceptions, type Exception } from './exceptions.ts';
import { tryInterfaceFaults } from './interface-faults.ts';
import { runMutants, type FileMutant } from './run-mutants.ts';
import { root } from '../../tools/build/steps.ts';

/**
 * Changes the code of the rules in small ways, one at a time, and lists the changes that no test notices:
 * `npm run mutants`. `--only TEXT` limits it to files whose path contains a text, `--sample N` to N mutants that are
 * the same in each run. `--interface` plants the faults of each row of docs/integrate/interface.md instead, and lists the
 * rows whose test does not notice it; `--only TEXT` then limits the rows.
 */

const sources = ['shared/payment-reducer/*.ts', 'main/signatures/*.ts', 'shared/money/*.ts'];
const tests = ['test/shared/**/*.test.ts', 'test/signatures/*.test.ts', 'test/callbacks/interpret.test.ts'];

/** A change on one line. */
const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};
const changeOf = ({ original, replacement }: FileMutant): string =>
  `${shortened(original)} -> ${shortened(replacement) || 'nothing'}`;

const lineOf = ({ file, line }: FileMutant): string =>
  (readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '').trim();

const isException = (mutant: FileMutant) => {
  const [line, change] = [lineOf(mutant), changeOf(mutant)];
  return (one: Exception): boolean => one.file === mutant.file && one.line === line && one.change === change;
};

/** `count` of them, the same in each run. */
const sampleOf = <T>(all: readonly T[], count: number): T[] => {
  let state = 1;
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    // The generator of MINSTD.
    state = (state * 48_271) % 2_147_483_647;
    return left.splice(state % left.length, 1);
  }).flat();
};

const { values } = parseArgs({
  options: {
    interface: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    sample: { type: 'string' },
  },
});

/** Changes the code of the rules; resolves to whether every change is noticed or an exception. */
const tryRules = async (): Promise<boolean> => {
  const files = globSync(sources, { cwd: root })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.includes(values.only))
    .toSorted();

  const used = new Set<Exception>();
  let survivors = 0;
  let killed = 0;
  let excepted = 0;
  await runMutants(
    files,
    tests,
    all => (values.sample === undefined ? all : sampleOf(all, Number(values.sample))),
    ({ mutant, isReached, killedBy }) => {
      const exception = exceptions.find(isException(mutant));
      if (killedBy !== null) killed += 1;
      else if (exception) {
        used.add(exception);
        excepted += 1;
      } else {
        survivors += 1;
        console.log(
          `${mutant.file}:${mutant.line} ${isReached ? 'survived' : 'not reached'}: ${changeOf(mutant)}`,
        );
        console.log(`    ${lineOf(mutant)}`);
      }
    },
  );
  console.log(`${killed} killed, ${excepted} excepted, ${survivors} survived.`);
  const isWhole = values.sample === undefined;
  const unused = exceptions.filter(one => isWhole && files.includes(one.file) && !used.has(one));
  for (const { file, change, line } of unused)
    console.log(`${file}: no such mutant survives, remove its exception: ${change} in ${line}`);
  return survivors === 0 && unused.length === 0;
};

/** Plants the faults of the interface's rows; resolves to whether each is noticed. */
const tryInterface = async (): Promise<boolean> => {
  const { tried, problems } = await tryInterfaceFaults(values.only);
  for (const problem of problems) console.log(problem);
  console.log(`${tried - problems.length} of ${tried} rows of the interface are proved by their tests.`);
  return problems.length === 0;
};

// Vitest sets the exit code for the failures that are wanted here.
process.exitCode = (await (values.interface ? tryInterface() : tryRules())) ? 0 : 1;
