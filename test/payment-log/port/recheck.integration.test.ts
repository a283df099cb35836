import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  facetsToRecheck,
  nextCheckedDays,
  selectToRecheck,
} from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { listFileOf } from '../../../main/payment-log/sqlite/list/list-file.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  accepted,
  callback,
  hour,
  lookUp,
  order,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

/** The paid payments that are due for another check. */
const used = useLog('file');
/** The profile of a test. */
let shop = '';
beforeEach(() => {
  shop = `shop-${crypto.randomUUID()}`;
});

const day = 24 * hour;
const days = [1, 7, 30, 90];

/** An order that is paid at once; `more`: events of its payment id. */
const paidOrder = (name: string, profileId: string, more: EventDraft[] = []): EventDraft[] =>
  [requested(), accepted(), callback(0, 'sale', 'success', { id: name, order_number: name }), ...more].map(
    event => ({ ...event, orderNumber: name, profileId, paymentId: event.paymentId && name }),
  );
const observed = (name: string, at: number, status: string) =>
  lookUp(at, status, { paymentId: name, order: { ...order, number: name } });
const failed = (name: string, at: number, httpStatus: number | null): EventDraft => {
  const event = observed(name, at, 'settled');
  const answer = httpStatus === null ? null : { httpStatus, contentType: null, body: '', truncated: false };
  const problem = { code: 'gateway.refused' as const, message: 'Your provider rejected the request.' };
  return { ...event, body: { ...event.body, answers: [], problem, answer } };
};

const due = async (at: number, limit = 50, profiles = [shop], wanted = days): Promise<string[]> => {
  const found = await used.log.paymentsToRecheck(profiles, wanted, start + at, limit);
  return found.map(({ orderNumber }) => orderNumber).sort();
};

describe('a paid payment', () => {
  test('is due after each of the days, until it is checked', async () => {
    await used.log.append(paidOrder('A', shop, [observed('A', 2_000, 'settled')]));
    expect(await due(day - 1)).toEqual([]);
    expect(await due(day)).toEqual(['A']);
    await used.log.append(paidOrder('A', shop, [observed('A', 1.2 * day, 'settled')]).slice(-1));
    expect(await due(6 * day)).toEqual([]);
    expect(await due(7 * day)).toEqual(['A']);
    await used.log.append(paidOrder('A', shop, [observed('A', 100 * day, 'settled')]).slice(-1));
    expect(await due(150 * day)).toEqual([]);
  });

  test('is asked for by the payment id that was paid', async () => {
    await used.log.append(
      paidOrder('A', shop, [
        callback(hour, 'sale', 'fail', { id: 'later', order_number: 'A', reason: 'Declined' }),
      ]),
    );
    const [found] = await used.log.paymentsToRecheck([shop], days, start + day, 5);
    expect(found?.key).toEqual({ by: 'payment-id', value: 'A' });
  });

  test('is due later if the console did not run, but not for ever', async () => {
    await used.log.append(paidOrder('A', shop));
    expect(await due(60 * day)).toEqual(['A']);
    expect(await due(179 * day)).toEqual(['A']);
    expect(await due(181 * day)).toEqual([]);
  });

  test('counts as checked if the gateway refused the request for it, but not if it gave no answer', async () => {
    await used.log.append(paidOrder('A', shop, [failed('A', 1.5 * day, 400)]));
    await used.log.append(paidOrder('B', shop, [failed('B', 1.5 * day, 503)]));
    await used.log.append(paidOrder('C', shop, [failed('C', 1.5 * day, 401)]));
    await used.log.append(paidOrder('D', shop, [failed('D', 1.5 * day, null)]));
    expect(await due(2 * day)).toEqual(['B', 'C', 'D']);
  });

  test('is not due once it was refunded, nor for a profile that cannot be asked', async () => {
    await used.log.append(paidOrder('A', shop, [observed('A', hour, 'refund')]));
    await used.log.append(paidOrder('B', 'other'));
    expect(await due(2 * day)).toEqual([]);
  });

  test('is due on the days that were chosen, and never without one', async () => {
    await used.log.append(paidOrder('A', shop));
    expect(await due(2.5 * day, 50, [shop], [3])).toEqual([]);
    expect(await due(3.5 * day, 50, [shop], [3])).toEqual(['A']);
    expect(await due(3.5 * day, 50, [shop], [])).toEqual([]);
  });
});

test('many payments of one day do not displace those of another', async () => {
  for (let number = 0; number < 12; number += 1) await used.log.append(paidOrder(`OLD-${number}`, shop));
  const young = paidOrder('YOUNG', shop).map(event => ({
    ...event,
    happenedAt: event.happenedAt + 80 * day,
  }));
  await used.log.append(young);
  const found = await due(92 * day, 8);
  expect(found).toHaveLength(3);
  expect(found).toContain('YOUNG');
});

test('every statement is a range of an index, for any number of payments', async () => {
  await used.append(requested());
  await used.log.close();
  const database = new Database(listFileOf(used.folder.file), { readonly: true });
  const planOf = (sql: string): string =>
    database
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1))
      .map(({ detail }) => detail)
      .join('; ');
  expect(planOf(nextCheckedDays)).toBe(
    'SEARCH listed USING COVERING INDEX listed_recheck (facet=? AND checked_days>?)',
  );
  expect(planOf(selectToRecheck)).toBe(
    'SEARCH listed USING INDEX listed_recheck (facet=? AND checked_days=? AND <expr>>? AND <expr><?)',
  );
  expect(planOf(facetsToRecheck)).toContain('SEARCH facet USING INDEX');
  database.close();
});
