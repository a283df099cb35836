import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ipcRequest, speak } from '../../tools/browser-harness/console.ts';
import { startApp } from '../../tools/browser-harness/open-app.ts';
import { build, isBuilt } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';
import { prepareScreens } from '../../tools/screens/administration-screens.ts';
import { closeOverlays } from '../../tools/screens/reach.ts';
import { furtherScreens, screens } from '../../tools/screens/screens.ts';
import german from '../../shared/messages/de.json' with { type: 'json' };
import { takeReadmePictures } from './readme-pictures.ts';

/**
 * Takes a screenshot of every screen in both themes and three sizes into .pictures/, and renews README's pictures:
 * `npm run pictures`, or only the latter with `-- --readme`. Some screens only: `-- --only payments,a-new-person`. In
 * German: `-- --german`. One theme and size, without README's: `-- --short`.
 */

const folder = join(root, '.pictures');
const { values: chosen } = parseArgs({
  options: {
    only: { type: 'string' },
    german: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});
const only = chosen.only?.split(',');
const every = Object.entries({ ...screens, ...furtherScreens }).map(
  ([title, reach]) => [title.replaceAll(/[^a-z]+/g, '-'), reach] as const,
);
const unknown = only?.filter(name => !every.some(([known]) => known === name)) ?? [];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${every.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
const themes = chosen.short ? (['light'] as const) : (['light', 'dark'] as const);
const allSizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
const sizes = chosen.short ? allSizes.slice(0, 1) : allSizes;

const takeScreens = async (): Promise<void> => {
  const running = await startApp({ prepare: prepareScreens, hasKeychain: true });
  const { app, page } = running;
  try {
    if (chosen.german) {
      await ipcRequest(page, 'settings.change', { language: 'de' });
      await page.locator('html[lang^="de"]').waitFor({ state: 'attached' });
      speak(german);
    }
    for (const theme of themes) {
      await ipcRequest(page, 'settings.change', { theme });
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const [name, reach] of every) {
          if (only && !only.includes(name)) continue;
          await closeOverlays(page);
          await reach(page, app);
          await page.evaluate(() => document.fonts.ready);
          const picture = `${name}-${theme}-${String(size.width)}.png`;
          await page.screenshot({ path: join(folder, picture), animations: 'disabled' });
          console.log(`  .pictures/${picture}`);
        }
      }
    }
  } finally {
    await running.close();
  }
};

if (!isBuilt() && !(await build())) process.exit(1);
if (!chosen.readme) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await takeScreens();
}
if (!only && !chosen.short && !chosen.german) await takeReadmePictures(join(root, 'docs', 'pictures'));
// A browser that waits for the next console would keep this process running.
process.exit();
