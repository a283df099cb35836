import { sameAmount } from '../../money/wire-amount.ts';

/** The terms of an order: the signed fields except id and order number (§5.3). */
export type Terms = { amount: string | null; currency: string | null; description: string | null };

/** What had been asked for when a piece of evidence was recorded. */
export type Asked = {
  /** The terms of the requests that stand, oldest first. */
  terms: readonly Terms[];
  /** Whether one of them asks to hold the money first (`auth`). */
  isHeldFirst: boolean;
};

export type TermsMatch = { amount: boolean; currency: boolean; description: boolean; ours: Terms };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A description without what a gateway changes on its way: escaping, normal form, white space. */
const plainDescription = (text: string): string =>
  text
    .replaceAll(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Characters from which on a text that was cut at its end still identifies the whole. */
const minCutLength = 30;

/** Whether two descriptions are the same, apart from escaping, normal form, white space or a cut at the end. */
const isSameDescription = (ours: string, theirs: string | null): boolean => {
  if (theirs === null) return false;
  if (ours === theirs) return true;
  const [whole, part] = [plainDescription(ours), plainDescription(theirs)];
  return whole === part || (part.length >= minCutLength && whole.startsWith(part));
};

const matchTerms = (theirs: Terms, ours: Terms): TermsMatch => ({
  amount: ours.amount === null || (theirs.amount !== null && sameAmount(theirs.amount, ours.amount)),
  currency:
    ours.currency === null ||
    (theirs.currency !== null && theirs.currency.toUpperCase() === ours.currency.toUpperCase()),
  description: ours.description === null || isSameDescription(ours.description, theirs.description),
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
