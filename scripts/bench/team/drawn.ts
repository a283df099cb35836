import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createElsewhereGatherer } from '../../../main/app/team/elsewhere.ts';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import { filterOf } from '../../../renderer/stores/payments/filters.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { profileDefaults } from '../../../shared/settings/profile.ts';
import { goTo, ipcRequest, word } from '../../../tools/browser-harness/console.ts';
import { drivers, launch, type DriverName } from '../../../tools/browser-harness/harness.ts';
import { password } from '../../../tools/intake-harness/running-intake.ts';
import { openKeyring } from '../../../tools/keyring/keyring-session.ts';
import type { Team } from '../../../tools/postgres-harness/shared-log.ts';
import { build, isBuilt } from '../../build.ts';
import { signedCallbacks } from '../../load/callbacks.ts';
import { percentile } from '../../percentile.ts';
import { atMost, missing, type Row } from '../measure.ts';
import { pageRows } from '../payment-log/log-queries.ts';
import { addIntake } from './intake.ts';

/** Consoles that listen, the one with the window among them. */
const desks = 50;
/** Callbacks that are measured, after some that are not. */
const callbacks = 100;
const warmUp = 10;
/** Between two callbacks, milliseconds: their mean; the feed must not find a rhythm. */
const betweenMs = 400;
/** How long a row may take before the measurement fails, milliseconds. */
const timeoutMs = 15_000;

/** The profile of the intake of tools/intake-harness. */
const profileId = 'live';

const writeSettings = async (userData: string): Promise<void> => {
  const store = openSettings(join(userData, 'settings.json'), 'Ada');
  store.change(stored => ({
    ...stored,
    settings: { ...stored.settings, activeProfileId: profileId },
    profiles: [
      {
        ...profileDefaults,
        successUrl: 'https://shop.test/thank-you?order={order}',
        cancelUrl: 'https://shop.test/cancelled?order={order}',
        id: profileId,
        name: 'Shop',
        kind: 'test' as const,
        baseUrl: 'https://pay.example.com',
        merchantKey: 'shop',
      },
    ],
  }));
  await store.close();
};

/**
 * A console without a window: it follows the other chains, gathers what they wrote as a console does, and reads the
 * first page of the list where a window would.
 */
const listen = async (team: Team, number: number): Promise<void> => {
  const shared = team.open(await team.add('desk', `Desk ${number}`));
  const filter = filterOf({ view: 'all', words: '' }, profileId, Date.now());
  const gatherer = createElsewhereGatherer(() => {
    shared.reader.list(filter, null, pageRows).catch(() => undefined);
  });
  shared.follow(`desk-${number}`, events => gatherer.add(events));
};

/** Notes when each order number is on the screen: its cell is in the list, and the frame with it has ended. */
const watchRows = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const drawn = new Map<string, number>();
    Object.assign(globalThis, { drawn });
    const look = (): void => {
      const found: string[] = [];
      for (const row of document.querySelectorAll('.grid-body [role="row"]')) {
        const order = /LOAD-\d+/.exec(row.textContent ?? '')?.[0];
        if (order !== undefined && !drawn.has(order)) found.push(order);
      }
      if (found.length > 0) {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => {
          for (const order of found) if (!drawn.has(order)) drawn.set(order, Date.now());
        });
        port1.start();
        port2.postMessage(null);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

const drawnAt = async (page: Page, order: string): Promise<number> => {
  const found = await page.waitForFunction(
    key => (globalThis as unknown as { drawn: Map<string, number> }).drawn.get(key),
    order,
    { timeout: timeoutMs, polling: 50 },
  );
  return (await found.jsonValue()) ?? Number.NaN;
};

const measureIn = async (driver: DriverName, team: Team): Promise<number[]> => {
  const keyring = await openKeyring();
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  await writeSettings(userData);
  const intakes = await addIntake(team, 'Intake');
  const app = await launch({ driver, userData, env: keyring.env, size: { width: 1366, height: 768 } });
  try {
    const intake = await intakes.start();
    const page = await app.firstWindow();
    const joined = await ipcRequest(page, 'team.join', {
      text: joiningText(await team.add('desk', 'Desk 1')),
    });
    if (!joined.ok) throw new Error(inEnglish(joined.error.message));
    await page
      .getByRole('link', { name: word('team.state.connected'), exact: true })
      .first()
      .waitFor();
    await goTo(page, 'nav.payments');
    for (let number = 2; number <= desks; number += 1) await listen(team, number);
    await watchRows(page);
    const next = signedCallbacks(password, 20_000_000);
    const times: number[] = [];
    for (let number = -warmUp; number < callbacks; number += 1) {
      const body = next();
      const order = new URLSearchParams(body).get('order_number') ?? '';
      const arrivedAt = Date.now();
      const status = await intake.post(body);
      if (status !== 200) throw new Error(`a callback was answered ${status}`);
      const took = (await drawnAt(page, order)) - arrivedAt;
      if (number >= 0) times.push(took);
      await wait(betweenMs * (0.5 + Math.random()));
    }
    return times;
  } finally {
    await app.close();
    await intakes.remove();
    await keyring.close();
    rmSync(userData, { recursive: true, force: true });
  }
};

/**
 * From the arrival of a callback at an intake until its row is on the screen of another console, while 50 consoles
 * listen and read the list after each change. One of them has a window.
 */
export const callbackToRow = async (team: Team): Promise<Row[]> => {
  const name = `a callback's arrival at an intake until its row is drawn at another desk, ${desks} desks listening, p95 / 300 (ms)`;
  if (!isBuilt() && !(await build())) throw new Error('the console cannot be built');
  const driver = drivers.find(({ available }) => available);
  if (!driver) return [missing(name, 'no host for the window', 1)];
  return [atMost(name, percentile(await measureIn(driver.name, team), 0.95), 300, 1)];
};
