import { join } from 'node:path';
import { playTour } from '../../tools/browser-harness/play-tour.ts';
import { build, isBuilt } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';

/** Plays the main workflow, and saves an image of every step in .tour/: `npm run tour`. */

if (!isBuilt() && !(await build())) process.exit(1);
try {
  await playTour({ pictures: join(root, '.tour'), print: line => console.log(line) });
  console.log('\nThe tour is over: every step held. The pictures are in .tour/.');
} catch (error) {
  console.error(`\nThe tour stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
