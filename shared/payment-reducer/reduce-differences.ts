import { exactAmount } from '../money/wire-amount.ts';
import { bestTermsMatch, type Terms, type TermsMatch } from './reduce-amounts.ts';
import type { Receipt } from './reduce-callbacks.ts';
import type { FlagCollector } from './flag-collector.ts';
import type { Observation } from './reduce-look-ups.ts';

const fields = ['amount', 'currency', 'description'] as const;

/** Whether `part` is a smaller amount than `whole`. */
const isPartOf = (part: string | null, whole: string | null): boolean => {
  const [smaller, larger] = [exactAmount(part), exactAmount(whole)];
  return smaller !== null && larger !== null && smaller < larger;
};

/** Notes both values if a reported amount, currency or description differs from the request. `records`: our requests. */
export const noteDifferences = (
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  records: readonly Terms[],
  notes: FlagCollector,
): void => {
  const note = (
    theirs: Terms,
    source: string,
    event: string,
    isExpected: (field: keyof Terms, match: TermsMatch) => boolean,
  ): void => {
    const match = bestTermsMatch(theirs, records);
    for (const field of fields) {
      if (match[field] || isExpected(field, match)) continue;
      const [ours, reported] = [match.ours[field] ?? '', theirs[field] ?? ''];
      notes.add(`${field}-differs`, { field, ours, theirs: reported, source }, [event]);
    }
  };
  for (const { terms, type, event, verdict } of receipts) {
    note(terms, verdict === 'verified' ? 'callback' : 'callback, not verified', event, (field, match) => {
      // A refund may be a part of the amount.
      const isRefund = type === 'refund' && field === 'amount';
      return isRefund && match.currency && isPartOf(terms.amount, match.ours.amount);
    });
  }
  for (const { terms, event } of observations) {
    // A field that an answer leaves out cannot differ.
    note(terms, 'look-up', event, field => terms[field] === null);
  }
};
