import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { maskEvent } from './mask-event.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';

/** The failure for an order without a payment. */
export const paymentMissing = (orderNumber: string): { ok: false; error: AppError } =>
  fail('payment.missing', msg('payment.missing', { order: orderNumber }), {
    hint: msg('payment.missing.hint'),
    details: { orderNumber },
  });

/** The payment of this order, or `payment.missing`. */
export const findPayment = async (
  log: Pick<PaymentLog, 'payment'>,
  profileId: string,
  orderNumber: string,
): Promise<Result<Payment>> => {
  const payment = await log.payment(profileId, orderNumber);
  return payment ? ok(payment) : paymentMissing(orderNumber);
};

/** Limit of shown look-ups that found no payment. */
export const maxInquiries = 20;

/**
 * A payment with the page of its events before `before` (null: the latest), masked; `payment.missing` if there is
 * none.
 */
export const readPaymentDetail = async (
  log: PaymentLog,
  profileId: string,
  orderNumber: string,
  before: string | null = null,
): Promise<Result<PaymentDetail>> => {
  const found = await findPayment(log, profileId, orderNumber);
  if (!found.ok) return found;
  const payment = found.value;
  const [page, inquiries] = await Promise.all([
    log.eventPage(profileId, orderNumber, before),
    log.inquiries(profileId, maxInquiries, payment.paymentIds),
  ]);
  const oldest = page.earlier === null ? Number.NEGATIVE_INFINITY : (page.events[0]?.happenedAt ?? 0);
  const newest = before === null ? Number.POSITIVE_INFINITY : (page.events.at(-1)?.happenedAt ?? 0);
  const own = inquiries.filter(({ happenedAt }) => happenedAt >= oldest && happenedAt <= newest);
  const events = [...page.events, ...own].sort((one, other) => one.happenedAt - other.happenedAt);
  return ok({ payment, events: events.map(maskEvent), earlier: page.earlier });
};
