import { sameAmount } from '../money/wire-amount.ts';

/** The terms of an order: the signed fields except id and order number (§5.3). */
export type Terms = { amount: string | null; currency: string | null; description: string | null };

export type TermsMatch = { amount: boolean; currency: boolean; description: boolean; ours: Terms };

const matchTerms = (theirs: Terms, ours: Terms): TermsMatch => ({
  amount: ours.amount === null || (theirs.amount !== null && sameAmount(theirs.amount, ours.amount)),
  currency:
    ours.currency === null ||
    (theirs.currency !== null && theirs.currency.toUpperCase() === ours.currency.toUpperCase()),
  description: ours.description === null || theirs.description === ours.description,
  ours,
});

const matchScore = ({ amount, currency, description }: TermsMatch): number =>
  Number(amount) * 4 + Number(currency) * 2 + Number(description);

/**
 * How far a report agrees with our request. An order may have several requests with different terms, so the closest
 * one counts; of equally close ones the latest. `records`: oldest first; empty means nothing to compare with.
 */
export const bestTermsMatch = (theirs: Terms, records: readonly Terms[]): TermsMatch => {
  let best: TermsMatch | null = null;
  for (const ours of records) {
    const found = matchTerms(theirs, ours);
    if (!best || matchScore(found) >= matchScore(best)) best = found;
  }
  return best ?? { amount: true, currency: true, description: true, ours: theirs };
};
