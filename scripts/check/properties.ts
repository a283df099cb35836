import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runTool } from '../../tools/build/steps.ts';

/**
 * Runs the unit and integration tests with generated input again and again, each time with another seed, until the time is
 * over or one fails: `npm run test:properties -- --minutes 30`. Exits 1 after a failure, with the seed that repeats it;
 * `--seed` runs once with that one.
 */

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes needs a number above 0.');

const files: string[] = [];
for await (const file of glob('test/**/*.test.ts'))
  if (readFileSync(file, 'utf8').includes("'fast-check'")) files.push(file);

/** Whether all tests pass with a seed. */
const passes = async (seed: string): Promise<boolean> => {
  process.env['PROPERTY_SEED'] = seed;
  const { code } = await runTool('vitest', ['run', ...files]);
  if (code !== 0) console.log(`\nFAILED with seed ${seed}: npm run test:properties -- --seed ${seed}`);
  return code === 0;
};

const until = performance.now() + minutes * 60_000;
let hasPassed = true;
do hasPassed = await passes(values.seed ?? String(randomInt(2 ** 31)));
while (hasPassed && values.seed === undefined && performance.now() < until);
process.exitCode = hasPassed ? 0 : 1;
