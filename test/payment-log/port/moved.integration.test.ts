import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

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
  const all: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await used.log.moved(profile, start + from, start + until, cursor, limit);
    all.push(...page.rows.map(({ orderNumber }) => orderNumber));
    cursor = page.next;
  } while (cursor !== null);
  return all;
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
