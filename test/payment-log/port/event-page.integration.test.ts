import { beforeEach, describe, expect, test } from 'vitest';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import {
  accepted,
  callback,
  hour,
  invalid,
  note,
  requested,
  start,
  verified,
} from '../../../tools/evidence/evidence.ts';
import { everyPage } from './every-row.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

const used = useLog('file');

const pagesOf = async (orderNumber: string): Promise<Event[][]> => {
  const pages: Event[][] = [];
  for (let before: string | null = null; ;) {
    const { events, earlier } = await used.log.eventPage('sandbox', orderNumber, before);
    pages.push([...events]);
    if (earlier === null) return pages;
    before = earlier;
  }
};

test('all evidence of an order is returned in pages, newest first, each event once, with its requests', async () => {
  await used.append(requested(0), accepted(500));
  await used.append(...Array.from({ length: 700 }, (_, index) => note(1_000 + index, `note ${index}`)));
  const pages = await pagesOf('CF-1001');
  expect(pages.map(({ length }) => length)).toEqual([202, 200, 200, 102]);
  expect(pages[0]?.slice(0, 2).map(({ kind }) => kind)).toEqual(['session.requested', 'session.accepted']);
  const all = (await used.log.events('sandbox', 'CF-1001')).map(({ id }) => id);
  expect(new Set(pages.flat().map(({ id }) => id))).toEqual(new Set(all));
  expect(
    pages
      .toReversed()
      .flatMap(page => page.map(({ id }) => id))
      .filter((id, at, ids) => ids.indexOf(id) === at),
  ).toEqual(all);
});

test('a page is limited in text, and a long value is cut and followed by its length', async () => {
  const long = 'x'.repeat(60_000);
  const orderNumber = 'CF-1002';
  await used.append(
    ...Array.from({ length: 40 }, (_, at) => ({
      ...callback(at, 'sale', 'success', { custom: `${at}${long}` }),
      orderNumber,
    })),
  );
  const pages = await pagesOf(orderNumber);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flat()).toHaveLength(40);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
  const [event] = pages.at(-1) ?? [];
  const custom =
    event?.kind === 'callback.received' ? event.body.fields.find(([name]) => name === 'custom') : null;
  expect(custom?.[1]).toMatch(/^0x+… \(60001\)$/);
});

test('the effect of a change is returned without its evidence', async () => {
  const orderNumber = 'CF-1003';
  const of = (draft: EventDraft): EventDraft => ({ ...draft, orderNumber });
  await used.append(of(requested(0)), of(accepted(500)));
  const [event] = (await used.append(of(callback(1_000, 'sale', 'success')))).events;
  if (!event) throw new Error('not written');
  const { writer, writerSeq } = event;
  expect(await used.log.change('sandbox', orderNumber, { writer, writerSeq })).toMatchObject({
    previousState: 'waiting',
    payment: { state: 'paid-unconfirmed' },
  });
  expect(await used.log.change('sandbox', 'NONE', { writer, writerSeq })).toBeNull();
});

describe('the payments whose money moved in a month', () => {
  const day = 24 * hour;
  /** The payments of each test are of another year. */
  let year = 0;
  let begin = start;
  beforeEach(() => {
    year += 1;
    begin = start + year * 366 * day;
  });
  const order = (number: number, at: number, more: EventDraft[] = []): EventDraft[] => {
    const frame = { orderNumber: `A-${number} ${year}`, profileId: number % 2 === 0 ? 'hotel' : 'shop' };
    const own = (draft: EventDraft): EventDraft => ({
      ...draft,
      ...frame,
      happenedAt: draft.happenedAt + begin - start,
    });
    return [requested(at), accepted(at + 500), ...more].map(own);
  };
  const reported = (number: number, at: number, type: string): EventDraft =>
    callback(at, type, 'success', {
      id: `p-${number}-${year}`,
      order_number: `A-${number} ${year}`,
      date: String(at),
    });
  const paid = (number: number, at: number): EventDraft => reported(number, at, 'sale');
  const refunded = (number: number, at: number): EventDraft => reported(number, at, 'refund');

  const numbers = async (
    profile: string | null,
    from: number,
    until: number,
    limit = 50,
  ): Promise<string[]> => {
    const pages = await everyPage(cursor =>
      used.log.moved(profile, begin + from, begin + until, cursor, limit),
    );
    return pages.flatMap(({ rows }) => rows.map(({ orderNumber }) => orderNumber.replace(` ${year}`, '')));
  };

  test('a payment belongs to the day on which it was paid, not to the day of its link', async () => {
    await used.log.append(order(1, day - hour, [paid(1, day + hour)]));
    await used.log.append(order(3, day + hour));
    expect(await numbers(null, 0, day)).toEqual([]);
    expect(await numbers(null, day, 2 * day)).toEqual(['A-1']);
  });

  test('a refund of an earlier payment is in the month in which it was made, and each payment is listed once', async () => {
    await used.log.append(order(1, 0, [paid(1, hour), refunded(1, 2 * hour), refunded(1, 5 * day)]));
    await used.log.append(order(3, 3 * hour, [paid(3, 4 * hour)]));
    for (const limit of [1, 2, 50]) {
      expect(await numbers(null, 0, day, limit)).toEqual(['A-1', 'A-3']);
      expect(await numbers(null, 4 * day, 6 * day, limit)).toEqual(['A-1']);
    }
  });

  test('the books of one profile have no payment of another one', async () => {
    for (const number of [1, 2, 3, 4]) await used.log.append(order(number, 0, [paid(number, number * hour)]));
    expect(await numbers('hotel', 0, day, 1)).toEqual(['A-2', 'A-4']);
    expect(await numbers(null, 0, day, 3)).toEqual(['A-1', 'A-2', 'A-3', 'A-4']);
  });

  test('an instant belongs to the period that begins with it', async () => {
    await used.log.append(order(1, 0, [paid(1, day)]));
    expect(await numbers(null, 0, day)).toEqual([]);
    expect(await numbers(null, day, day + 1)).toEqual(['A-1']);
  });
});

test('each type of callbacks of a profile is counted with its last time, the last one first; forged ones do not count', async () => {
  const of = (profileId: string) => ({ profileId });
  await used.append(
    callback(1_000, 'redirect', 'success', {}, verified, of('inn')),
    callback(2_000, 'sale', 'success', { id: 'a' }, verified, of('inn')),
    callback(3_000, 'sale', 'success', { id: 'b' }, verified, of('inn')),
    callback(4_000, 'refund', 'success', {}, invalid, of('inn')),
    callback(5_000, 'void', 'success', {}, verified, of('bar')),
  );
  expect(await used.log.callbackTypes('inn')).toEqual({
    types: [
      { type: 'sale', lastAt: start + 3_000, count: 2 },
      { type: 'redirect', lastAt: start + 1_000, count: 1 },
    ],
    more: false,
  });
  expect(await used.log.callbackTypes('unknown')).toEqual({ types: [], more: false });
  expect(await used.log.hasCallbacks('inn')).toBe(true);
  expect(await used.log.hasCallbacks('unknown')).toBe(false);
});
