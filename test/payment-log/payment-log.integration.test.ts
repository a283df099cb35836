import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { useLog } from '../../tools/app-harness/use-log.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  again,
  callback,
  hour,
  invalid,
  lookUp,
  note,
  order,
  requested,
  start,
  unanswered,
} from '../../tools/evidence/evidence.ts';
import { filter } from '../../tools/app-harness/running-payment-log.ts';
import { everyListed } from './port/every-row.ts';

/** The profile of the drafts. Tests that share a log have different ones. */
let profile = 'sandbox';

const withProfile = (draft: EventDraft): EventDraft =>
  draft.profileId === 'sandbox' ? { ...draft, profileId: profile } : draft;
const minute = 60_000;
const sale = (): EventDraft => callback(minute, 'sale', 'success');

/** A small shop with `n` orders: every third is paid, every fifth declined, the others waiting. */
const shop = (n: number): EventDraft[] => {
  const drafts: EventDraft[] = [];
  for (let index = 0; index < n; index += 1) {
    const orderNumber = `S-${String(index).padStart(4, '0')}`;
    const currency = index % 2 === 0 ? 'EUR' : 'USD';
    const profileId = index % 4 === 0 ? 'shop' : 'hotel';
    const amount = `${index + 1}.50`;
    const frame = { profileId, orderNumber };
    const at = index * hour;
    drafts.push(requested(at, { amount, currency }, frame), accepted(at + 500, {}, frame));
    const terms = {
      order_number: orderNumber,
      order_amount: amount,
      order_currency: currency,
      id: randomUUID(),
    };
    if (index % 3 === 0) drafts.push(callback(at + 1_000, 'sale', 'success', terms, undefined, frame));
    else if (index % 5 === 0) drafts.push(callback(at + 1_000, 'sale', 'fail', terms, undefined, frame));
  }
  return drafts;
};

const numbersOf = (page: { rows: readonly { orderNumber: string }[] }): string[] =>
  page.rows.map(({ orderNumber }) => orderNumber);

describe('a log', () => {
  const used = useLog('file');
  const append = (...drafts: EventDraft[]) => used.append(...drafts.map(withProfile));
  beforeEach(() => {
    profile = randomUUID();
  });
  afterAll(() => {
    profile = 'sandbox';
  });

  const recentCallbacks = async (limit: number): Promise<Event[]> =>
    (await used.log.recentCallbacks(limit)).filter(({ profileId }) => profileId === profile);

  test('acknowledged events are there when the log is opened again, byte for byte', async () => {
    const drafts = [
      requested(0, { customer: { name: 'Jörg Müller', email: 'jm@example.com' } }),
      accepted(),
      sale(),
      lookUp(2 * minute, 'settled'),
      note(3 * minute, 'Called back 🙂\u0000 done'),
    ];
    const written = await append(...drafts);
    await used.log.close();
    await used.reopen();
    const read = await used.log.events(profile, order.number);
    expect(read).toEqual(written.events);
    expect(
      read.map(({ recordedAt: _recordedAt, writer: _writer, writerSeq: _seq, ...draft }) => draft),
    ).toEqual(drafts.map(withProfile));
    expect(await used.log.payment(profile, order.number)).toEqual(reducePayment(written.events));
  });

  test('events contain their writer and their position in the writer’s chain', async () => {
    const { events: before } = await append(requested());
    const { events } = await append(accepted(), sale());
    const last = before[0]?.writerSeq ?? 0;
    expect(events.map(({ writer, writerSeq }) => [writer, writerSeq])).toEqual([
      ['console-1', last + 1],
      ['console-1', last + 2],
    ]);
  });

  test('known evidence that is delivered again is stored and reported as a duplicate', async () => {
    const one = sale();
    expect((await append(one, again(one, hour))).duplicates).toEqual([false, true]);
    expect((await append(again(one, 2 * hour), note(0, 'x'))).duplicates).toEqual([true, false]);
    expect(await used.log.events(profile, order.number)).toHaveLength(4);
    expect(await used.log.hasEvent(profile, one.orderNumber, one.dedupeKey ?? '')).toBe(true);
    expect(await used.log.hasEvent(profile, one.orderNumber, 'callback never seen')).toBe(false);
  });

  test('many parallel appends each return their own events', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => used.log.append([withProfile(note(index, `note ${index}`))])),
    );
    const texts = answers.map(answer =>
      answer.ok && answer.value.events[0]?.kind === 'note.added' ? answer.value.events[0].body.text : '',
    );
    expect(texts).toEqual(Array.from({ length: 300 }, (_, index) => `note ${index}`));
    expect((await used.log.verify()).problems).toEqual([]);
  });

  test('the same order number under two profiles is two payments', async () => {
    await append(requested(), requested(0, { amount: '9.00' }, { profileId: `${profile}-live` }));
    expect((await used.log.payment(profile, order.number))?.amount).toBe('123.40');
    expect((await used.log.payment(`${profile}-live`, order.number))?.amount).toBe('9.00');
    for (const profileId of [profile, `${profile}-live`])
      expect((await used.log.list(filter({ profileId }), null, 10)).rows).toHaveLength(1);
  });

  test('a callback without an order number is stored without a payment', async () => {
    const { events } = await append({ ...sale(), orderNumber: null });
    expect(await recentCallbacks(5)).toEqual(events);
    expect((await used.log.list(filter({ profileId: profile }), null, 10)).rows).toEqual([]);
  });

  test('listeners get every durable append with its payments, until they unsubscribe', async () => {
    const emitted: unknown[] = [];
    const leave = used.log.onChange((payments, events) => emitted.push([payments, events.length]));
    await append(requested(), accepted());
    leave();
    await append(sale());
    expect(emitted).toEqual([[[{ profileId: profile, orderNumber: order.number }], 2]]);
  });

  test('a row of the list contains no link', async () => {
    await append(requested(), accepted());
    const { rows } = await used.log.list(filter({ profileId: profile }), null, 10);
    expect(JSON.stringify(rows)).not.toContain('https://pay.example/auth/');
    expect(rows[0]).toMatchObject({ orderNumber: order.number, expiresAt: start + 500 + hour });
  });
});

