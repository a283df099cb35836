import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { openQuarantine, storeDelivery } from '../../../main/callbacks/store/store-callback.ts';
import type { Delivery } from '../../../main/callbacks/receiver.ts';
import { logFailure } from '../../../main/payment-log/log-failures.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { ok } from '../../../shared/errors.ts';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, invalid, requested, start } from '../../../tools/evidence/evidence.ts';
import { openForWriting, type LogDatabase } from '../../../main/payment-log/sqlite/store/database.ts';
import { schema } from '../../../main/payment-log/sqlite/store/journal-tables.ts';
import { logWriter, type LogWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

/** What others can add to one order, in a journal in memory. */

let journal: LogDatabase;
let writer: LogWriter;
const restart = (): void => {
  writer = logWriter(journal, 'console-1', Date.now);
};
beforeEach(() => {
  journal = new Database(':memory:');
  journal.exec(schema);
  restart();
});
afterEach(() => journal.close());

/** Appends each alone; returns the number of successful answers, and of those that stored an event. */
const send = (drafts: readonly EventDraft[]): { answered: number; written: number } => {
  const results = writer.write(drafts.map(draft => [draft]));
  return {
    answered: results.filter(({ ok }) => ok).length,
    written: results.filter(result => result.ok && !result.value.isOmitted).length,
  };
};
const many = (count: number, make: (index: number) => EventDraft): EventDraft[] =>
  Array.from({ length: count }, (_, index) => make(index));
const variant = (index: number, text = '') =>
  callback(index, 'sale', 'success', { custom: `${index}${text}` });

test('variants of one signed callback are stored up to a number; new information is always stored', () => {
  expect(send(many(1_100, variant))).toEqual({ answered: 1_000, written: 1_000 });
  const [refused] = writer.write([[variant(2_000)]]);
  expect(refused).toMatchObject({ ok: false, error: { code: 'receiver.quarantine-full' } });
  const genuine = [
    callback(3_000, 'refund', 'success'),
    callback(4_000, 'chargeback', 'success'),
    callback(5_000, 'sale', 'success', { order_amount: '5.00' }),
  ];
  expect(send(genuine)).toEqual({ answered: 3, written: 3 });
  restart();
  expect(send([variant(2_001)])).toEqual({ answered: 0, written: 0 });
  expect(send([callback(6_000, 'void', 'success')])).toEqual({ answered: 1, written: 1 });
});

test('further refunds and unknown words are stored when an order is full, up to a second number', () => {
  const refund = (rrn: string, date = '2026-02-01') => callback(3_000, 'refund', 'success', { rrn, date });
  send(many(1_100, variant));
  expect(send([refund('1'), refund('2'), refund('2', '2026-02-02')])).toEqual({
    answered: 3,
    written: 3,
  });
  expect(send([callback(0, 'settlement', 'success'), callback(0, 'sale', 'held')])).toEqual({
    answered: 2,
    written: 2,
  });
  expect(send(many(300, index => refund(`n-${index}`)))).toEqual({ answered: 196, written: 196 });
  restart();
  expect(send([refund('after a restart'), callback(0, 'other', 'success')])).toEqual({
    answered: 0,
    written: 0,
  });
  // Only the parameters that no signature covers are limited.
  expect(send([callback(0, 'chargeback', 'success')])).toEqual({ answered: 1, written: 1 });
});

test('refunds that an order has room for do not take the room of later ones', () => {
  const refund = (index: number) => callback(index, 'refund', 'success', { rrn: String(index) });
  expect(send(many(1_000, refund))).toEqual({ answered: 1_000, written: 1_000 });
  restart();
  expect(send([refund(2_000), refund(2_001)])).toEqual({ answered: 2, written: 2 });
});

test('variants of one signed callback are stored up to a number of bytes', () => {
  const long = 'x'.repeat(60_000);
  const { written } = send(many(100, index => variant(index, long)));
  expect(written).toBeGreaterThan(50);
  expect(written).toBeLessThan(75);
});

test('unverified callbacks of one order do not block its verified ones', () => {
  const forged = many(1_100, index => callback(index, 'sale', 'success', { rrn: String(index) }, invalid));
  expect(send(forged)).toEqual({ answered: 1_000, written: 1_000 });
  expect(send([callback(9_000, 'sale', 'success')])).toEqual({ answered: 1, written: 1 });
});

test('the same callback delivered repeatedly is acknowledged, and stored as often as it counts', () => {
  const { answered, written } = send(many(800, index => callback(index, 'sale', 'success')));
  expect({ answered, written }).toEqual({ answered: 800, written: 500 });
});

test('a full order affects no other order, nor what an agent adds to it', () => {
  send(many(1_001, variant));
  const other = { orderNumber: 'CF-1002' };
  const elsewhere = callback(0, 'sale', 'success', { order_number: 'CF-1002' }, undefined, other);
  expect(send([elsewhere])).toEqual({ answered: 1, written: 1 });
  const pasted = variant(5_000);
  pasted.body.via = 'paste';
  expect(send([pasted])).toEqual({ answered: 1, written: 1 });
});

test('a repeated unverified callback that is not stored again takes no room in the quarantine', async () => {
  const file = join(newFolder('quarantine'), 'quarantine.json');
  const quarantine = openQuarantine(
    file,
    () => 600,
    Date.now,
    () => undefined,
  );
  const delivery: Delivery = {
    profileId: 'sandbox',
    fields: [
      ['order_number', 'CF-1001'],
      ['type', 'sale'],
      ['status', 'success'],
    ],
    form: 'urlencoded',
    arrivedAt: start,
    sender: '192.0.2.1',
  };
  const verified = { verification: invalid, refundAmount: undefined };
  const append: PaymentLog['append'] = async drafts => {
    const { duplicates, isOmitted, ...place } = must(
      writer.write([[...drafts]])[0] ?? logFailure('log.unavailable'),
    );
    const written = drafts.map((draft): Event => ({ ...draft, ...place, writer: 'console-1' }));
    return ok({ events: isOmitted ? [] : written, duplicates });
  };
  for (let time = 0; time < 800; time += 1)
    expect(await storeDelivery(delivery, verified, { log: { append }, quarantine })).toMatchObject({
      ok: true,
    });
  expect(quarantine.state()).toMatchObject({ callbacks: 500 });
  quarantine.close();
});

describe('erasing many', () => {
  /** Erasing the details of many orders, such as a customer's, in one call. */

  const used = useLog('test', { isClosed: true });

  const orders = Array.from({ length: 1_500 }, (_, index) => `E-${index}`);
  const draft = (orderNumber: string): EventDraft =>
    requested(
      0,
      {
        customer: { name: `Zoë Quist ${orderNumber}`, email: `${orderNumber}@example.com` },
        idempotencyKey: crypto.randomUUID(),
      },
      { orderNumber },
    );

  test('the search index is merged once for many orders, after batches in their order', async () => {
    await writeClosedLog(used.folder.file, orders.map(draft));
    const opened = must(openForWriting(used.folder.file));
    const writer = logWriter(opened, 'console-1', Date.now);
    /** The steps of an erasure, and the orders of each. */
    const erase = (orderNumbers: readonly string[]): (string | null)[][] => {
      const steps: (string | null)[][] = [];
      const erasure = { reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers } as const;
      for (let step; (step = writer.erase(erasure));)
        steps.push(step.drafts.map(({ orderNumber }) => orderNumber));
      return steps;
    };
    const mergesOfOne = erase(orders.slice(0, 1)).length - 1;
    const wanted = orders.slice(500, 800).toReversed();
    const steps = erase(wanted);
    expect(steps.flat()).toEqual(wanted);
    const batches = steps.filter(step => step.length > 0);
    expect(batches.map(step => step.length)).toEqual([100, 100, 100]);
    expect(steps.length - batches.length).toBeLessThanOrEqual(2 * mergesOfOne + 2);
    opened.close();
  });

  test('an erasure that is ended leaves the later orders whole, and nothing of the earlier ones', async () => {
    await writeClosedLog(used.folder.file, orders.slice(0, 300).map(draft));
    const log = await used.folder.open();
    const controller = new AbortController();
    const done: string[] = [];
    const erasure = { reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: orders } as const;
    const ended = await log.erase(erasure, {
      onErased: numbers => {
        done.push(...numbers);
        controller.abort();
      },
      signal: controller.signal,
    });
    expect(ended).toEqual({ ok: true, value: { payments: 100 } });
    expect(done).toEqual(orders.slice(0, 100));
    expect((await log.payment('sandbox', 'E-99'))?.customer).toEqual({ name: '', email: '' });
    expect((await log.payment('sandbox', 'E-100'))?.customer).toMatchObject({ email: 'E-100@example.com' });
    expect(await log.erase(erasure)).toEqual({ ok: true, value: { payments: 200 } });
    expect((await log.verify()).problems).toEqual([]);
  });

  test('Evidence from a day with a wrong clock is erased as soon as other evidence', () => {
    const opened = must(openForWriting(used.folder.file));
    const day = 86_400_000;
    let now = start;
    const writer = logWriter(opened, 'console-1', () => now);
    const write = (orderNumber: string, at: number): void => {
      now = at;
      writer.write([[{ ...draft(orderNumber), happenedAt: at }]]);
    };
    write('before', start);
    // For one hour, the clock is more than a year ahead.
    write('ahead', start + 400 * day);
    write('right again', start + day);
    write('later', start + 50 * day);
    now = start + 60 * day;
    const before = now - 30 * day;
    for (let erased; (erased = writer.erase({ reason: 'retention', agent: 'console', before })) !== null;)
      expect(erased).toBeDefined();
    const left = opened
      .prepare(
        `SELECT p.order_number FROM personal s JOIN event e ON e.seq = s.event JOIN payment p ON p.id = e.payment`,
      )
      .pluck()
      .all();
    opened.close();
    expect(left).toEqual(['later']);
  });
});
