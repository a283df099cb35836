import { createHash } from 'node:crypto';
import {
  placeOfOutcome,
  type AlertChoices,
  type AlertKind,
  type AlertPlace,
} from '../../../shared/alerts/alert.ts';
import { createKnownFacts, type AlertFact } from '../../alerts/alert-facts.ts';

/** A fact with what decides for whom it is. */
export type ConsoleFact = AlertFact<AlertKind> & {
  /** Who created the link; null if it was not created here. */
  createdBy: string | null;
  /** The person to whom a payment was assigned, and who assigned it. */
  assignee: string | null;
  by: string | null;
  /** When the link expires, milliseconds. */
  expiresAt: number | null;
};

/** `fact` in a console, without what only some kinds have. */
export const inConsole = (
  fact: AlertFact<AlertKind>,
  fields: Partial<Pick<ConsoleFact, 'createdBy' | 'assignee' | 'by' | 'expiresAt'>> = {},
): ConsoleFact => ({ ...fact, createdBy: null, assignee: null, by: null, expiresAt: null, ...fields });

/** Where a person sees a fact. `mayExport`: whether their role may export; others cannot mend a failed export. */
export const placeOf = (
  fact: ConsoleFact,
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

/** The facts of this run. */
export const createAlertBook = () => {
  let facts: readonly ConsoleFact[] = [];
  const known = createKnownFacts(maxKnown);
  return {
    /** Adds facts that were never added; returns these. */
    add: (found: readonly ConsoleFact[]): ConsoleFact[] => {
      const added = known.add(found);
      if (added.length > 0)
        facts = [...facts, ...added].toSorted((one, other) => other.at - one.at).slice(0, maxFacts);
      return added;
    },
    /** Removes facts that are over; one that is removed is not added again. Returns whether there were any. */
    remove: (isOver: (fact: ConsoleFact) => boolean): boolean => {
      const left = facts.filter(fact => !isOver(fact));
      const hasChanged = left.length < facts.length;
      facts = left;
      return hasChanged;
    },
    /** The newest first. */
    facts: (): readonly ConsoleFact[] => facts,
  };
};
