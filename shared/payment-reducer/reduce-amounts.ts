/** Fraction digits kept when two wire amounts are compared: more than any ISO 4217 currency has. */
const scale = 6;
const plain = /^(\d+)(?:\.(\d+))?$/;

/** A wire amount as an exact integer of millionths, so that `100`, `100.0` and `100.00` are one; null when it is no plain decimal. */
export const exactAmount = (text: string): bigint | null => {
  const parts = plain.exec(text.trim());
  if (!parts) return null;
  const fraction = (parts[2] ?? '').replace(/0+$/, '');
  if (fraction.length > scale) return null;
  return BigInt((parts[1] ?? '') + fraction.padEnd(scale, '0'));
};

/** Whether two wire amounts are the same money; texts that are no decimals are the same only byte for byte. */
export const sameAmount = (one: string, other: string): boolean => {
  if (one === other) return true;
  const left = exactAmount(one);
  return left !== null && left === exactAmount(other);
};

/** What an order is about: the signed fields beside id and order number (§5.3). */
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

const matchScore = (matchTo: TermsMatch): number =>
  Number(matchTo.amount) * 4 + Number(matchTo.currency) * 2 + Number(matchTo.description);

/**
 * How far a report agrees with what was asked for. An order may have been raised more than once with
 * different terms, so the closest request counts; of equally close ones the latest.
 * `records`: oldest first, at least one, or nothing to compare with.
 */
export const bestTermsMatch = (theirs: Terms, records: readonly Terms[]): TermsMatch => {
  let best: TermsMatch | null = null;
  for (const ours of records) {
    const found = matchTerms(theirs, ours);
    if (!best || matchScore(found) >= matchScore(best)) best = found;
  }
  return best ?? { amount: true, currency: true, description: true, ours: theirs };
};
