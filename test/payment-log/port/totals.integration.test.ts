import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs } from '../../../tools/app-harness/runs.ts';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { totalPayments } from '../../../main/payment-log/sqlite/query/totals.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { flagKinds, paymentStates } from '../../../shared/payments/payment-kinds.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
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

const ends = ['sale', 'refund', 'chargeback', '3ds'] as const;
/** 60 payments of three currencies, two profiles and two agents, in many states; half of the links are open. */
const shop = (): EventDraft[] =>
  Array.from({ length: 60 }, (_, index) => {
    const currency = ['EUR', 'JPY', 'KWD'][index % 3] ?? 'EUR';
    const amount = wireOf(BigInt(1_000 + index), currency);
    const frame = {
      orderNumber: `CF-${index}`,
      profileId: index % 4 === 0 ? 'shop' : 'sandbox',
      agent: index % 2 === 0 ? 'Ada' : 'Ben',
    };
    const at = index * 3 * hour;
    const raised = requested(at, { currency, amount }, frame);
    const expiresAt = index % 2 === 0 ? start + at + hour : Date.now() + 1000 * hour;
    const link = accepted(at + 1, { expiresAt }, frame);
    const end = ends[index % 7];
    if (end === undefined) return index % 2 === 0 ? [raised] : [raised, link];
    const terms = { order_amount: amount, order_currency: currency };
    const status = index % 11 === 0 ? 'fail' : 'success';
    const outcome = callback(at + 2, end, status, terms, index % 6 === 0 ? invalid : undefined);
    const lookUps = index % 8 === 0 ? [{ ...lookUp(at + 3, 'decline'), ...frame }] : [];
    return [raised, link, { ...outcome, ...frame }, ...lookUps];
  }).flat();

/** The foot of the list: the count and the sums of everything that a filter finds. */
const used = useLog('file');
beforeAll(async () => {
  await used.append(...shop());
});

/** The same by reading every page. */
const byHand = async (wanted: PaymentFilter): Promise<PaymentTotals> => {
  const rows = await everyListed(used.log, wanted, 20);
  const currencies = [...new Set(rows.map(({ currency }) => currency ?? ''))];
  const sums = currencies.map(currency => {
    const own = rows.filter(row => row.currency === currency);
    const cameIn = own.flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'paid'));
    const sumOf = (parts: readonly { amount: string | null }[]): string =>
      wireOf(
        parts.reduce((sum, { amount }) => sum + (readWire(amount ?? '', currency) ?? 0n), 0n),
        currency,
      );
    return { currency, amount: sumOf(own), paid: sumOf(cameIn) };
  });
  // Nothing says how much some refunds took.
  const unknown = rows.flatMap(({ entries }) => entries.filter(({ amount }) => amount === null));
  return { count: rows.length, more: false, sums, notIn: { amount: 0, paid: unknown.length } };
};
const sorted = ({ sums, ...rest }: PaymentTotals) => ({
  ...rest,
  sums: sums?.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
});

/** Most often null, so that filters of one part alone occur. */
const seldom = <T>(...values: T[]): fc.Arbitrary<T | null> => fc.constantFrom(null, null, null, ...values);

test('the count and the sums are those of every listed payment, for any filter', async () => {
  const { sums } = await used.log.totals(filter({}));
  expect(sums?.map(({ paid }) => Number(paid) > 0)).toEqual([true, true, true]);
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        words: seldom('chair', 'cf-1', 'no match').map(words => words ?? ''),
        profileId: fc.constantFrom(null, 'shop', 'sandbox', 'gone'),
        states: fc.subarray([...paymentStates]),
        currency: seldom('EUR', 'JPY'),
        flags: fc.oneof(
          { weight: 2, arbitrary: fc.subarray([]) },
          { weight: 1, arbitrary: fc.subarray([...flagKinds]) },
        ),
        agent: seldom('Ada', 'ben'),
        raisedHere: seldom(true, false),
        from: seldom(start + 24 * hour),
        until: seldom(start + 72 * hour),
      }),
      async wanted => {
        const asked = filter(wanted);
        const expected = await byHand(asked);
        seen.add(expected.count);
        expect(sorted(await used.log.totals(asked))).toEqual(sorted(expected));
        expect(await used.log.count(asked)).toEqual({ count: expected.count, more: false });
      },
    ),
    { numRuns: runs(100) },
  );
  expect(seen.size).toBeGreaterThan(5);
});

test('beyond a limit of payments there are no sums of a part, and the count says that there are more', async () => {
  await used.log.count(filter({}));
  const opened = must(openListForReading(listFileOf(used.folder.file)));
  const totals = (wanted: PaymentFilter) =>
    totalPayments(listSource(opened), wanted, 0, { maxScanned: 10, maxFound: 10 });
  const none = { sums: null, notIn: { amount: 0, paid: 0 } };
  expect(totals(filter({}))).toEqual({ count: 60, more: false, ...none });
  expect(totals(filter({ words: 'chair' }))).toEqual({ count: 10, more: true, ...none });
  expect(totals(filter({ until: start + 10 * hour })).sums).toHaveLength(3);
  opened.close();
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
