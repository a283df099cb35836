import { describe, expect, test } from 'vitest';
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

const used = useLog();

const pagesOf = async (): Promise<Event[][]> => {
  const pages: Event[][] = [];
  for (let before: string | null = null; ;) {
    const { events, earlier } = await used.log.eventPage('sandbox', 'CF-1001', before);
    pages.push([...events]);
    if (earlier === null) return pages;
    before = earlier;
  }
};

test('all evidence of an order is returned in pages, newest first, each event once, with its requests', async () => {
  await used.append(requested(0), accepted(500));
  await used.append(...Array.from({ length: 700 }, (_, index) => note(1_000 + index, `note ${index}`)));
  const pages = await pagesOf();
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
  await used.append(
    ...Array.from({ length: 40 }, (_, at) => callback(at, 'sale', 'success', { custom: `${at}${long}` })),
  );
  const pages = await pagesOf();
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flat()).toHaveLength(40);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
  const [event] = pages.at(-1) ?? [];
  const custom =
    event?.kind === 'callback.received' ? event.body.fields.find(([name]) => name === 'custom') : null;
  expect(custom?.[1]).toMatch(/^0x+… \(60001\)$/);
});

test('the effect of a change is returned without its evidence', async () => {
  await used.append(requested(0), accepted(500));
  const written = await used.log.append([callback(1_000, 'sale', 'success')]);
  const [event] = written.ok ? written.value.events : [];
  if (!event) throw new Error('not written');
  const { writer, writerSeq } = event;
  expect(await used.log.change('sandbox', 'CF-1001', { writer, writerSeq })).toMatchObject({
    previousState: 'waiting',
    payment: { state: 'paid-unconfirmed' },
  });
  expect(await used.log.change('sandbox', 'NONE', { writer, writerSeq })).toBeNull();
});

describe('the payments whose money moved in a month', () => {
  /** The payments of a month's books: those whose money moved in it. */
  const used = useLog();

  const day = 24 * hour;
  const order = (number: number, at: number, more: EventDraft[] = []): EventDraft[] => {
    const frame = { orderNumber: `A-${number}`, profileId: number % 2 === 0 ? 'hotel' : 'shop' };
    const own = (draft: EventDraft): EventDraft => ({ ...draft, ...frame });
    return [requested(at), accepted(at + 500), ...more].map(own);
  };
  const reported = (number: number, at: number, type: string): EventDraft =>
    callback(at, type, 'success', { id: `p-${number}`, order_number: `A-${number}`, date: String(at) });
  const paid = (number: number, at: number): EventDraft => reported(number, at, 'sale');
  const refunded = (number: number, at: number): EventDraft => reported(number, at, 'refund');

  const numbers = async (
    profile: string | null,
    from: number,
    until: number,
    limit = 50,
  ): Promise<string[]> => {
    const pages = await everyPage(cursor =>
      used.log.moved(profile, start + from, start + until, cursor, limit),
    );
    return pages.flatMap(({ rows }) => rows.map(({ orderNumber }) => orderNumber));
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

describe('the types of callbacks of a profile', () => {
  /** Which types of callbacks came for a profile. */
  const used = useLog();

  test('each type is counted with its last time, the last one first; forged ones do not count', async () => {
    const of = (profileId: string) => ({ profileId });
    await used.log.append([
      callback(1_000, 'redirect', 'success', {}, verified, of('shop')),
      callback(2_000, 'sale', 'success', { id: 'a' }, verified, of('shop')),
      callback(3_000, 'sale', 'success', { id: 'b' }, verified, of('shop')),
      callback(4_000, 'refund', 'success', {}, invalid, of('shop')),
      callback(5_000, 'void', 'success', {}, verified, of('hotel')),
    ]);
    expect(await used.log.callbackTypes('shop')).toEqual({
      types: [
        { type: 'sale', lastAt: start + 3_000, count: 2 },
        { type: 'redirect', lastAt: start + 1_000, count: 1 },
      ],
      more: false,
    });
    expect(await used.log.callbackTypes('unknown')).toEqual({ types: [], more: false });
    expect(await used.log.hasCallbacks('shop')).toBe(true);
    expect(await used.log.hasCallbacks('unknown')).toBe(false);
  });
});
