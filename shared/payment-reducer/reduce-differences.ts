import { exactAmount } from '../money/wire-amount.ts';
import { bestTermsMatch, type Terms, type TermsMatch } from './evidence/terms.ts';
import type { AttemptHistory } from './reduce-attempts.ts';
import type { Receipt } from './evidence/callbacks.ts';
import type { FlagCollector } from './evidence/flag-collector.ts';
import type { Observation } from './evidence/look-ups.ts';

const fields = ['amount', 'currency', 'description'] as const;

/** Whether `part` is a smaller amount than `whole`. */
const isPartOf = (part: string | null, whole: string | null): boolean => {
  const [smaller, larger] = [exactAmount(part), exactAmount(whole)];
  return smaller !== null && larger !== null && smaller < larger;
};

/**
 * Notes both values if a reported amount, currency or description differs from what had been asked for by then. What
 * was collected of a held amount, or is left after refunds, is no difference. `histories`: of the payment ids.
 */
export const noteDifferences = (
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  histories: readonly AttemptHistory[],
  notes: FlagCollector,
): void => {
  const moved = new Set(
    histories.flatMap(({ operations }) =>
      operations.flatMap(({ kind, amount }) => (kind === 'capture' ? (exactAmount(amount) ?? []) : [])),
    ),
  );
  // Where nothing was requested here, a report is compared with the first one of its payment.
  const firstReports = new Map<string, Receipt | Observation>();
  const keyOf = ({ paymentId }: Receipt | Observation): string => (paymentId ?? '').toLowerCase();
  for (const one of [...receipts.filter(({ trusted }) => trusted), ...observations]) {
    const known = firstReports.get(keyOf(one));
    if (!known || one.index < known.index) firstReports.set(keyOf(one), one);
  }
  const recordsFor = (report: Receipt | Observation): readonly Terms[] => {
    if (report.asked.terms.length > 0) return report.asked.terms;
    const first = firstReports.get(keyOf(report));
    return first ? [first.terms] : [];
  };
  const note = (
    report: Receipt | Observation,
    source: string,
    isExpected: (field: keyof Terms, match: TermsMatch) => boolean,
  ): void => {
    const { terms: theirs, event } = report;
    const match = bestTermsMatch(theirs, recordsFor(report));
    for (const field of fields) {
      if (match[field] || isExpected(field, match)) continue;
      if (field === 'amount' && moved.has(exactAmount(theirs.amount) ?? -1n)) continue;
      const [ours, reported] = [match.ours[field] ?? '', theirs[field] ?? ''];
      notes.add(`${field}-differs`, { field, ours, theirs: reported, source }, [event]);
    }
  };
  for (const receipt of receipts) {
    const { terms, type, verdict } = receipt;
    note(receipt, verdict === 'verified' ? 'callback' : 'callback, not verified', (field, match) => {
      // A refund may be a part of the amount.
      const isRefund = type === 'refund' && field === 'amount';
      return isRefund && match.currency && isPartOf(terms.amount, match.ours.amount);
    });
  }
  for (const observation of observations) {
    // A field that an answer leaves out cannot differ; after a payment and a refund an answer may name what is left.
    const { terms, at, event } = observation;
    const isRest = histories.some(({ movements }) => {
      const before = movements.filter(one => one.at <= at && one.events[0] !== event);
      const paid = before.find(({ kind }) => kind === 'paid')?.amount ?? null;
      return before.some(({ kind }) => kind === 'refund') && isPartOf(terms.amount, paid);
    });
    note(observation, 'look-up', field => terms[field] === null || (field === 'amount' && isRest));
  }
};
