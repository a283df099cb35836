import type { Handlers, RequestOutput, RequestParsed } from '../../../shared/contract/contract.ts';
import { maxCustomerPayments, type Customer } from '../../../shared/contract/payments/customer-requests.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import { createProgressReporter } from '../payment-log/log-progress.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { findPayment } from '../payments/payment-detail.ts';
import { wireOf } from '../../../shared/money/wire-amount.ts';
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
const customerOf = (record: CustomerRecord, now: number): Customer => ({
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

type Key = RequestParsed<'customers.read'>;
type Answer = RequestOutput<'customers.read'>;

/** The requests about customers, who are derived from what this merchant typed. */
export const createCustomerHandlers = (parts: AppDependencies, cancellations: CancellationRegistry) => {
  const eventHeader = createEventHeader(parts);
  return {
    'customers.read': withPaymentLog<Key, Answer>(parts, async (log, { profileId, orderNumber }) => {
      const payment = await findPayment(log, profileId, orderNumber);
      if (!payment.ok) return payment;
      const found = await log.customer(profileId, orderNumber, maxCustomerPayments);
      return ok({ customer: found && customerOf(found, parts.clock()) });
    }),
    'customers.find': withPaymentLog(parts, async (log, { profileId, words, limit }) => {
      const found = await log.findCustomers(profileId, words.trim(), limit);
      return ok({ customers: [...found] });
    }),
    'customers.join': withPaymentLog(parts, async (log, { profileId, orderNumber, otherOrderNumber }) => {
      for (const number of [orderNumber, otherOrderNumber]) {
        const payment = await findPayment(log, profileId, number);
        if (!payment.ok) return payment;
      }
      const [one, other] = [
        await log.customer(profileId, orderNumber, maxCustomerPayments),
        await log.customer(profileId, otherOrderNumber, maxCustomerPayments),
      ];
      // A charge has no details: the join is recorded with a payment that has them.
      const typed = one?.rows.find(({ customerFrom }) => customerFrom === 'request');
      const otherTyped = other?.rows.find(({ customerFrom }) => customerFrom === 'request');
      if (!one || !other || !typed || !otherTyped)
        return fail('input.invalid', msg('customer.join.missing'), {
          hint: msg('customer.join.missing.hint'),
        });
      const known = new Set(one.spellings.map(spelling => spelling.orderNumber));
      if (other.spellings.some(spelling => known.has(spelling.orderNumber)))
        return fail('input.invalid', msg('customer.join.same'));
      const header = eventHeader(profileId, typed.orderNumber, null);
      const written = await log.append([
        { ...header, kind: 'customer.joined', body: { otherOrder: otherTyped.orderNumber } },
      ]);
      return written.ok ? ok({ joined: header.id }) : written;
    }),
    'customers.separate': withPaymentLog(parts, async (log, { profileId, orderNumber, joined }) => {
      const found = await log.customer(profileId, orderNumber, maxCustomerPayments);
      const join = found?.spellings.find(spelling => spelling.joined?.id === joined)?.joined;
      if (!join) return fail('input.invalid', msg('customer.separate.missing'));
      const written = await log.append([
        { ...eventHeader(profileId, join.orderNumber, null), kind: 'customer.separated', body: { joined } },
      ]);
      return written.ok ? ok({}) : written;
    }),
    'customers.erase': withPaymentLog(parts, async (log, { profileId, orderNumber, requestId }) => {
      const payment = await findPayment(log, profileId, orderNumber);
      if (!payment.ok) return payment;
      const agent = parts.requester.name();
      // The order that was asked for is the last one: repeated after an interruption, it leads to the others.
      const found = await log.ordersToErase(profileId, orderNumber);
      const orderNumbers = found.length > 0 ? found : [orderNumber];
      const report = createProgressReporter(parts, 'erase');
      const done = new Set<string>();
      return cancellations.run(requestId, async signal => {
        const onErased = (numbers: readonly string[]): void => {
          for (const number of numbers) done.add(number);
          report(done.size, orderNumbers.length);
        };
        const erased = await log.erase(
          { reason: 'request', agent, profileId, orderNumbers },
          { onErased, signal },
        );
        if (!erased.ok) return erased;
        return ok({ payments: erased.value.payments, isStopped: signal.aborted });
      });
    }),
  } satisfies Partial<Handlers>;
};
