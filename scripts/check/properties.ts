import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runTool } from '../../tools/build/steps.ts';

/**
 * Runs the unit and integration tests with generated input again and again, each time with another seed, until the time is
 * over or one fails: `npm run test:properties -- --minutes 30`. Exits 1 after a failure, with the seed that repeats it.
 */

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes needs a number above 0.');

const files: string[] = [];
for await (const file of glob('test/**/*.test.ts'))
  if (readFileSync(file, 'utf8').includes("'fast-check'") && positionals.every(part => file.includes(part)))
    files.push(file);

const until = performance.now() + minutes * 60_000;
let rounds = 0;
do {
  const seed = values.seed ?? String(randomInt(2 ** 31));
  process.env['PROPERTY_SEED'] = seed;
  const { code } = await runTool('vitest', ['run', ...files]);
  rounds += 1;
  if (code === 0) continue;
  console.log(`\nFAILED with seed ${seed}: npm run test:properties -- --seed ${seed} --minutes 1`);
  process.exitCode = 1;
  break;
} while (values.seed === undefined && performance.now() < until);
console.log(`${rounds} ${rounds === 1 ? 'round' : 'rounds'} over ${files.length} files`);
