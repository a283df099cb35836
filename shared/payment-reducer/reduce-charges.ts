import type { Operation } from '../operations/operation.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';
import type { Terms } from './evidence/terms.ts';
import { answerOf, operationOf, type OperationRecord } from './ledger/requests.ts';
import type { Base } from './reduce-requests.ts';

/** Recurring charges: their order is a new one, so that the request is the first evidence of a payment. */

/** The terms of a charge, as requested. */
export const chargeTermsOf = ({ requested: { body } }: OperationRecord): Terms => ({
  amount: body.amount,
  currency: body.currency,
  description: body.charge?.description ?? null,
});

/** Charges that the gateway may have carried out, otherwise all. */
export const standingCharges = (charges: readonly OperationRecord[]): readonly OperationRecord[] => {
  const standing = charges.filter(({ ended }) => ended?.kind !== 'operation.refused');
  return standing.length > 0 ? standing : charges;
};

/** The state from the charges of an order alone. Throws a RangeError if there are none. */
export const baseOfCharges = (charges: readonly OperationRecord[]): Base => {
  const last = standingCharges(charges).at(-1);
  if (!last) throw new RangeError('An order without a charge.');
  const { requested, ended } = last;
  const { id: event, happenedAt: since } = ended ?? requested;
  const basis = (kind: 'acceptance' | 'request' | 'silence') => ({ event, at: since, verified: false, kind });
  if (ended?.kind === 'operation.answered')
    // The answer may name the result, but it is not signed: until a callback or a look-up it is in progress.
    return { state: 'processing', since, basis: basis('acceptance'), reason: ended.body.report.reason };
  if (ended?.kind === 'operation.refused')
    return { state: 'refused', since, basis: basis('request'), reason: ended.body.message };
  return {
    state: 'outcome-unknown',
    since,
    basis: basis('silence'),
    reason: ended?.body.message ?? null,
  };
};

/** What the state of a charge's payment proves about the charge. */
const results: Partial<Record<PaymentState, 'done' | 'failed'>> = {
  'paid-confirmed': 'done',
  'paid-unconfirmed': 'done',
  'refund-seen': 'done',
  'part-refunded': 'done',
  refunded: 'done',
  chargeback: 'done',
  declined: 'failed',
};

/** The charges of an order as operations. `state`, `since`: of its payment, by callbacks and look-ups; null: none. */
export const chargeOperations = (
  charges: readonly OperationRecord[],
  verdict: { state: PaymentState; since: number; isByCallback: boolean } | null,
): Operation[] => {
  const operations = charges.map(({ requested, ended }) =>
    operationOf(requested, { ...answerOf(ended), since: (ended ?? requested).happenedAt, provenBy: null }),
  );
  const last = operations.findLast(({ state }) => state !== 'refused' && state !== 'not-sent');
  const result = verdict && results[verdict.state];
  if (last && verdict && result)
    Object.assign(last, {
      state: result,
      since: verdict.since,
      provenBy: verdict.isByCallback ? 'callback' : 'look-up',
    });
  return operations;
};
