import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { beforeAll, expect, test } from 'vitest';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { totalPayments } from '../../../main/payment-log/sqlite/query/totals.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';

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
  const rows: PaymentRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['list']>> = await used.log.list(wanted, cursor, 20);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
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
