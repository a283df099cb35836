import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { startShipping, type Shipping } from '../../main/team/ship.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, note, order, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('shipping to a shared log (needs PostgreSQL)', () => {
  const { cluster, team, closing, proxied, signIn } = useTeam();
  let folder: LogFolder;
  let journal: PaymentLog;

  beforeEach(async () => {
    folder = logFolder();
    closing.push(() => folder.remove());
    journal = await folder.open('console-1', { hasList: false });
  });

  const ship = (settings: SharedLogSettings, from = journal): Shipping => {
    const shipping = startShipping({ clock: Date.now, journal: from, shared: team.open(settings) });
    closing.push(() => shipping.close());
    return shipping;
  };
  /** Resolves when the server has had nothing to do for an account for a while: notifications are answered too. */
  const isIdle = ({ role }: SharedLogSettings): Promise<void> =>
    expect
      .poll(() =>
        cluster.sql(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'
          AND (state <> 'idle' OR state_change > now() - interval '200 milliseconds')`),
      )
      .toEqual([]);
  /** Appends notes; returns the number of the last one in the chain. */
  const write = async (count: number, log = journal): Promise<number> => {
    const drafts = Array.from({ length: count }, (_, index) => note(index * 1_000, `Note ${index}`));
    return must(await log.append(drafts)).events.at(-1)?.writerSeq ?? 0;
  };
  const stored = async (): Promise<{ events: number; numbers: number; last: number }> => {
    const [counted] = await team.sql<{ events: string; numbers: string; last: string }>(
      `SELECT count(*) AS events, count(DISTINCT (writer, writer_seq)) AS numbers,
         coalesce(max(writer_seq), 0) AS last FROM event`,
    );
    return {
      events: Number(counted?.events),
      numbers: Number(counted?.numbers),
      last: Number(counted?.last),
    };
  };
  /** Everything of the journal is there, once, in the same chain. */
  const expectComplete = async (settings: SharedLogSettings): Promise<void> => {
    const shared = team.open(settings);
    expect(must(await shared.chainEnds())).toEqual(await journal.chainEnds());
    const { events, numbers, last } = await stored();
    expect([events, numbers]).toEqual([last, last]);
    expect(must(await shared.verify()).problems).toEqual([]);
  };

  test('a journal is shipped byte for byte, and each payment has the same events there', async () => {
    must(
      await journal.append([
        requested(0, { customer: { name: 'Jörg Müller', email: 'jm@example.com' } }),
        accepted(),
        callback(60_000, 'sale', 'success'),
        note(61_000, 'Called back 🙂\u0000 done'),
      ]),
    );
    must(await journal.append([note(62_000, 'Odd order', { orderNumber: 'A\u0000\u0010B' })]));
    const shared = team.open(await team.add('console', 'Counter 1'));
    const shipping = startShipping({ clock: Date.now, journal, shared });
    closing.push(() => shipping.close());
    expect(await shipping.shipped(5, 5_000)).toBe(true);
    expect(shipping.standing()).toMatchObject({
      state: 'connected',
      unshipped: { events: 0, oldest: null },
      problem: null,
    });
    expect(must(await shared.chainedEvents('console-1', 0, 10))).toEqual(
      await journal.ownChain.events(0, 10),
    );
    expect(must(await shared.chainEnds())).toEqual(await journal.chainEnds());
    expect(must(await shared.events('sandbox', order.number))).toEqual(
      await journal.events('sandbox', order.number),
    );
    expect(must(await shared.events('sandbox', 'A\u0000\u0010B'))).toHaveLength(1);
    expect(must(await shared.verify())).toMatchObject({ events: 5, problems: [] });
    expect(await shipping.shipped(await write(1), 5_000)).toBe(true);
  });

  test('a long journal continues where the shared log ends, also after a restart', async () => {
    const settings = await team.add('console', 'Counter 1');
    const last = await write(1_500);
    const first = ship(settings);
    expect(await first.shipped(600, 10_000)).toBe(true);
    await first.close();
    await write(10);
    const second = ship(settings);
    expect(await second.shipped(last + 10, 10_000)).toBe(true);
    await expectComplete(settings);
  });

  test('an answer that is lost after the commit writes nothing twice', async () => {
    const proxy = await proxied();
    const settings = await team.add('console', 'Counter 1', proxy.port);
    const shipping = ship(settings);
    expect(await shipping.shipped(await write(1), 5_000)).toBe(true);
    await isIdle(settings);
    proxy.set('drop-answers');
    const last = await write(20);
    await expect.poll(async () => (await stored()).last).toBe(last);
    expect(await shipping.shipped(last, 50)).toBe(false);
    proxy.set('forward');
    proxy.cut();
    expect(await shipping.shipped(last, 5_000)).toBe(true);
    await expectComplete({ ...settings, port: cluster.port });
  });

  test('while the network is cut a caller waits no longer than it wants, and all events are shipped later', async () => {
    const proxy = await proxied();
    const settings = await team.add('console', 'Counter 1', proxy.port);
    const shipping = ship(settings);
    expect(await shipping.shipped(await write(1), 5_000)).toBe(true);
    proxy.set('hold');
    // It is noticed while nothing is written.
    await expect.poll(() => shipping.standing().state).toBe('unreachable');
    proxy.set('forward');
    proxy.cut();
    await expect.poll(() => shipping.standing().state).toBe('connected');
    proxy.set('hold');
    const last = await write(5);
    expect(await shipping.shipped(last, 200)).toBe(false);
    expect(shipping.standing().unshipped.events).toBe(5);
    expect(shipping.standing().unshipped.oldest).not.toBeNull();
    await expect.poll(() => shipping.standing().state).toBe('unreachable');
    expect(shipping.standing().problem?.code).toBe('log.unreachable');
    proxy.set('forward');
    proxy.cut();
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    expect(shipping.standing()).toMatchObject({ state: 'connected', problem: null });
    await expectComplete({ ...settings, port: cluster.port });
  });

  test('a server without a free connection is unreachable with that reason, and used when it has one', async () => {
    const settings = await team.add('console', 'Counter 1');
    const others: Client[] = [];
    for (let isFull = false; !isFull;) {
      const other = await signIn(settings).catch(() => null);
      if (other) others.push(other);
      isFull = other === null || others.length > 500;
    }
    const shipping = ship(settings);
    await expect.poll(() => shipping.standing().problem?.details?.['cause']).toBe('53300');
    expect(shipping.standing()).toMatchObject({ state: 'unreachable', problem: { code: 'log.unreachable' } });
    const last = await write(3);
    expect(await shipping.shipped(last, 100)).toBe(false);
    for (const other of others) await other.end();
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    await expectComplete(settings);
  });

  test('the older chains of a journal are shipped too, except those of other installations', async () => {
    const settings = await team.add('console', 'Counter 1');
    const stranger = await team.add('console', 'Counter 2');
    await write(600);
    await journal.close();
    const foreign = await folder.open('console-2', { hasList: false });
    await write(3, foreign);
    const strange = ship(stranger, foreign);
    expect(await strange.shipped(2, 5_000)).toBe(true);
    await strange.close();
    await write(2, foreign);
    await foreign.close();
    journal = await folder.open('console-3', { hasList: false });
    const last = await write(5);
    const shipping = ship(settings);
    expect(await shipping.shipped(last, 5_000)).toBe(true);
    const shared = team.open(settings);
    const ends = async () =>
      Object.fromEntries(must(await shared.chainEnds()).map(({ writer, seq }) => [writer, seq]));
    await expect.poll(ends).toEqual({ 'console-1': 600, 'console-2': 3, 'console-3': 5 });
    expect(await shipping.shipped(await write(1), 5_000)).toBe(true);
    expect(must(await shared.verify()).problems).toEqual([]);
    const owners = await team.sql('SELECT name, role FROM writer ORDER BY name');
    expect(owners).toEqual([
      { name: 'console-1', role: settings.role },
      { name: 'console-2', role: stranger.role },
      { name: 'console-3', role: settings.role },
    ]);
  });

  test('two copies of one installation: the second is refused, and nothing is mixed', async () => {
    const settings = await team.add('console', 'Counter 1');
    const shipping = ship(settings);
    expect(await shipping.shipped(await write(3), 5_000)).toBe(true);
    const otherFolder = logFolder();
    closing.push(() => otherFolder.remove());
    const copy = await otherFolder.open('console-1', { hasList: false });
    await write(5, copy);
    const other = ship(settings, copy);
    await expect.poll(() => other.standing().state).toBe('refused');
    expect(other.standing().problem?.code).toBe('log.fork');
    expect(await shipping.shipped(await write(2), 5_000)).toBe(true);
    await expectComplete(settings);
  });

  test('a commit that a standby did not confirm is not acknowledged', async () => {
    const settings = await team.add('console', 'Counter 1');
    const shipping = ship(settings);
    expect(await shipping.shipped(await write(1), 5_000)).toBe(true);
    await cluster.sql("ALTER SYSTEM SET synchronous_standby_names = 'gone'");
    await cluster.sql('SELECT pg_reload_conf()');
    try {
      await expect
        .poll(() => cluster.sql('SHOW synchronous_standby_names'))
        .toEqual([{ synchronous_standby_names: 'gone' }]);
      const last = await write(3);
      expect(await shipping.shipped(last, 300)).toBe(false);
      await cluster.sql(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE usename = '${settings.role}' AND wait_event = 'SyncRep'`,
      );
      // The server now reports success, with a warning: the events are there, on one disk.
      await expect.poll(async () => (await stored()).last).toBe(last);
      expect(await shipping.shipped(last, 300)).toBe(false);
      await cluster.sql('ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.sql('SELECT pg_reload_conf()');
      expect(await shipping.shipped(last, 10_000)).toBe(true);
    } finally {
      await cluster.sql('ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.sql('SELECT pg_reload_conf()');
    }
  });

  test('a log that this program must not use is refused', async () => {
    const settings = await team.add('console', 'Counter 1');
    const [log] = await team.sql<{ id: string }>('SELECT id FROM log');
    for (const [code, change] of [
      ['log.older', 'UPDATE log SET oldest_program = 99'],
      ['log.other', `UPDATE log SET oldest_program = 1, id = '${randomUUID()}'`],
    ] as const) {
      await team.sql(change);
      const shipping = ship({ ...settings, logId: log?.id ?? null });
      await expect.poll(() => shipping.standing().problem?.code).toBe(code);
      expect(shipping.standing().state).toBe('refused');
    }
  });

  test('kill -9 of PostgreSQL under load loses nothing that was acknowledged and doubles nothing', async () => {
    const settings = await team.add('intake', 'Intake');
    const shipping = ship(settings);
    let acknowledged = 0;
    const load = { isOver: false };
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!load.isOver) {
          const number = await write(1);
          if (await shipping.shipped(number, 2_000)) acknowledged = Math.max(acknowledged, number);
        }
      }),
    );
    for (let kills = 0; kills < 3; kills += 1) {
      const before = acknowledged;
      await expect.poll(() => acknowledged).toBeGreaterThan(before + 20);
      await cluster.kill();
      const promised = acknowledged;
      await cluster.start();
      expect((await stored()).last).toBeGreaterThanOrEqual(promised);
    }
    load.isOver = true;
    await writing;
    expect(await shipping.shipped(await write(1), 10_000)).toBe(true);
    await expectComplete(settings);
  }, 60_000);

  test('events that a restored backup of the computer lacks are fetched back from the shared log', async () => {
    const settings = await team.add('console', 'Counter 1');
    must(
      await journal.append([
        requested(0, { customer: { name: 'Jörg', email: 'j@example.com' } }),
        accepted(),
      ]),
    );
    const backup = logFolder();
    closing.push(() => backup.remove());
    must((await journal.files?.copyTo(backup.file)) ?? { ok: true, value: { bytes: 0 } });
    must(await journal.append([callback(60_000, 'sale', 'success')]));
    const last = await write(700);
    const first = ship(settings);
    expect(await first.shipped(last, 10_000)).toBe(true);
    await first.close();

    const restored = await backup.open('console-1', { hasList: false });
    expect((await restored.chainEnds())[0]?.seq).toBe(2);
    let fetched = 0;
    const shipping = startShipping({
      journal: restored,
      clock: Date.now,
      shared: team.open(settings),
      onRestored: count => (fetched = count),
    });
    closing.push(() => shipping.close());
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    expect(fetched).toBe(last - 2);
    expect(await restored.chainEnds()).toEqual(await journal.chainEnds());
    expect(await restored.events('sandbox', order.number)).toEqual(
      await journal.events('sandbox', order.number),
    );
    expect((await restored.verify()).problems).toEqual([]);
    expect(await shipping.shipped(await write(1, restored), 5_000)).toBe(true);
  });
});
