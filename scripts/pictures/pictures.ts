import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { languages, type Language } from '../../shared/messages/language.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';
import { box, ipcRequest, raiseLink, waitForState } from '../../tools/browser-harness/console.ts';
import { launch } from '../../tools/browser-harness/harness.ts';
import { openPayer, type ScenarioName } from '../../tools/browser-harness/payer.ts';
import { paymentEvents } from '../bench/payments.ts';
import { writeAdministrationFiles } from '../../tools/screens/administration-screens.ts';
import { closeOverlays, show, type Reach } from '../../tools/screens/reach.ts';
import { furtherScreens, screens } from '../../tools/screens/screens.ts';
import { build, isBuilt } from '../../tools/build/build.ts';
import { takeReadmePictures } from './readme-pictures.ts';
import { root } from '../../tools/build/steps.ts';

/**
 * Takes a screenshot of every screen in both themes and three sizes into .pictures/, and renews README's
 * pictures: `npm run pictures`, or only those with `-- --readme`. Their month of payments is invented and seeded. Some of them only:
 * `npm run pictures -- --only paid,a-new-person --themes dark --sizes 1366 --language de`; docs stay as they are then.
 */

const folder = join(root, '.pictures');
const shown = join(root, 'docs', 'pictures');
const { values: chosen } = parseArgs({
  options: {
    only: { type: 'string' },
    themes: { type: 'string', default: 'light,dark' },
    sizes: { type: 'string', default: '1366,1920,2560' },
    language: { type: 'string', default: 'en' },
    readme: { type: 'boolean', default: false },
  },
});
const isWhole = process.argv.length === 2;
const only = chosen.only?.split(',');
const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
].filter(({ width }) => chosen.sizes.split(',').includes(String(width)));
const themes = (['light', 'dark'] as const).filter(theme => chosen.themes.split(',').includes(theme));
const language = languages.find(one => one === chosen.language) ?? 'en';

const hour = 3_600_000;

/** Two months at a hotel, in the sandbox's profile: more at the weekend, nothing at night. */
const fillMonth = async (file: string): Promise<void> => {
  const log = await openPaymentLog({ file, writer: 'pictures' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  const midnight = new Date().setHours(0, 0, 0, 0);
  let index = 0;
  for (let day = 60; day >= 1; day -= 1) {
    const weekday = new Date(midnight - day * 24 * hour).getDay();
    const links = weekday === 0 || weekday === 6 ? 27 : 14 + ((day * 7) % 9);
    for (let link = 0; link < links; link += 1) {
      const raisedAt = midnight - day * 24 * hour + (8 + (link * 11) / links) * hour;
      const events = paymentEvents(index, index + 1, Math.round(raisedAt));
      const written = await log.value.append(events.map(event => ({ ...event, profileId: 'sandbox' })));
      if (!written.ok) throw new Error(inEnglish(written.error.message));
      index += 1;
    }
  }
  await log.value.close();
};

const speak = async (page: Page, language: Language): Promise<void> => {
  await ipcRequest(page, 'settings.change', { language });
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
};

const setTheme = async (page: Page, theme: (typeof themes)[number]): Promise<void> => {
  await ipcRequest(page, 'settings.change', { theme });
  await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
};

const takePicture = async (page: Page, picture: string): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  // Two frames: the new screen is rendered.
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.screenshot({ path: join(folder, picture) });
  console.log(`  .pictures/${picture}`);
};

/** Last of all: a locked window accepts no change of its theme or language. */
const pictureLockScreen = async (page: Page): Promise<void> => {
  const agent = { name: 'Grace Hopper', pin: '2468' };
  const saved = await ipcRequest(page, 'agents.save', { id: null, role: 'administrator', ...agent });
  if (!saved.ok) throw new Error(inEnglish(saved.error.message));
  await ipcRequest(page, 'agents.signIn', { id: saved.value.id, pin: agent.pin });
  for (const theme of themes) {
    await setTheme(page, theme);
    await speak(page, language);
    await page.keyboard.press('Control+Shift+L');
    const pin = page.getByLabel(agent.name).last();
    await pin.waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      await takePicture(page, `locked-${theme}-${String(size.width)}.png`);
    }
    await pin.fill(agent.pin);
    await page.keyboard.press('Enter');
    await page.locator('.shell').waitFor();
  }
};

if (!isBuilt() && !(await build())) process.exit(1);
if (chosen.readme) {
  await takeReadmePictures(shown);
  process.exit();
}
if (isWhole) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const userData = mkdtempSync(join(tmpdir(), 'counterfoil-pictures-'));
await fillMonth(join(userData, 'payments.db'));
const keyring = await openKeyring();
const payer = await openPayer();
writeAdministrationFiles(userData);
const app = await launch({
  userData,
  env: { ...keyring.env, COUNTERFOIL_POLICY: join(userData, 'policy.json') },
  size: { width: 1366, height: 768 },
});

try {
  const page = await app.firstWindow();
  await box(page, 'new.amount').waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  /** A payment of the day; its page is one more screen. */
  const raise = async (amount: string, description: string, name: string, scenario?: ScenarioName) => {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
    const { link } = await raiseLink(page, { amount, description, name, email });
    if (scenario) await payer.go(link, scenario);
    await waitForState(
      page,
      scenario === undefined ? 'waiting' : scenario === 'decline' ? 'declined' : 'paid-confirmed',
    );
    const address = await page.evaluate(() => location.hash);
    return () => show(page, address);
  };
  const shownScreens: Readonly<Record<string, Reach>> = {
    declined: await raise('15', 'Late check-out', 'Ben Larsen', 'decline'),
    paid: await raise('123.40', 'Two nights, room 12', 'Anna Nowak', 'threeDsPay'),
    waiting: await raise('289.90', 'Blue chair', 'Elif Brown'),
    ...screens,
    ...furtherScreens,
  };

  for (const theme of themes) {
    await setTheme(page, theme);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const [title, reach] of Object.entries(shownScreens)) {
        const name = title.replaceAll(/[^a-z]+/g, '-');
        if (only && !only.includes(name)) continue;
        await closeOverlays(page);
        await reach(page, app);
        // The way to a screen is found by its English names.
        await speak(page, language);
        await takePicture(page, `${name}-${theme}-${String(size.width)}.png`);
        await speak(page, 'en');
      }
    }
  }
  if (!only || only.includes('locked')) await pictureLockScreen(page);
} finally {
  await app.close();
  await payer.close();
  await keyring.close();
  rmSync(userData, { recursive: true, force: true });
}
if (isWhole) await takeReadmePictures(shown);
