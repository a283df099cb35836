import { isOperationOpen } from '../../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { openMoney } from '../../../../shared/payments/open-money.ts';
import type { PaymentState } from '../../../../shared/payments/payment-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import type { MessageKey } from '../../../../shared/messages/message.ts';
import { sumOfAmounts } from './ledger.ts';

/** What the person on the phone says about an operation, and what they must not say. */
export type OperationScript = {
  say: MessageKey;
  doNot: MessageKey;
  /** Wire form; null if the operation has none. */
  amount: string | null;
  currency: string;
  /** When the situation began, milliseconds. */
  since: number;
};

type Texts = Pick<OperationScript, 'say' | 'doNot'>;

/** The texts of an operation in its state; null: the state of the payment says enough. */
const textsOf = ({ kind, state }: Operation): Texts | null => {
  if (kind === 'recurring' || state === 'refused' || state === 'not-sent') return null;
  if (state === 'unknown') return { say: `script.${kind}.unknown`, doNot: 'script.do-not.unknown' };
  if (state === 'failed') return { say: `script.${kind}.failed`, doNot: 'script.do-not.failed' };
  // The state of a cancelled or collected payment has its script.
  if (state === 'done')
    return kind === 'refund' ? { say: 'script.refund.done', doNot: 'script.do-not.done' } : null;
  if (kind === 'refund' && state === 'waiting')
    return { say: 'script.refund.bank', doNot: 'script.do-not.open' };
  if (kind === 'refund' && state === 'one-of')
    return { say: 'script.refund.one-of', doNot: 'script.do-not.open' };
  return { say: `script.${kind}.open`, doNot: 'script.do-not.open' };
};

/** States whose own script comes before that of an operation. */
const comesFirst: readonly PaymentState[] = ['chargeback', 'needs-attention', 'voided', 'reversed'];

/**
 * The script of the operation that a caller asks about: one without a result before all others, an unknown result first
 * of all; otherwise the last one that has a result. Refunds in the same situation count together. Null: the state of
 * the payment says enough.
 */
export const operationScript = (
  { operations, movements, currency }: Pick<Payment, 'operations' | 'movements' | 'currency'>,
  state: PaymentState,
): OperationScript | null => {
  if (comesFirst.includes(state)) return null;
  const own = operations.filter(({ kind }) => kind !== 'recurring');
  const open = own.filter(isOperationOpen);
  const chosen =
    open.findLast(one => one.state === 'unknown') ??
    open.at(-1) ??
    own.findLast(one => one.state === 'done' || one.state === 'failed');
  // Everything went back, so that an earlier failure no longer matters.
  if (chosen?.state === 'failed' && state === 'refunded') return null;
  const elsewhere = openMoney({ operations, movements }).find(one => one.agent === null);
  if (elsewhere && open.length === 0)
    return {
      say: 'script.elsewhere',
      doNot: 'script.do-not.open',
      amount: null,
      currency: currency ?? '',
      since: elsewhere.at,
    };
  const texts = chosen ? textsOf(chosen) : null;
  if (!chosen || texts === null) return null;
  const same = isOperationOpen(chosen)
    ? open.filter(one => one.kind === chosen.kind && textsOf(one)?.say === texts.say)
    : [chosen];
  const amount = sumOfAmounts(same.map(one => one.amount));
  return { ...texts, amount, currency: chosen.currency, since: chosen.since };
};
