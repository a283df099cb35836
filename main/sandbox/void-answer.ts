import { gatewayDate } from './callback.ts';
import type { OperationChoices, Outcome } from './operation-choices.ts';
import { defaultReason, type FoundAttempt, type PaymentStatus } from './sandbox-payments.ts';

const results: Readonly<Record<Outcome, 'SUCCESS' | 'FAIL' | 'UNDEFINED'>> = {
  success: 'SUCCESS',
  fail: 'FAIL',
  'wait-success': 'UNDEFINED',
  'wait-fail': 'UNDEFINED',
};

/**
 * The answer to a void at `now` in milliseconds, in one of the three documented shapes; `before` is the payment's
 * status until then. A done one always says `void`, also if look-ups say `reversal` afterwards.
 */
export const voidAnswer = (
  shape: OperationChoices['voidAnswer'],
  outcome: Outcome,
  before: PaymentStatus,
  { session, attempt }: FoundAttempt,
  now: number,
): Record<string, unknown> => {
  const result = results[outcome];
  const status = result === 'SUCCESS' ? 'void' : before;
  const { number, amount, currency, description } = session.request.order;
  const payment = { payment_id: attempt.paymentId, date: gatewayDate(now) };
  const rest = {
    ...payment,
    ...(result === 'FAIL' ? { reason: defaultReason } : {}),
    order: { number, amount, currency, description },
  };
  if (shape === 'table')
    return { status: result === 'UNDEFINED' ? 'UNDEFINED' : status.toUpperCase(), ...rest };
  if (shape === 'example') return { status: result, payment_status: status, ...rest };
  return { ...payment, status, trans_status: result };
};
