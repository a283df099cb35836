import type { RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import type { OperationKind } from '../../../shared/operations/operation-kinds.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationRequest } from '../../gateway/operation.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { findPayment } from '../payments/find-payment.ts';
import { openOf, operationRefusal } from './operation-guards.ts';
import { wholeOf } from './operation-limits.ts';
import { underWay } from './run-operation.ts';
import { openCharges, readFirstPayment } from './series.ts';
import { readOperationAmount } from './typed-operation.ts';

type Form = Pick<
  RequestParsed<'operations.send'>,
  'orderNumber' | 'paymentId' | 'operation' | 'amount' | 'charge' | 'seen'
>;

/** What a form sends, by the evidence. */
type Terms = {
  request: OperationRequest;
  currency: string;
  /** Wire form; null if the request has none. */
  amount: string | null;
  /** The money that it moves, wire form. */
  moved: string;
  /** The operations of which evidence is here. */
  known: readonly string[];
};

export const refused = (message: Message): ReturnType<typeof fail> =>
  fail('operation.refused', message, { hint: msg('operation.refused.hint') });

/** The most that an operation can move, wire form; null if that is not known. */
export const mostOf = (kind: OperationKind, payment: Payment, paymentId: string): string | null =>
  kind === 'refund'
    ? balanceOf(payment, paymentId).remaining
    : kind === 'capture'
      ? payment.amount
      : wholeOf(payment, paymentId);

type FirstPayment = Awaited<ReturnType<typeof readFirstPayment>>;

/** Why a stored card cannot be charged; null if it can. */
export const chargeRefusal = ({ order, token }: FirstPayment, orderNumber: string): Message | null =>
  order !== orderNumber ? msg('charge.no-first-payment') : token === null ? msg('charge.no-token') : null;

const isUnseen = (open: readonly { id: string }[], seen: readonly string[]): boolean =>
  open.some(({ id }) => !seen.includes(id));

const chargeTerms = async (
  log: PaymentLog,
  profile: Profile,
  { orderNumber, paymentId, amount: typed, charge, seen }: Form,
): Promise<Result<Terms>> => {
  const first = await readFirstPayment(log, profile.id, paymentId);
  const refusal = chargeRefusal(first, orderNumber);
  if (refusal !== null) return refused(refusal);
  const payment = await findPayment(log, profile.id, orderNumber);
  if (!payment.ok) return payment;
  const { currency, customer } = payment.value;
  if (currency === null || first.token === null) return refused(msg('operation.no.amount-unknown'));
  const { orderNumber: number = '', description = '' } = charge ?? {};
  if ((await log.payment(profile.id, number)) !== null) {
    const message = msg('charge.order.taken');
    return fail('input.invalid', message, { fields: [{ path: 'orderNumber', message }] });
  }
  const { text, locale } = typed && 'text' in typed ? typed : { text: '', locale: 'en' };
  const read = readAmount(text, locale, currency);
  if (!read.ok) return read;
  const amount = wireAmount(read.value.minor, currency, amountRuleFor(profile, currency));
  if (!amount.ok) return amount;
  const { open, known } = await openCharges(log, profile, paymentId);
  if (isUnseen(open, seen)) return underWay();
  return ok({
    request: {
      operation: 'recurring',
      firstPaymentId: paymentId,
      token: first.token,
      order: { number, amount: amount.value, currency, description },
      customer,
    },
    currency,
    amount: amount.value,
    moved: amount.value,
    known,
  });
};

/**
 * What a form sends, by the evidence as it is now (`now`: milliseconds); a refusal of the guards, or while something has
 * no result that the person did not see. `shown`: all that could be sent when the form opened, wire form.
 */
export const readTerms = async (
  log: PaymentLog,
  profile: Profile,
  form: Form,
  shown: string | null,
  now: number,
): Promise<Result<Terms>> => {
  const { orderNumber, paymentId, operation, amount: typed, seen } = form;
  if (operation === 'recurring') return chargeTerms(log, profile, form);
  const found = await findPayment(log, profile.id, orderNumber);
  if (!found.ok) return found;
  const payment = found.value;
  const reason = operationRefusal(operation, { payment, paymentId, profile, now });
  if (reason !== null) return refused(reason);
  if (isUnseen(openOf(payment, paymentId), seen)) return underWay();
  const { currency } = payment;
  const whole = wholeOf(payment, paymentId);
  const most = mostOf(operation, payment, paymentId);
  if (currency === null || whole === null || most === null)
    return refused(msg('operation.no.amount-unknown'));
  const known = payment.operations.map(({ intent }) => intent);
  if (operation === 'void' || operation === 'retry')
    return ok({ request: { operation, paymentId }, currency, amount: null, moved: whole, known });
  // All of it: what the person saw, not what is left by now.
  if (!(typed && 'text' in typed) && most !== shown) return refused(msg('operation.amount.changed'));
  const amount =
    typed && 'text' in typed
      ? readOperationAmount(typed.text, typed.locale, { currency, payment: whole, most })
      : ok(most);
  if (!amount.ok) return amount;
  const { value } = amount;
  return ok({
    request: { operation, paymentId, amount: value },
    currency,
    amount: value,
    moved: value,
    known,
  });
};
