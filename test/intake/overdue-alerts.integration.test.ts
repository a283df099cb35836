import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installationOf } from '../../main/intake/serve/installation.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { startWebReceiver, type WebReceiver } from '../../tools/intake-harness/alert-receiver.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { intakeFolder, type IntakeFolder } from '../../tools/intake-harness/running-intake.ts';
import { attemptHistories, moved, paidWithoutCallback } from '../../tools/evidence/incomplete-payments.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';

/** Intakes with a shared log that alert about callbacks which consoles miss, over a real web server. */

type Posted = { intake: string; alerts: { kind: string; order: string }[] };
type Stored = {
  positions: Record<string, number>;
  suspects: unknown[];
  waiting: unknown[];
  messages: unknown[];
};

const waiting = { timeout: 60_000, interval: 50 };
/** A status check this long ago has waited long enough for its callback, milliseconds. */
const agoMs = 10 * 60_000;
/** As long as an order number can be. */
const longOrder = 'L'.repeat(255);

describe.skipIf(isPostgresMissing)('alerts of intakes with a shared log (PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let console: Installation;
  let web: WebReceiver;
  let intakes: IntakeFolder[];

  beforeAll(async () => {
    cluster = await borrowCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  beforeEach(async () => {
    intakes = [];
    team = await createTeam(cluster);
    console = await openInstallation(team, 'console-1');
    await console.journal.ownChain.correctClock(-agoMs);
    web = await startWebReceiver();
  });
  afterEach(async () => {
    for (const intake of intakes) await intake.remove();
    await console.remove();
    await team.close();
    await web.close();
  });

  const newIntake = async (label: string): Promise<IntakeFolder> => {
    const { password, ...account }: SharedLogSettings = await team.add('intake', label);
    const intake = intakeFolder();
    intakes.push(intake);
    for (const [file, secret] of [
      ['alerts.secret', 'a secret of the receiver'],
      ['database.password', password],
    ] as const)
      writeFileSync(join(intake.folder, file), `${secret}\n`, { mode: 0o600 });
    intake.configure({
      database: {
        host: account.host,
        port: account.port,
        name: account.database,
        schema: account.schema,
        role: account.role,
        password: { file: 'database.password' },
      },
      alerts: {
        kinds: ['callbacks-overdue'],
        everySeconds: 1,
        webhook: { url: web.url, secret: { file: 'alerts.secret' } },
      },
    });
    return intake;
  };
  const storedBy = (intake: IntakeFolder): Stored => {
    const file = join(intake.folder, 'state', 'alerts.json');
    if (!existsSync(file)) return { positions: {}, suspects: [], waiting: [], messages: [] };
    return JSON.parse(readFileSync(file, 'utf8')) as Stored;
  };
  let last = 0;
  const append = async (drafts: readonly EventDraft[]): Promise<void> => {
    const { events } = must(await console.journal.append(drafts));
    last = events.at(-1)?.writerSeq ?? 0;
    expect(await console.shipping.shipped(last, 20_000)).toBe(true);
  };
  /** Whether the intake has looked at everything and sent what it found. */
  const isDone = (intake: IntakeFolder): boolean => {
    const { positions, suspects, waiting: found, messages } = storedBy(intake);
    return positions['console-1'] === last && suspects.length + found.length + messages.length === 0;
  };
  const bothDone = () => expect.poll(() => intakes.map(isDone), waiting).toEqual([true, true]);
  /** What a console's status checks report. */
  const lookUp = async (cause: keyof typeof attemptHistories, orders: readonly string[]): Promise<void> => {
    await append(orders.flatMap(order => moved(attemptHistories[cause], 'live', order)));
  };
  const senderOf = (order: string): string | undefined =>
    web.received
      .map(({ body }) => JSON.parse(body) as Posted)
      .find(({ alerts }) => alerts.some(alert => alert.order === order))?.intake;
  const posted = (): Posted['alerts'] =>
    web.received.flatMap(({ body }) => (JSON.parse(body) as Posted).alerts);
  const ordersOf = (): string[] =>
    posted()
      .map(({ order }) => order)
      .toSorted();

  test('of two intakes one alerts about each payment whose callback is overdue, also with the longest order number and before any callback came', async () => {
    const both = [await newIntake('Intake 1'), await newIntake('Intake 2')];
    await lookUp('expired-without-outcome', ['BEFORE']);
    const running = await Promise.all(both.map(intake => intake.start()));
    // An intake alerts about what follows the ends that it has stored.
    for (const intake of both)
      await expect.poll(() => Object.keys(storedBy(intake).positions), waiting).toContain('console-1');
    await append(['PAID', longOrder].flatMap(order => moved(paidWithoutCallback, 'live', order)));
    await lookUp('returned-without-callback', ['RETURNED']);
    await lookUp('paid-without-look-up', ['CALLED-BACK']);
    const overdue = ['PAID', longOrder, 'RETURNED'].toSorted();
    await bothDone();
    expect(ordersOf()).toEqual(overdue);
    expect(posted().every(({ kind }) => kind === 'callbacks-overdue')).toBe(true);
    for (const { body } of web.received) expect(body).not.toMatch(/Jane|jane@|https?:|amount/);
    for (const one of running) expect(one.output()).not.toContain('PAID');
    // A claim ends after two minutes, and people check a status again; the intake that alerted may not run then.
    const sender = senderOf('PAID');
    const at = both.findIndex(({ folder }) => installationOf(join(folder, 'state')) === sender);
    await running[at]?.end('SIGTERM');
    await team.sql(`UPDATE claim SET until = now() - interval '1 second'`);
    await append(moved(paidWithoutCallback.slice(-1), 'live', 'PAID'));
    const other = both.filter((_, index) => index !== at);
    await expect.poll(() => other.map(isDone), waiting).toEqual([true]);
    expect(ordersOf()).toEqual(overdue);
  }, 180_000);
});
