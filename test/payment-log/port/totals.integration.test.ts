import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../tools/app-harness/runs.ts';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { totalPayments } from '../../../main/payment-log/sqlite/query/totals.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { flagKinds, paymentStates } from '../../../shared/payments/payment-kinds.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { everyListed } from './every-row.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import {
  accepted,
  callback,
  hour,
  invalid,
  lookUp,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';

/** 50 payments of three currencies, two profiles and two agents; a fifth is paid, and half of the links are open. */
const draftsToSum = (): EventDraft[] =>
  Array.from({ length: 50 }, (_, index) => {
    const currency = ['EUR', 'JPY', 'KWD'][index % 3] ?? 'EUR';
    const amount = wireOf(BigInt(1_000 + index), currency);
    const frame = {
      orderNumber: `CF-${index}`,
      profileId: index % 4 === 0 ? 'shop' : 'sandbox',
      agent: index % 2 === 0 ? 'Ada' : 'Ben',
    };
    const at = index * 3 * hour;
    const raised = requested(at, { currency, amount }, frame);
    const linked = { ...accepted(at + 1), ...frame };
    const expiresAt = index % 2 === 0 ? start + at + hour : Date.now() + 1000 * hour;
    const link = { ...linked, body: { ...linked.body, expiresAt } } as typeof linked;
    if (index % 5 !== 0) return [raised, link];
    const paid = { order_amount: amount, order_currency: currency };
    return [raised, link, { ...callback(at + 2, 'sale', 'success', paid), ...frame }];
  }).flat();

/** The foot of the list: the sums of everything that a filter finds. */
const used = useLog('file');
beforeAll(async () => {
  await used.append(...draftsToSum());
});

/** The same by reading every page. */
const byHand = async (wanted: PaymentFilter): Promise<PaymentTotals> => {
  const rows = await everyListed(used.log, wanted, 20);
  const currencies = [...new Set(rows.map(({ currency }) => currency ?? ''))];
  const sumOf = (of: readonly PaymentRow[], currency: string): string =>
    wireOf(
      of
        .filter(row => row.currency === currency)
        .reduce((sum, { amount }) => sum + (readWire(amount ?? '', currency) ?? 0n), 0n),
      currency,
    );
  const paid = rows.filter(({ state }) => state.startsWith('paid'));
  const sums = currencies.map(currency => ({
    currency,
    amount: sumOf(rows, currency),
    paid: sumOf(paid, currency),
  }));
  return { count: rows.length, more: false, sums, notIn: { amount: 0, paid: 0 } };
};
const sorted = ({ sums, ...rest }: PaymentTotals) => ({
  ...rest,
  sums: sums?.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
});

test('the sums are those of every listed payment, for any filter', async () => {
  const { sums } = await used.log.totals(filter({}));
  expect(sums?.map(({ paid }) => Number(paid) > 0)).toEqual([true, true, true]);
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        words: fc.constantFrom('', 'chair', 'cf-1', 'no match'),
        profileId: fc.constantFrom(null, 'shop', 'sandbox', 'gone'),
        states: fc.subarray([...paymentStates]),
        currency: fc.constantFrom(null, 'EUR', 'JPY'),
        agent: fc.constantFrom(null, 'Ada', 'ben'),
        raisedHere: fc.constantFrom(null, true, false),
        from: fc.constantFrom(null, start + 24 * hour),
        until: fc.constantFrom(null, start + 72 * hour),
      }),
      async wanted => {
        const asked = filter(wanted);
        expect(sorted(await used.log.totals(asked))).toEqual(sorted(await byHand(asked)));
      },
    ),
    { numRuns: runs(50) },
  );
});