describe('a new log', () => {
  const used = useLog();
  const append = (...drafts: EventDraft[]) => used.append(...drafts.map(withProfile));

  test('after a log is closed, writing and reading report that it is not available', async () => {
    await used.log.close();
    expect(await used.log.append([note(0, 'late')])).toMatchObject({
      ok: false,
      error: { code: 'log.unavailable' },
    });
    await expect(used.log.payment('sandbox', order.number)).rejects.toMatchObject({
      error: { code: 'log.unavailable' },
    });
  });

  test('pages of payments continue each other, newest first, without a gap or repetition', async () => {
    await append(...shop(45));
    const rows = await everyListed(used.log, filter({}), 10);
    expect(numbersOf({ rows })).toEqual(
      Array.from({ length: 45 }, (_, index) => `S-${String(44 - index).padStart(4, '0')}`),
    );
  });

  test('filters of the list return exactly the rows that match, alone and together', async () => {
    await append(...shop(60));
    const all = (await used.log.list(filter({}), null, 200)).rows;
    const expectSame = async (
      wanted: Parameters<typeof filter>[0],
      holds: (row: (typeof all)[number]) => boolean,
    ): Promise<void> => {
      const expected = all.filter(holds).map(({ orderNumber }) => orderNumber);
      expect(numbersOf(await used.log.list(filter(wanted), null, 200))).toEqual(expected);
      const first = await used.log.list(filter(wanted), null, 3);
      expect(numbersOf(first)).toEqual(expected.slice(0, 3));
      const rest = first.next === null ? [] : numbersOf(await used.log.list(filter(wanted), first.next, 200));
      expect([...numbersOf(first), ...rest]).toEqual(expected);
    };
    await expectSame({ states: ['paid-unconfirmed'] }, row => row.state === 'paid-unconfirmed');
    await expectSame({ states: ['paid-unconfirmed', 'declined'] }, row => row.state !== 'waiting');
    await expectSame({ currency: 'USD' }, row => row.currency === 'USD');
    await expectSame({ profileId: 'shop' }, row => row.profileId === 'shop');
    await expectSame({ profileId: 'shop', currency: 'USD' }, () => false);
    await expectSame(
      { profileId: 'hotel', states: ['declined'], currency: 'EUR' },
      row => row.profileId === 'hotel' && row.state === 'declined' && row.currency === 'EUR',
    );
    const from = start + 10 * hour;
    const until = start + 30 * hour;
    await expectSame({ from, until }, row => row.firstAt >= from && row.firstAt < until);
    await expectSame({ from, states: ['declined'] }, row => row.firstAt >= from && row.state === 'declined');
    await expectSame({ words: '2.50' }, row => row.amount?.endsWith('2.50') === true);
  });

  test('an expired link is listed and counted as expired, though no event was written', async () => {
    // Old evidence with expired links; one link created just now is still valid.
    const longAgo = Date.UTC(2020, 0, 1) - start;
    const now = Date.now() - start;
    const frames = ['old-1', 'old-2', 'fresh'].map(orderNumber => ({ orderNumber }));
    for (const [index, frame] of frames.entries()) {
      const at = index < 2 ? longAgo : now;
      await append(requested(at, {}, frame), accepted(at, {}, frame));
    }
    expect(numbersOf(await used.log.list(filter({ states: ['expired'] }), null, 10))).toEqual([
      'old-2',
      'old-1',
    ]);
    expect(numbersOf(await used.log.list(filter({ states: ['waiting'] }), null, 10))).toEqual(['fresh']);
    expect(numbersOf(await used.log.list(filter({ states: ['waiting', 'expired'] }), null, 10))).toHaveLength(
      3,
    );
    expect((await used.log.counts(null)).states).toEqual({ expired: 2, waiting: 1 });
  });

  test('flags of payments can be filtered and are counted', async () => {
    await append(requested(), accepted(), sale());
    await append(
      callback(minute, 'sale', 'success', { order_number: 'W-1' }, invalid, { orderNumber: 'W-1' }),
    );
    expect(numbersOf(await used.log.list(filter({ flags: ['unverified-evidence'] }), null, 10))).toEqual([
      'W-1',
    ]);
    expect(
      numbersOf(await used.log.list(filter({ flags: ['unverified-evidence', 'settled-twice'] }), null, 10)),
    ).toEqual(['W-1']);
    expect(numbersOf(await used.log.list(filter({ flags: ['settled-twice'] }), null, 10))).toEqual([]);
    expect(await used.log.counts(null)).toEqual({
      states: { 'paid-unconfirmed': 1, 'outcome-unknown': 1 },
      retryable: 0,
      currencies: { EUR: 2 },
      flagged: 1,
    });
  });

  test('running counts include every change of state, for each profile', async () => {
    await append(requested(), unanswered());
    expect((await used.log.counts(null)).states).toEqual({ 'outcome-unknown': 1 });
    await append(sale());
    expect((await used.log.counts(null)).states).toEqual({ 'paid-unconfirmed': 1 });
    await append(lookUp(hour, 'settled'));
    expect((await used.log.counts('sandbox')).states).toEqual({ 'paid-confirmed': 1 });
    expect((await used.log.counts('other')).states).toEqual({});
  });
});

