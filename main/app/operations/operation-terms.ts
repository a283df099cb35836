import type { RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { hasAmount, operationTable } from '../../../shared/operations/operation-kinds.ts';
import { mostOf, readOperationAmount } from '../../../shared/operations/rules.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationRequest } from '../../gateway/operation.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { findPayment } from '../payments/find-payment.ts';
import { openOf, operationRefusal } from './operation-guards.ts';
import { wholeOf } from './operation-limits.ts';
import { underWay } from './run-operation.ts';
import { openCharges, readFirstPayment } from './series.ts';

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
  const amount = readOperationAmount('recurring', typed, {
    currency,
    whole: null,
    most: null,
    payment: null,
    rule: amountRuleFor(profile, currency),
    money: wire => `${currency} ${wire}`,
  });
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
  if (hasAmount(operation, 'order')) return chargeTerms(log, profile, form);
  const found = await findPayment(log, profile.id, orderNumber);
  if (!found.ok) return found;
  const payment = found.value;
  // First: what has no result may be the reason why nothing is left.
  if (isUnseen(openOf(payment, paymentId), seen)) return underWay();
  const reason = operationRefusal(operation, { payment, paymentId, profile, now });
  if (reason !== null) return refused(reason);
  const { currency } = payment;
  const { whole, most } = mostOf(operation, balanceOf(payment, paymentId), payment.amount);
  if (currency === null) return refused(msg('operation.no.amount-unknown'));
  const known = payment.operations.map(({ intent }) => intent);
  // All of it: what the person saw, not what is left by now.
  if (typed && 'whole' in typed && whole !== shown) return refused(msg('operation.amount.changed'));
  const amount = readOperationAmount(operation, typed, {
    currency,
    whole,
    most,
    payment: wholeOf(payment, paymentId),
    rule: null,
    money: wire => `${currency} ${wire}`,
  });
  if (!amount.ok) return amount;
  const { value } = amount;
  if (hasAmount(operation, 'none')) {
    const moved = operationTable[operation].movesMoney ? value : '0';
    return ok({ request: { operation, paymentId }, currency, amount: null, moved, known });
  }
  return ok({
    request: { operation, paymentId, amount: value },
    currency,
    amount: value,
    moved: value,
    known,
  });
};
