import { isPaidOtherwise } from '../../../shared/payments/expired.ts';
import type { FlagKind, Payment, PaymentState } from '../../../shared/payments/payment.ts';

const contradictions = [
  'sources-disagree',
  'source-took-back',
  'amount-differs',
  'currency-differs',
] as const satisfies readonly FlagKind[];
export type Contradiction = (typeof contradictions)[number];

/**
 * Why no evidence confirms a payment although there is some: two reports contradict each other or our request. Null if
 * none do, or if a callback and a status check agree. A callback that is not verified contradicts nothing.
 */
export const contradictionOf = (
  { flags, paidAt }: Pick<Payment, 'flags'> & Partial<Pick<Payment, 'paidAt'>>,
  state: PaymentState,
): Contradiction | null => {
  if (state === 'paid-confirmed' || isPaidOtherwise(state, { paidAt })) return null;
  const kinds = new Set(
    flags.filter(({ values }) => values['source'] !== 'callback, not verified').map(({ kind }) => kind),
  );
  return (
    contradictions.find(kind => kinds.has(kind)) ?? (state === 'needs-attention' ? 'sources-disagree' : null)
  );
};
