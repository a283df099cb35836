import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';
import { openLog, type OpenedLog } from './open-log.ts';

/** 50 payments of three currencies, two profiles and two agents; a fifth is paid, and half of the links are open. */
export const draftsToSum = (): EventDraft[] =>
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
export const totalsTests = (): void => {
  let opened: OpenedLog;
  let log: PaymentLog;
  beforeAll(async () => {
    opened = await openLog();
    log = opened.log;
    const written = await log.append(draftsToSum());
    if (!written.ok) throw new Error(written.error.code);
  });
  afterAll(() => opened.remove());

  /** The same by reading every page. */
  const byHand = async (wanted: PaymentFilter): Promise<PaymentTotals> => {
    const rows: PaymentRow[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<PaymentLog['list']>> = await log.list(wanted, cursor, 20);
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
    const { sums } = await log.totals(filter({}));
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
          expect(sorted(await log.totals(asked))).toEqual(sorted(await byHand(asked)));
        },
      ),
      { numRuns: 150 },
    );
  });
};
