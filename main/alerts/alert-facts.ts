import type { Payment, PaymentRow, PaymentState } from '../../shared/payments/payment.ts';
import { paidStates } from '../../shared/payments/outcomes.ts';
import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import { customerGraceMs, overdueCause } from '../../shared/reports/reconcile.ts';

/** What people may want to know: in a console for one person, from an intake for a channel. */

export type AlertFact<K extends string = string> = {
  /** Identifies the event: every source gives it the same id. */
  id: string;
  kind: K;
  /** Milliseconds. */
  at: number;
  payment: PaymentKey | null;
};

/** A fact about this computer. `occasion`: distinguishes it from the others of its kind. */
export const factOfComputer = <K extends string>(
  kind: K,
  occasion: string | number,
  at: number,
): AlertFact<K> => ({ id: `${kind} ${occasion}`, kind, at, payment: null });

/** A fact about a payment. */
export const factAbout = <K extends string>(
  kind: K,
  { profileId, orderNumber }: PaymentKey,
  occasion: string | number,
  at: number,
): AlertFact<K> => ({
  id: `${kind} ${paymentKey({ profileId, orderNumber })} ${occasion}`,
  kind,
  at,
  payment: { profileId, orderNumber },
});

/** The outcome that a state is, for the customer; null for any other. */
export const outcomeOf = (state: PaymentState): 'paid' | 'declined' | null =>
  paidStates.includes(state) ? 'paid' : state === 'declined' ? 'declined' : null;

/** A paid payment is paid once, from one source or two; it can be declined several times. */
export const outcomeFact = <K extends 'paid' | 'declined'>(
  kind: K,
  payment: Pick<Payment, 'profileId' | 'orderNumber' | 'since'>,
): AlertFact<K> => factAbout(kind, payment, kind === 'paid' ? 'first' : payment.since, payment.since);

/** That the callback of a payment is overdue; null if it is not. */
export const overdueFact = (row: PaymentRow, now: number): AlertFact<'callbacks-overdue'> | null => {
  const cause = overdueCause(row, now);
  return cause === null
    ? null
    : factAbout('callbacks-overdue', row, `${cause} ${row.since}`, row.since + customerGraceMs);
};

/** The ids of the last `maxKnown` facts: an event is one alert, from any source, in any order, any number of times. */
export const createKnownFacts = (maxKnown: number, earlier: readonly string[] = []) => {
  const known = new Set(earlier);
  return {
    /** Returns the facts that were never added. */
    add: <F extends AlertFact>(facts: readonly F[]): F[] => {
      const added = facts.filter(({ id }) => known.size < known.add(id).size);
      for (const id of known) {
        if (known.size <= maxKnown) break;
        known.delete(id);
      }
      return added;
    },
    ids: (): string[] => [...known],
  };
};