test('beyond a limit of payments there are no sums of a part, and the count says that there are more', async () => {
  await used.log.count(filter({}));
  const opened = must(openListForReading(listFileOf(used.folder.file)));
  const totals = (wanted: PaymentFilter) =>
    totalPayments(listSource(opened), wanted, 0, { maxScanned: 10, maxFound: 10 });
  const none = { sums: null, notIn: { amount: 0, paid: 0 } };
  expect(totals(filter({}))).toEqual({ count: 50, more: false, ...none });
  expect(totals(filter({ words: 'chair' }))).toEqual({ count: 10, more: true, ...none });
  expect(totals(filter({ until: start + 10 * hour })).sums).toHaveLength(3);
  opened.close();
});

describe('the count', () => {
  /** The count of a view equals the number of rows in its list. */
  const used = useLog('file');
  const ends = ['sale', 'refund', 'chargeback', '3ds'] as const;
  beforeAll(async () => {
    const drafts = Array.from({ length: 60 }, (_, index) => {
      const frame = {
        orderNumber: `CF-${index}`,
        profileId: index % 4 === 0 ? 'shop' : 'sandbox',
        agent: index % 3 === 0 ? 'Ada' : 'Ben',
      };
      const at = index * 3 * hour;
      const raised = requested(at, { currency: index % 5 === 0 ? 'USD' : 'EUR' }, frame);
      // Some links are valid for years, some have expired.
      const expiresAt = index % 2 === 0 ? start + at + hour : Date.now() + 1000 * hour;
      const linked = { ...accepted(at + 1), ...frame };
      const link = { ...linked, body: { ...linked.body, expiresAt } } as typeof linked;
      const end = ends[index % 7];
      if (end === undefined) return index % 2 === 0 ? [raised] : [raised, link];
      const outcome = {
        ...callback(
          at + 2,
          end,
          index % 11 === 0 ? 'fail' : 'success',
          {},
          index % 6 === 0 ? invalid : undefined,
        ),
        ...frame,
      };
      const lookUps = index % 8 === 0 ? [{ ...lookUp(at + 3, 'decline'), ...frame }] : [];
      return [raised, link, outcome, ...lookUps];
    }).flat();
    await used.append(...drafts);
  });

  test('the count equals the number of listed payments, for any filter', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          words: fc.constantFrom('', 'chair', 'cf-1', 'no match'),
          profileId: fc.constantFrom(null, 'shop', 'sandbox', 'gone'),
          states: fc.subarray([...paymentStates]),
          currency: fc.constantFrom(null, 'EUR', 'USD'),
          flags: fc.oneof(
            { weight: 2, arbitrary: fc.subarray([]) },
            { weight: 1, arbitrary: fc.subarray([...flagKinds]) },
          ),
          agent: fc.constantFrom(null, 'Ada', 'Ben'),
          from: fc.constantFrom(null, start + 24 * hour),
          until: fc.constantFrom(null, start + 72 * hour),
        }),
        async wanted => {
          const asked = filter(wanted);
          const counted = await used.log.count(asked);
          seen.add(counted.count);
          const { length } = await everyListed(used.log, asked, 7);
          expect(counted).toEqual({ count: length, more: false });
        },
      ),
      { numRuns: runs(60) },
    );
    expect(seen.size).toBeGreaterThan(5);
  });

  test('all payments, and those of each state, are counted', async () => {
    expect(await used.log.count(filter({}))).toEqual({ count: 60, more: false });
    const { states } = await used.log.counts(null);
    for (const state of paymentStates)
      expect((await used.log.count(filter({ states: [state] }))).count).toBe(states[state] ?? 0);
  });

  test('a count that must scan rows ends at 999, and reports that there are more', async () => {
    const written = await used.log.append(
      Array.from({ length: 1000 }, (_, index) =>
        requested(index, { description: 'Umbrella' }, { orderNumber: `U-${index}`, profileId: 'wet' }),
      ),
    );
    expect(written.ok).toBe(true);
    expect(await used.log.count(filter({ words: 'umbrella' }))).toEqual({ count: 999, more: true });
    expect(await used.log.count(filter({ profileId: 'wet' }))).toEqual({ count: 1000, more: false });
  });
});
