import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playTour } from '../../tools/browser-harness/play-tour.ts';
import { build, isBuilt } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';

/** Plays the main workflow, and saves an image of every step in .tour/: `npm run tour`. */

if (!isBuilt() && !(await build())) process.exit(1);
// In one folder, so that Ctrl+C, at which Playwright closes its browser and exits, leaves nothing.
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-tour-'));
process.env['TMPDIR'] = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
try {
  await playTour({ pictures: join(root, '.tour'), print: line => console.log(line) });
  console.log('\nThe tour is over: every step held. The pictures are in .tour/.');
} catch (error) {
  console.error(`\nThe tour stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
