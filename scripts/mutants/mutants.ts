import { parseArgs } from 'node:util';
import { tryInterfaceFaults } from './interface-faults.ts';

/**
 * Plants the faults of each row of docs/integrate/interface.md, and lists the rows whose test does not notice it:
 * `npm run mutants -- --interface`. `--only TEXT` limits it to rows with a text.
 */

const { values } = parseArgs({
  // `interface`: no other faults are planted, with or without it.
  options: { interface: { type: 'boolean' }, only: { type: 'string', default: '' } },
});
const { tried, problems } = await tryInterfaceFaults(values.only);
for (const problem of problems) console.log(problem);
console.log(`${tried - problems.length} of ${tried} rows of the interface are proved by their tests.`);
// Vitest sets the exit code for the failures that are wanted here.
process.exitCode = problems.length === 0 ? 0 : 1;