describe('one console at a time', () => {
  const used = useLog();
  const append = (...drafts: EventDraft[]) => used.append(...drafts.map(withProfile));

  test('a second console on the same file gets an error that the log is in use', async () => {
    const second = await openPaymentLog({ file: used.folder.file, writer: 'console-2' });
    expect(second).toMatchObject({ ok: false, error: { code: 'log.busy' } });
    expect((await append(note(0, 'still mine'))).events).toHaveLength(1);
  });

  test('after one console has closed the log another can write, with a chain beside the first', async () => {
    await append(requested());
    await used.log.close();
    await used.reopen('console-2');
    const { events } = await append(accepted());
    expect(events[0]).toMatchObject({ writer: 'console-2', writerSeq: 1 });
    expect(await used.log.verify()).toEqual({ events: 2, payments: 1, problems: [] });
  });
});

describe('acknowledged evidence', () => {
  const used = useLog();
  const append = (...drafts: EventDraft[]) => used.append(...drafts.map(withProfile));

  test('acknowledged evidence is in the next list, count and reconciliation queue', async () => {
    for (let index = 1; index <= 40; index += 1) {
      const orderNumber = `R-${index}`;
      await append(callback(minute, 'chargeback', 'success', {}, undefined, { orderNumber }));
      const [page, counted, queue] = await Promise.all([
        used.log.list(filter({}), null, 50),
        used.log.count(filter({})),
        used.log.reconcile(null, null, null, 50),
      ]);
      expect(numbersOf(page)).toContain(orderNumber);
      expect(counted.count).toBe(index);
      expect(queue.rows).toHaveLength(index);
    }
  });
});

describe('a flood of evidence', () => {
  const used = useLog();

  test('a list that is read too early is followed by a change as soon as it is complete', async () => {
    const file = join(used.folder.file, '..', 'hasty.db');
    const opened = await openPaymentLog({ file, writer: 'console-1', timeoutMs: 0 });
    if (!opened.ok) throw new Error(opened.error.code);
    const hasty = opened.value;
    const drafts = Array.from({ length: 5_000 }, (_, at) =>
      note(0, 'Will call back', { orderNumber: `H-${at}` }),
    );
    let shown = 0;
    const read = async (): Promise<void> => {
      shown = (await hasty.count(filter({}))).count;
    };
    let isUnnamed = false;
    hasty.onChange(payments => {
      isUnnamed ||= payments === null;
      void read();
    });
    await hasty.append(drafts);
    await expect.poll(() => shown).toBe(5_000);
    // They are too many to name, so each window reads everything again.
    expect(isUnnamed).toBe(true);
    await hasty.close();
  });
});
