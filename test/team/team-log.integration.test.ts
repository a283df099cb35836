import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { listFileOf } from '../../main/payment-log/sqlite/list/list-file.ts';
import type { PaymentPage } from '../../shared/contract/contract.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { filter, logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, draft, note, requested } from '../../tools/evidence/evidence.ts';
import { operationRequested } from '../../tools/evidence/operation-evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import type { Proxy } from '../../tools/postgres-harness/proxy.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import type { Installation } from '../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

/** The payment log of an installation in a team: all payments, with and without a connection. */

describe.skipIf(isPostgresMissing)('the payment log of a team (needs PostgreSQL)', () => {
  const { team, closing, install, proxied } = useTeam();
  let proxy: Proxy;
  let one: Installation;
  let other: Installation;

  beforeEach(async () => {
    proxy = await proxied();
    const settings = await team.add('console', 'Counter 1', proxy.port);
    one = await install('console-1', { settings, waitMs: 5_000 });
    other = await install('console-2', { waitMs: 5_000 });
    closing.push(() => {
      proxy.set('forward');
      proxy.cut();
    });
    for (const { shipping } of [one, other])
      await expect.poll(() => shipping.standing().state).toBe('connected');
  });

  const numbersOf = ({ rows }: PaymentPage): string[] => rows.map(({ orderNumber }) => orderNumber);
  const list = async (of: Installation): Promise<string[]> =>
    numbersOf(await of.log.list(filter({}), null, 50));
  const append = async (of: Installation, ...drafts: EventDraft[]): Promise<void> => {
    must(await of.log.append(drafts));
  };

  /** Opens the payment log of an installation again, without a connection. */
  const reopened = async ({ file, followed }: Installation, writer: string): Promise<PaymentLog> =>
    must(await openPaymentLog({ file, writer, timeoutMs: 5_000, followed }));

  test('the payment log of a team shows at once what was written here, and what others wrote', async () => {
    for (const orderNumber of ['CF-1', 'CF-2', 'CF-3']) {
      await append(one, requested(0, {}, { orderNumber }));
      expect((await list(one))[0]).toBe(orderNumber);
      expect(await one.log.count(filter({ words: orderNumber }))).toEqual({ count: 1, more: false });
    }
    await append(one, accepted(1), callback(2, 'sale', 'success'));
    await append(other, note(3, 'The customer called'), requested(4, {}, { orderNumber: 'CF-4' }));
    await other.level();
    expect(await list(other)).toEqual(['CF-4', 'CF-1001', 'CF-3', 'CF-2', 'CF-1']);
    await expect.poll(() => list(one)).toContain('CF-4');
    const { events } = await one.log.eventPage('sandbox', 'CF-1001', null);
    expect(events.map(({ writer, kind }) => [writer, kind])).toEqual([
      ['console-1', 'session.accepted'],
      ['console-1', 'callback.received'],
      ['console-2', 'note.added'],
    ]);
    expect(await one.log.payment('sandbox', 'CF-1001')).toEqual(
      await other.log.payment('sandbox', 'CF-1001'),
    );
    expect((await one.log.notesSince(null, 0, 5)).map(({ writer }) => writer)).toEqual(['console-2']);
    // One connection writes, one follows.
    const names = await team.sql<{ name: string }>(
      `SELECT application_name AS name FROM pg_stat_activity
       WHERE usename = (SELECT role FROM writer WHERE name = 'console-2') ORDER BY 1`,
    );
    expect(names.map(({ name }) => name)).toEqual(['counterfoil follow', 'counterfoil write']);
  });

  test('the payment log of a team continues with all payments while the network is cut, and with those of others afterwards', async () => {
    const orders = ['CF-1', 'CF-2', 'CF-3'];
    for (const orderNumber of orders) await append(other, requested(0, {}, { orderNumber }));
    await expect.poll(() => list(one)).toEqual(['CF-3', 'CF-2', 'CF-1']);
    const first = await one.log.list(filter({}), null, 2);
    expect(numbersOf(first)).toEqual(['CF-3', 'CF-2']);
    proxy.set('hold');
    await append(one, requested(0, {}, { orderNumber: 'CF-OWN' }));
    await append(other, requested(0, {}, { orderNumber: 'CF-ELSEWHERE' }));
    expect(await list(one)).toEqual(['CF-OWN', 'CF-3', 'CF-2', 'CF-1']);
    expect((await one.log.payment('sandbox', 'CF-OWN'))?.orderNumber).toBe('CF-OWN');
    expect((await one.log.payment('sandbox', 'CF-1'))?.orderNumber).toBe('CF-1');
    expect(numbersOf(await one.log.list(filter({}), first.next, 2))).toEqual(['CF-1']);
    proxy.set('forward');
    proxy.cut();
    await expect.poll(() => list(one)).toHaveLength(5);
    expect(numbersOf(await one.log.list(filter({}), first.next, 2))).toEqual(['CF-1']);
  }, 40_000);

  test('the payment log of a team has all payments after a restart without a connection, and says up to when', async () => {
    await append(other, requested(0, {}, { orderNumber: 'CF-1' }));
    await expect.poll(() => list(one)).toEqual(['CF-1']);
    await expect.poll(() => one.list.standing().others?.levelAt ?? null).not.toBeNull();
    await one.shipping.close();
    await one.log.close();
    const log = await reopened(one, 'console-1');
    await append({ ...one, log }, requested(0, {}, { orderNumber: 'CF-OWN' }));
    expect(numbersOf(await log.list(filter({}), null, 5))).toEqual(['CF-OWN', 'CF-1']);
    const standing = log.paymentList?.standing().others;
    expect(standing).toMatchObject({ isConnected: false, isLevel: false });
    expect(standing?.levelAt).toBeGreaterThan(Date.now() - 60_000);
    await log.close();
  });

  test('2,000 events of a day without a connection arrive in order, once, and the list of others shows them', async () => {
    proxy.set('hold');
    await append(other, requested(0, {}, { orderNumber: 'ELSEWHERE-1' }));
    for (let number = 0; number < 1_000; number += 250)
      await append(
        one,
        ...Array.from({ length: 250 }, (_, at) => ({ orderNumber: `DAY-${number + at}` })).flatMap(order => [
          requested(0, {}, order),
          accepted(1, {}, order),
        ]),
      );
    proxy.set('forward');
    proxy.cut();
    expect(await one.shipping.shipped(2_000, 20_000)).toBe(true);
    const stored = await team.sql<{ events: string; orders: string; isOrdered: boolean }>(
      `SELECT count(*) AS events, count(DISTINCT e.order_number) AS orders,
         bool_and(e.writer_seq = e.place) AS "isOrdered"
       FROM (SELECT *, row_number() OVER (ORDER BY recorded_at, writer_seq) AS place FROM event
             WHERE writer = (SELECT id FROM writer WHERE name = 'console-1')) e`,
    );
    expect(stored).toEqual([{ events: '2000', orders: '1000', isOrdered: true }]);
    await other.level();
    expect(await other.log.count(filter({}))).toEqual({ count: 1_001, more: false });
    expect(await other.log.count(filter({ words: 'DAY-777' }))).toEqual({ count: 1, more: false });
    expect(must(await other.shared.verify()).problems).toEqual([]);
  });

  test('the payment log of a team continues after one of its threads has ended, and shows what a journal has fetched back', async () => {
    await other.write(requested(0, {}, { orderNumber: 'CF-1' }));
    await expect.poll(() => list(other)).toEqual(['CF-1']);
    const folder = logFolder();
    closing.push(() => folder.remove());
    const restored = await folder.open('console-2');
    must(await restored.ownChain.restore(await other.log.ownChain.events(0, 10)));
    await expect.poll(async () => numbersOf(await restored.list(filter({}), null, 5))).toEqual(['CF-1']);
    await other.shipping.close();
    await other.log.close();
    const started: Worker[] = [];
    const note = (message: unknown): void => void started.push((message as { worker: Worker }).worker);
    subscribe('worker_threads', note);
    const log = await reopened(other, 'console-2');
    unsubscribe('worker_threads', note);
    // The writer of the journal, that of the list, and the reader of both.
    expect(started).toHaveLength(3);
    await started[1]?.terminate();
    await append({ ...other, log }, requested(1, {}, { orderNumber: 'CF-2' }));
    const listed = async () => numbersOf(await log.list(filter({}), null, 5));
    await expect.poll(() => listed().catch(() => [])).toEqual(['CF-2', 'CF-1']);
    await log.close();
  });

  /** Every read of evidence sees own events at once, for any state of the list. */
  describe('while the list cannot be written', () => {
    let writing: InstanceType<typeof Database>;
    beforeEach(async () => {
      await append(
        other,
        requested(0, {}, { orderNumber: 'CF-1' }),
        note(1, 'Of the other', { orderNumber: 'CF-1' }),
      );
      await expect.poll(() => list(one)).toEqual(['CF-1']);
      writing = new Database(listFileOf(one.file));
      writing.exec('BEGIN IMMEDIATE');
    });
    afterEach(() => writing.close());

    test('a payment that was just created has its history, and pages of an order miss no own event', async () => {
      const custom = 'x'.repeat(60_000);
      await append(one, requested(0), accepted(1));
      const { events: history } = await one.log.eventPage('sandbox', 'CF-1001', null);
      expect(history.map(({ kind }) => kind)).toEqual(['session.requested', 'session.accepted']);
      await append(
        one,
        ...Array.from({ length: 40 }, (_, at) =>
          callback(at, 'sale', 'success', { custom: `${at}${custom}` }),
        ),
      );
      const read = new Set<string>();
      for (let before: string | null = null; ;) {
        const { events, earlier } = await one.log.eventPage('sandbox', 'CF-1001', before);
        for (const { id } of events) read.add(id);
        if (earlier === null) break;
        before = earlier;
      }
      expect(read.size).toBe(42);
      expect((await one.log.payment('sandbox', 'CF-1001'))?.state).toBe('paid-unconfirmed');
      expect(await one.log.change('sandbox', 'CF-1001', { writer: 'console-1', writerSeq: 3 })).toMatchObject(
        {
          payment: { state: 'paid-unconfirmed' },
          previousState: 'waiting',
        },
      );
    });

    test('limits, notes, callbacks, activities and records of orders contain what was just written, and that of others', async () => {
      await append(
        one,
        note(2, 'Own', { orderNumber: 'CF-1' }),
        requested(3),
        callback(4, 'sale', 'success'),
        operationRequested(5),
        draft(
          'activity.recorded',
          6,
          { action: 'log-rebuilt', details: {} },
          { profileId: '', orderNumber: null },
        ),
      );
      const { log } = one;
      expect((await log.notesSince(null, 0, 5)).map(({ body }) => body.text).toSorted()).toEqual([
        'Of the other',
        'Own',
      ]);
      expect(await log.operationsSince(0)).toHaveLength(1);
      expect(await log.recentCallbacks(5)).toHaveLength(1);
      expect((await log.callbackTypes('sandbox')).types).toMatchObject([{ type: 'sale', count: 1 }]);
      expect((await log.recentGatewayActivity('sandbox')).verified).not.toBeNull();
      expect((await log.activities({ person: null, group: null }, null, 5)).events).toHaveLength(1);
      expect(await log.orderRecord('sandbox', 'CF-1001')).toMatchObject({ amount: '123.40' });
      expect(await log.proof('sandbox', 'CF-1')).toHaveLength(3);
      expect(await log.events('sandbox', 'CF-1')).toHaveLength(3);
      const [{ writer } = { writer: '' }] = await log.proof('sandbox', 'CF-1');
      expect(writer).toBe('console-2');
    });
  });
});
