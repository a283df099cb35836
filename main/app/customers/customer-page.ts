import { wireOf } from '../../../shared/money/wire-amount.ts';
import type { Customer } from '../../../shared/contract/payments/customer-requests.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { raisedStates } from '../../../shared/payments/outcomes.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { amountOf } from '../../../shared/reports/payment-books.ts';
import { detailsOf } from '../../payment-log/projection/customer-keys.ts';
import type { CustomerRecord } from '../../payment-log/answers.ts';

/** Links, and money in and back, by currency; the currency with the most links first. `now`: milliseconds. */
const sumsOf = (rows: readonly PaymentRow[], now: number): Customer['sums'] => {
  const sums = new Map<
    string,
    { links: number; open: number; paid: number; in: bigint; back: bigint; uncounted: number }
  >();
  for (const row of rows) {
    if (row.currency === null || !raisedStates.includes(row.state)) continue;
    const sum = sums.get(row.currency) ?? { links: 0, open: 0, paid: 0, in: 0n, back: 0n, uncounted: 0 };
    sums.set(row.currency, sum);
    sum.links += 1;
    if (isLinkLive(row, now)) sum.open += 1;
    if (row.paidAt !== null) sum.paid += 1;
    for (const entry of row.entries) {
      const amount = amountOf(entry, row.currency);
      const sign = entry.isCounter ? -1 : 1;
      if (amount.kind === 'minor') sum[entry.kind === 'paid' ? 'in' : 'back'] += BigInt(sign) * amount.minor;
      else sum.uncounted += sign;
    }
  }
  return Array.from(sums, ([currency, { in: paid, back, ...counts }]) => ({
    currency,
    ...counts,
    paidAmount: wireOf(paid, currency),
    refundedAmount: wireOf(back, currency),
  })).toSorted((one, other) => other.links - one.links);
};

/** A customer for the window. `now`: milliseconds. */
export const customerOf = (record: CustomerRecord, now: number): Customer => ({
  ...detailsOf(record.rows),
  spellings: record.spellings.map(({ joined, ...spelling }) => ({
    ...spelling,
    joined: joined && { id: joined.id, agent: joined.agent, at: joined.at },
  })),
  sums: sumsOf(record.rows, now),
  payments: record.rows,
  more: record.more,
  notes: record.notes.map(({ orderNumber, body, agent, happenedAt }) => ({
    orderNumber: orderNumber ?? '',
    text: body.text,
    agent,
    at: happenedAt,
  })),
  candidates: record.candidates,
});
