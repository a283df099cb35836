import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openSettings } from '../../main/settings/settings-store.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { box, ipcRequest } from '../../tools/browser-harness/console.ts';
import { drivers, launch, type Application, type DriverName } from '../../tools/browser-harness/harness.ts';
import { build, isBuilt } from '../../tools/build/build.ts';
import { blankPage } from './blank-page.ts';
import { appHour } from './app-hour.ts';
import { activeProfileId, scrollList, searchList } from './app-list.ts';
import { appStart } from './app-start.ts';
import { sizeOfFirstScreen } from './first-screen-size.ts';
import { atMost, missing, type Row } from './measure.ts';

/** The complete console with its window on a large log. */

const size = { width: 1366, height: 768 };

/** The merchants of payments.ts; the larger one is active. */
const writeSettings = async (userData: string): Promise<void> => {
  const store = openSettings(join(userData, 'settings.json'), 'Ada');
  store.change(stored => ({
    ...stored,
    settings: { ...stored.settings, activeProfileId },
    profiles: ['hotel', 'shop'].map(id => ({
      ...profileDefaults,
      successUrl: 'https://shop.test/thank-you?order={order}',
      cancelUrl: 'https://shop.test/cancelled?order={order}',
      id,
      name: id,
      kind: 'test' as const,
      baseUrl: 'https://pay.example.com',
      merchantKey: id,
    })),
  }));
  await store.close();
};

const opened = async (app: Application): Promise<Page> => {
  const page = await app.firstWindow();
  await box(page, 'new.amount').waitFor();
  return page;
};

/** Waits for the daily tasks (a copy of the log, its verification), which keep every core busy for a while. */
const dailyTasksDone = async (page: Page): Promise<void> => {
  for (;;) {
    const app = await ipcRequest(page, 'app.read', {});
    if (!app.ok) throw new Error(inEnglish(app.error.message));
    if (app.value.log.checked !== null) return;
    await wait(500);
  }
};

/** Scrolling and searching, in a window next to a blank page's. */
const atTheList = async (driver: DriverName, userData: string, of: string): Promise<Row[]> => {
  const blank = blankPage();
  const blankData = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const app = await launch({ driver, userData, size });
  const plain = await launch({ driver, userData: blankData, appFolder: blank.folder, size });
  try {
    const page = await opened(app);
    await dailyTasksDone(page);
    return [await scrollList(page, await plain.firstWindow(), of), await searchList(page, of)];
  } finally {
    await plain.close();
    await app.close();
    blank.remove();
    rmSync(blankData, { recursive: true, force: true });
  }
};

const forAnHour = async (driver: DriverName, userData: string, rounds: number): Promise<Row[]> => {
  const app = await launch({ driver, userData, size });
  try {
    return await appHour(await opened(app), rounds);
  } finally {
    await app.close();
  }
};

/**
 * Rows for the window. `userData`: a folder with a log of `payments` payments as `payments.db`, which the console
 * uses and extends; `rounds`: of work, of which an hour has 400. Without a host the row says so.
 */
export const appAtSize = async ({
  userData,
  payments,
  rounds,
}: {
  userData: string;
  payments: number;
  rounds: number;
}): Promise<Row[]> => {
  if (!isBuilt() && !(await build())) throw new Error('the console cannot be built');
  const firstScreen = atMost(
    'JavaScript and texts of the first screen, compressed / 265 (KB)',
    sizeOfFirstScreen(),
    265,
    1,
  );
  const driver = drivers.find(({ available }) => available);
  if (!driver) return [firstScreen, missing('the window on a large log', 'no host for the window', 1)];
  const of = `of ${payments.toLocaleString('en')} payments`;
  await writeSettings(userData);
  return [
    firstScreen,
    await appStart(driver.name, userData, of),
    ...(await atTheList(driver.name, userData, of)),
    ...(await forAnHour(driver.name, userData, rounds)),
  ];
};
