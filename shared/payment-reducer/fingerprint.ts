import { isPersonalName } from '../callbacks/pii-fields.ts';
import type { Flag, PaymentRow } from '../payments/payment.ts';
import { sha256 } from '../review/sha-256.ts';
import { compareTexts } from '../compare-texts.ts';

/** Changes with every repeated delivery, which is no new fact. */
const isRepetition = ({ kind }: Flag): boolean => kind === 'duplicate-delivery';

/** A flag without a personal value: a digest of it could be guessed after the value was erased. */
const flagFacts = ({ kind, values }: Flag): unknown[] => {
  const { field } = values;
  return field !== undefined && isPersonalName(field)
    ? [kind, field]
    : [kind, ...Object.entries(values).toSorted(([one], [other]) => compareTexts(one, other))];
};

type Facts = Pick<
  PaymentRow,
  | 'state'
  | 'reason'
  | 'amount'
  | 'currency'
  | 'paymentIds'
  | 'linkUsable'
  | 'expiresAt'
  | 'paidAt'
  | 'basis'
  | 'entries'
  | 'pendingSince'
  | 'flags'
>;

/**
 * The fingerprint of what is known about a payment: state, amounts, money that moved, payment ids, the current link
 * and flags. It does not contain the time of the evidence, notes, shared links or reviews. Repeated evidence gives the
 * same fingerprint, and so do the same events in any order. A resolution names it, and holds while it is the same.
 */
export const fingerprintOf = (payment: Facts): string => {
  const { basis } = payment;
  return sha256(
    JSON.stringify([
      payment.state,
      payment.reason,
      payment.amount,
      payment.currency,
      payment.paymentIds.toSorted(),
      payment.linkUsable,
      payment.expiresAt,
      payment.paidAt !== null,
      basis && [basis.kind, basis.verified],
      payment.entries
        .map(({ kind, amount, isCounter, paymentId }) => JSON.stringify([kind, amount, isCounter, paymentId]))
        .toSorted(),
      payment.pendingSince !== null,
      payment.flags.filter(flag => !isRepetition(flag)).map(flagFacts),
    ]),
  ).slice(0, 32);
};
