import { createHash } from 'node:crypto';
import {
  placeOfOutcome,
  type AlertChoices,
  type AlertKind,
  type AlertPlace,
} from '../../../shared/alerts/alert.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';

/** Something that people may want to know. */
export type AlertFact = {
  /** Identifies the event: every source gives it the same id. */
  id: string;
  kind: AlertKind;
  /** Milliseconds. */
  at: number;
  payment: PaymentKey | null;
  /** Who created the link; null if it was not created here. */
  createdBy: string | null;
  /** The person to whom a payment was assigned, and who assigned it. */
  assignee: string | null;
  by: string | null;
  /** When the link expires, milliseconds. */
  expiresAt: number | null;
};

/** A fact of this computer, about no payment. */
export const factOfComputer = (kind: AlertKind, at: number): AlertFact => ({
  id: `${kind} ${at}`,
  kind,
  at,
  payment: null,
  createdBy: null,
  assignee: null,
  by: null,
  expiresAt: null,
});

/** A fact of one payment, without what only some kinds have. */
export const factAbout = (
  kind: AlertKind,
  payment: PaymentKey,
  /** Distinguishes it from the other facts of this kind about this payment. */
  occasion: string | number,
  fields: Pick<AlertFact, 'at'> & Partial<AlertFact>,
): AlertFact => ({
  id: `${kind} ${paymentKey(payment)} ${occasion}`,
  kind,
  payment: { profileId: payment.profileId, orderNumber: payment.orderNumber },
  createdBy: null,
  assignee: null,
  by: null,
  expiresAt: null,
  ...fields,
});

/** Where a person sees a fact. `mayExport`: whether their role may export; others cannot mend a failed export. */
export const placeOf = (
  fact: AlertFact,
  { name, mayExport }: { name: string; mayExport: boolean },
  choices: AlertChoices,
): AlertPlace => {
  const { kind } = fact;
  if (kind === 'paid' || kind === 'declined') return placeOfOutcome(kind, fact.createdBy, name, choices);
  if (kind === 'link-expiring' && fact.createdBy !== name) return 'off';
  if (kind === 'assigned-to-me' && (fact.assignee !== name || fact.by === name)) return 'off';
  if (kind === 'export-failed' && !mayExport) return 'off';
  return choices.places[kind];
};

/** A short mark of an alert's id, which contains an order number. */
export const markOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16);

/** Limit of facts in memory, and of known ids. */
const maxFacts = 500;
const maxKnown = 20_000;

export type AlertBook = {
  /** Adds facts that were never added; returns these. */
  add(facts: readonly AlertFact[]): AlertFact[];
  /** Removes facts that are over; one that is removed is not added again. Returns whether there were any. */
  remove(isOver: (fact: AlertFact) => boolean): boolean;
  /** The newest first. */
  facts(): readonly AlertFact[];
};

/** The facts of this run. An event is added once, in any order and from any source. */
export const createAlertBook = (): AlertBook => {
  let facts: readonly AlertFact[] = [];
  /** Ids in the order of arrival, so that the oldest are dropped first. */
  const known = new Set<string>();
  return {
    add: found => {
      const added: AlertFact[] = [];
      for (const fact of found) {
        if (known.has(fact.id)) continue;
        known.add(fact.id);
        added.push(fact);
      }
      for (const id of known) {
        if (known.size <= maxKnown) break;
        known.delete(id);
      }
      if (added.length > 0)
        facts = [...facts, ...added].toSorted((one, other) => other.at - one.at).slice(0, maxFacts);
      return added;
    },
    remove: isOver => {
      const left = facts.filter(fact => !isOver(fact));
      const hasChanged = left.length < facts.length;
      facts = left;
      return hasChanged;
    },
    facts: () => facts,
  };
};
