import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createRemoteEventGatherer } from '../../main/app/team/elsewhere.ts';
import type { PaymentLogReader } from '../../main/payment-log/payment-log.ts';
import { openSettings } from '../../main/settings/settings-store.ts';
import { joiningText } from '../../main/team/joining-text.ts';
import { filterOf } from '../../renderer/stores/payments/filters.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { goTo, ipcRequest, word } from '../../tools/browser-harness/console.ts';
import { drivers, launch, type DriverName } from '../../tools/browser-harness/harness.ts';
import { intakeFolder, password, type IntakeFolder } from '../../tools/intake-harness/running-intake.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';
import { requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startCluster } from '../../tools/postgres-harness/cluster.ts';
import { followTeam } from '../../tools/postgres-harness/list.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';
import { buildIntake, ensureBuilt } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';
import { signedCallbacks } from '../load/callbacks.ts';
import { percentile } from '../load/percentile.ts';
import { atMost, missing, type Row } from './measure.ts';

/** Consoles that listen, the one with the window among them. */
const consoles = 50;
/** Callbacks are measured in groups, whose rows fit in the window. */
const groupSize = 10;
/** Between two callbacks: their mean; the feed must not find a rhythm. */
const betweenMs = 400;
/** How long a row may take before the measurement fails. */
const timeoutMs = 15_000;

/** Rows of a first page. */
const pageRows = 50;

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
const listen = async (team: Team, number: number): Promise<{ close(): Promise<void> }> => {
  const filter = filterOf({ view: 'all', words: '' }, profileId, Date.now());
  let current: PaymentLogReader | null = null;
  const gatherer = createRemoteEventGatherer(() => void current?.list(filter, null, pageRows));
  return followTeam(await team.add('console', `Console ${number}`), `console-${number}`, (events, reader) => {
    current = reader;
    gatherer.add(events);
  });
};

/** Notes when the row of an order is on the screen with that state: its text is in the list, and the frame has ended. */
const watchRows = (page: Page): Promise<void> =>
  page.evaluate(state => {
    const drawn = new Map<string, number>();
    const shown = new Set<string>();
    Object.assign(globalThis, { drawn, shown });
    const look = (): void => {
      const found: string[] = [];
      for (const row of document.querySelectorAll('.grid-body [role="row"]')) {
        const text = row.textContent ?? '';
        const order = /LOAD-\d+/.exec(text)?.[0];
        if (order === undefined) continue;
        shown.add(order);
        if (text.includes(state) && !drawn.has(order)) found.push(order);
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
  }, word('state.paid-unconfirmed'));

const drawnAt = async (page: Page, order: string): Promise<number> => {
  const found = await page.waitForFunction(
    key => (globalThis as unknown as { drawn: Map<string, number> }).drawn.get(key),
    order,
    { timeout: timeoutMs, polling: 50 },
  );
  return (await found.jsonValue()) ?? Number.NaN;
};

/** The payments of these callbacks, requested at another console; resolves when the open list shows them. */
const raise = async (page: Page, installation: Installation, bodies: readonly string[]): Promise<void> => {
  const orders = bodies.map(body => new URLSearchParams(body).get('order_number') ?? '');
  for (const orderNumber of orders) {
    const amount = '12.50';
    const one = requested(0, { amount, description: 'Two nights, room 12' }, { orderNumber, profileId });
    must(await installation.journal.append([{ ...one, happenedAt: Date.now() }]));
  }
  const areShown = (): Promise<boolean> =>
    page.evaluate(
      wanted => wanted.every(one => (globalThis as unknown as { shown: Set<string> }).shown.has(one)),
      orders,
    );
  for (const until = performance.now() + timeoutMs; !(await areShown());) {
    if (performance.now() > until) throw new Error('the list does not show the payments of another console');
    // New payments do not move the rows of an open list: a button shows them.
    const more = page.locator('button.newer');
    if (await more.isVisible()) await more.click({ timeout: 500 }).catch(() => undefined);
    await wait(100);
  }
};

/** The intake as it is shipped. */
const addIntake = async (team: Team): Promise<IntakeFolder> => {
  const { host, port, database, schema, role, password: secret } = await team.add('intake', 'Intake');
  const folder = intakeFolder(undefined, join(root, 'out', 'intake', 'index.js'));
  writeFileSync(join(folder.folder, 'database.password'), secret ?? '');
  folder.configure({
    database: { host, port, name: database, schema, role, password: { file: 'database.password' } },
  });
  return folder;
};

const measureIn = async (driver: DriverName, team: Team, groups: number): Promise<number[]> => {
  const keyring = await openKeyring();
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  await writeSettings(userData);
  const intakes = await addIntake(team);
  const other = await openInstallation(team, 'installation-2');
  const listeners: { close(): Promise<void> }[] = [];
  const app = await launch({ driver, userData, env: keyring.env, size: { width: 1366, height: 768 } });
  try {
    const intake = await intakes.start();
    const page = await app.firstWindow();
    const joined = await ipcRequest(page, 'team.join', {
      text: joiningText(await team.add('console', 'Counter 1')),
    });
    if (!joined.ok) throw new Error(inEnglish(joined.error.message));
    await page
      .getByRole('link', { name: word('team.state.connected'), exact: true })
      .first()
      .waitFor();
    await goTo(page, 'nav.payments');
    for (let number = 3; number <= consoles; number += 1) listeners.push(await listen(team, number));
    await watchRows(page);
    const next = signedCallbacks(password, 20_000_000);
    const times: number[] = [];
    for (let group = -1; group < groups; group += 1) {
      const bodies = Array.from({ length: groupSize }, next);
      await raise(page, other, bodies);
      for (const body of bodies) {
        await wait(betweenMs * (0.5 + Math.random()));
        const arrivedAt = Date.now();
        const status = await intake.post(body);
        if (status !== 200) throw new Error(`a callback was answered ${status}`);
        const took = (await drawnAt(page, new URLSearchParams(body).get('order_number') ?? '')) - arrivedAt;
        if (group >= 0) times.push(took);
      }
    }
    return times;
  } finally {
    for (const listener of listeners) await listener.close();
    await app.close();
    await other.remove();
    await intakes.remove();
    await keyring.close();
    rmSync(userData, { recursive: true, force: true });
  }
};

/**
 * From the arrival of a callback at an intake until the row of its payment shows it on the screen of a console that did
 * not raise it, while 50 consoles listen and read the list after each change. One of them has a window. `groups`: of
 * ten callbacks, after one that is not measured.
 */
export const callbackToRow = async (groups: number): Promise<Row> => {
  const name = `a callback's arrival at an intake until its row is drawn at another console, ${consoles} consoles listening, p95 / 300 (ms)`;
  const driver = drivers.find(({ available }) => available);
  if (isPostgresMissing) return missing(name, 'PostgreSQL is not installed', 1);
  if (!driver) return missing(name, 'no host for the window', 1);
  await ensureBuilt();
  if (!(await buildIntake())) throw new Error('the intake cannot be built');
  // As an administrator would run it: what was committed is on the disk.
  const cluster = await startCluster({ fsync: 'on', shared_buffers: '512MB', max_connections: '300' });
  try {
    const team = await createTeam(cluster);
    try {
      return atMost(name, percentile(await measureIn(driver.name, team, groups), 0.95), 300, 1);
    } finally {
      await team.close();
    }
  } finally {
    await cluster.remove();
  }
};
