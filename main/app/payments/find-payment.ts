import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

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
