import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { startAlerting } from '../../main/intake/serve/start-alerting.ts';
import type { IntakeHealth } from '../../main/intake/serve/intake-health.ts';
import { createIntakeLog } from '../../main/intake/serve/intake-log.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { callback, verified } from '../../tools/evidence/evidence.ts';
import { answering, type Seen } from '../../tools/server-harness/test-server.ts';
import { newIntake } from '../../tools/intake-harness/new-intake.ts';
import { type IntakeFolder, password } from '../../tools/intake-harness/running-intake.ts';
import { installationOf } from '../../main/intake/serve/installation.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { attemptHistories, moved, paidWithoutCallback } from '../../tools/evidence/incomplete-payments.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { type Cluster, isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { type Team, createTeam, must } from '../../tools/postgres-harness/shared-log.ts';
import { type Installation, openInstallation } from '../../tools/postgres-harness/team-log.ts';

/** An intake as a process that alerts a real HTTP server. */

type Message = { id: string; intake: string; alerts: { id: string; kind: string; order: string }[] };

const secret = 'a secret of the receiver';
const newAlerting = (): IntakeFolder => {
  const made = newIntake();
  writeFileSync(join(made.folder, 'alerts.secret'), `${secret}\n`, { mode: 0o600 });
  return made;
};
let intake: IntakeFolder;
beforeEach(() => {
  intake = newAlerting();
});

/**
 * A web server that receives alerts. `respond`: to the message of this number, from 1. Its path comes once: its port may
 * come again, and what is sent to the server that had it before is not counted.
 */
const startWebServer = async (
  respond = (response: ServerResponse, _count: number): unknown => response.writeHead(204).end(),
) => {
  const path = `/alerts/${randomUUID()}`;
  const received: Seen[] = [];
  const { port } = await answering((seen, response) => {
    if (seen.url !== path) response.writeHead(404).end();
    else respond(response, received.push(seen));
  });
  return { url: `http://127.0.0.1:${port}${path}`, received };
};
/** The settings of alerts about what was paid, to a web server. */
const alertsTo = (url: string, changes: object = {}) => ({
  alerts: {
    kinds: ['paid'],
    everySeconds: 1,
    webhook: { url, secret: { file: 'alerts.secret' } },
    ...changes,
  },
});
const messageOf = ({ body }: Seen): Message => JSON.parse(body) as Message;
const waiting = { timeout: 15_000, interval: 50 };
const outbox = (): string => join(intake.folder, 'state', 'alerts.json');
const stored = () => JSON.parse(readFileSync(outbox(), 'utf8')) as { messages: { attempts: number }[] };

describe.skipIf(process.platform === 'win32')('an intake that alerts', () => {
  test('an intake posts a signed message about what was paid: once, for many callbacks, without names and amounts', async () => {
    const { url, received } = await startWebServer();
    intake.configure(alertsTo(url, { everySeconds: 2 }));
    const running = await intake.start();
    const next = signedCallbacks(password);
    const bodies = [next(), next(), next()];
    // The intake looks at what follows its first run.
    await expect.poll(() => running.post(bodies[0] ?? '')).toBe(200);
    for (const body of [...bodies, ...bodies]) expect(await running.post(body)).toBe(200);
    const orders = bodies.map(body => new URLSearchParams(body).get('order_number') ?? '');
    await expect
      .poll(
        () => received.flatMap(one => messageOf(one).alerts.map(({ order }) => order)).toSorted(),
        waiting,
      )
      .toEqual(orders.toSorted());
    const [first] = received;
    const [, time = '', signature = ''] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['counterfoil-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${first?.body}`).digest('hex')).toBe(signature);
    for (const one of received) {
      expect(one.body).not.toMatch(/amount|customer|http/);
      expect(messageOf(one).alerts.every(({ kind }) => kind === 'paid')).toBe(true);
    }
    expect(running.output()).not.toContain(secret);
    expect(orders.some(order => running.output().includes(order))).toBe(false);
  });

  test(
    'an alert that was not accepted is sent again after a restart, as the same message, and what arrived just before is one too',
    { timeout: 60_000 },
    async () => {
      const { url, received } = await startWebServer((response, count) =>
        response.writeHead(count === 1 ? 503 : 204).end(),
      );
      intake.configure(alertsTo(url, { showAmounts: true }));
      const first = await intake.start();
      const next = signedCallbacks(password);
      expect(await first.post(next())).toBe(200);
      await expect.poll(() => received.length, waiting).toBe(1);
      await expect.poll(() => stored().messages[0]?.attempts, waiting).toBe(1);
      expect((await first.health()).health.alerts).toEqual({ isFailing: true, waiting: 1 });
      expect(await first.metrics()).toContain('counterfoil_alerts_failing 1');
      expect(await first.post(next())).toBe(200);
      await first.end('SIGKILL');
      // The pause before the next attempt has passed.
      const later = { ...stored(), messages: stored().messages.map(one => ({ ...one, nextAt: 0 })) };
      writeFileSync(outbox(), JSON.stringify(later));
      await intake.start();
      await expect.poll(() => received.length, waiting).toBe(3);
      const messages = received.map(messageOf);
      const [refused] = messages;
      expect(messages.filter(({ id }) => id === refused?.id)).toEqual([refused, refused]);
      expect(refused?.alerts).toMatchObject([
        { kind: 'paid', order: 'LOAD-1', amount: expect.stringMatching(/^\d/) as string },
      ]);
      expect(messages.flatMap(({ alerts }) => alerts.map(({ order }) => order)).toSorted()).toEqual([
        'LOAD-1',
        'LOAD-1',
        'LOAD-2',
      ]);
    },
  );
});

test('a web server that fails, redirects or never answers gets the same message again, until it accepts it', async () => {
  const web = await startWebServer((response, count) => {
    if (count === 1) response.writeHead(503).end();
    if (count === 2) response.writeHead(302, { location: '/elsewhere' }).end();
    // The third is not answered; an answer that never ends is an answer.
    if (count === 4) response.writeHead(200).write('{');
  });
  const opened = await openPaymentLog({ file: join(intake.folder, 'journal.db'), writer: 'intake-1' });
  if (!opened.ok) throw new Error('The journal cannot be opened.');
  const journal = opened.value;
  const lines: string[] = [];
  const alerting = startAlerting({
    config: {
      kinds: ['paid'],
      showAmounts: false,
      everySeconds: 1,
      webhook: { url: web.url, secret: { file: 'alerts.secret' } },
    },
    state: intake.folder,
    profileIds: ['live'],
    journal,
    chainEnd: 0,
    shared: null,
    health: () => Promise.reject<IntakeHealth>(new Error('not asked')),
    secret: () => secret,
    log: createIntakeLog('info', line => lines.push(line)),
    clock: Date.now,
    retryMs: [0],
    timeoutMs: 50,
  });
  onTestFinished(async () => {
    await alerting.close();
    await journal.close();
  });
  await journal.append([callback(Date.now(), 'sale', 'success', {}, verified)]);
  for (let round = 0; round < 5; round += 1) await alerting.run();
  expect(web.received).toHaveLength(4);
  expect(new Set(web.received.map(one => messageOf(one).id)).size).toBe(1);
  expect(lines.join('')).toMatch(/status 503[^]*status 302[^]*due to timeout[^]*Alerts were sent/);
});

describe('alerts of overdue callbacks', () => {
  /** Intakes with a shared log that alert about callbacks which consoles miss, over a real web server. */

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
    let web: Awaited<ReturnType<typeof startWebServer>>;

    beforeAll(async () => {
      cluster = await borrowCluster();
    }, 60_000);
    afterAll(() => cluster?.remove());
    beforeEach(async () => {
      team = await createTeam(cluster);
      onTestFinished(() => team.close());
      console = await openInstallation(team, 'console-1');
      onTestFinished(() => console.remove());
      await console.journal.ownChain.correctClock(-agoMs);
      web = await startWebServer();
    });

    const sharingIntake = async (label: string): Promise<IntakeFolder> => {
      const intake = newAlerting();
      intake.configure({
        database: intake.sharing(await team.add('intake', label)),
        ...alertsTo(web.url, { kinds: ['callbacks-overdue'] }),
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
    /** What a console's status checks report. */
    const lookUp = async (cause: keyof typeof attemptHistories, orders: readonly string[]): Promise<void> => {
      await append(orders.flatMap(order => moved(attemptHistories[cause], 'live', order)));
    };
    const senderOf = (order: string): string | undefined =>
      web.received.map(messageOf).find(({ alerts }) => alerts.some(alert => alert.order === order))?.intake;
    const posted = (): Message['alerts'] => web.received.flatMap(one => messageOf(one).alerts);
    const ordersOf = (): string[] =>
      posted()
        .map(({ order }) => order)
        .toSorted();

    test('of two intakes one alerts about each payment whose callback is overdue, also with the longest order number and before any callback came', async () => {
      const both = [await sharingIntake('Intake 1'), await sharingIntake('Intake 2')];
      await lookUp('expired-without-outcome', ['BEFORE']);
      const running = await Promise.all(both.map(intake => intake.start()));
      // An intake alerts about what follows the ends that it has stored.
      for (const intake of both)
        await expect.poll(() => Object.keys(storedBy(intake).positions), waiting).toContain('console-1');
      await append(['PAID', longOrder].flatMap(order => moved(paidWithoutCallback, 'live', order)));
      await lookUp('returned-without-callback', ['RETURNED']);
      await lookUp('paid-without-look-up', ['CALLED-BACK']);
      const overdue = ['PAID', longOrder, 'RETURNED'].toSorted();
      await expect.poll(() => both.map(isDone), waiting).toEqual([true, true]);
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
});
