import { paymentFilterSchema, type PaymentFilter } from '../../../shared/contract/contract.ts';
import { paymentEvents, spacingOf } from '../payments.ts';

/** A typical query of the list, and the same as hand-written SQL by an expert on the tables. */
export type Question = { filter: PaymentFilter; sql: string; values: readonly (string | number)[] };

/** Rows of a first page, and one more to detect a next page. */
export const pageRows = 50;

const day = 86_400_000;
const page = `ORDER BY p.payment DESC LIMIT ${pageRows + 1}`;
const byFacet = (where: string): string =>
  `SELECT p."row" FROM listed p JOIN facet f ON f.id = p.facet WHERE ${where} ${page}`;
const question = (
  filter: Partial<PaymentFilter>,
  sql: string,
  values: readonly (string | number)[] = [],
): Question => ({ filter: paymentFilterSchema.parse(filter), sql, values });

const trigrams = (word: string): string =>
  Array.from({ length: word.length - 2 }, (_, at) => `"${word.slice(at, at + 3)}"`).join(' AND ');

/** The index finds a word through all of its trigrams; the text shows whether they are adjacent. */
const words = (typed: string, more: Partial<PaymentFilter> = {}, where = '1'): Question => {
  const all = typed.toLowerCase().split(' ');
  return question(
    { words: typed, ...more },
    `SELECT p."row" FROM search s JOIN listed p ON p.payment = s.rowid JOIN facet f ON f.id = p.facet
     WHERE s.search MATCH ? AND ${all.map(() => 'instr(p.words, ?) > 0').join(' AND ')} AND ${where}
     ORDER BY s.rowid DESC LIMIT ${pageRows + 1}`,
    [all.map(trigrams).join(' AND '), ...all],
  );
};

/** The data of the first payment from `index` on that was created here and paid. */
const onePaid = (
  index: number,
  count: number,
  lastAt: number,
): { paymentId: string; customer: { email?: string | undefined } | null; amount: string } => {
  const events = paymentEvents(index, count, lastAt);
  const [first] = events;
  const paymentId = events.find(event => event.paymentId !== null)?.paymentId;
  return first?.kind === 'session.requested' && paymentId
    ? { paymentId, customer: first.body.customer, amount: first.body.amount }
    : onePaid(index + 1, count, lastAt);
};

/**
 * Rare and common filters and words, alone and together, of a log of `count` payments from payments.ts. `lastAt`:
 * milliseconds at which the last of them was created.
 */
export const questionsOf = (count: number, lastAt: number): Question[] => {
  const { paymentId, customer, amount } = onePaid(Math.floor(count / 3), count, lastAt);
  const from = lastAt - Math.floor((count * spacingOf(count)) / 2);
  return [
    question({}, `SELECT p."row" FROM listed p ${page}`),
    question({ profileId: 'shop' }, byFacet("f.profile_id = 'shop'")),
    question({ states: ['paid-confirmed'] }, byFacet("f.state = 'paid-confirmed'")),
    question({ states: ['declined', 'refunded'] }, byFacet("f.state IN ('declined', 'refunded')")),
    question({ states: ['chargeback'] }, byFacet("f.state = 'chargeback'")),
    question({ currency: 'EUR' }, byFacet("f.currency = 'EUR'")),
    question({ currency: 'JPY' }, byFacet("f.currency = 'JPY'")),
    question(
      { flags: ['sources-disagree'] },
      `SELECT p."row" FROM payment_flag g JOIN listed p ON p.payment = g.payment
       WHERE g.flag = 'sources-disagree' ORDER BY g.payment DESC LIMIT ${pageRows + 1}`,
    ),
    question(
      { from, until: from + day },
      `SELECT p."row" FROM listed p WHERE p.payment BETWEEN (SELECT min(low) FROM day WHERE day BETWEEN ? AND ?)
         AND (SELECT max(high) FROM day WHERE day BETWEEN ? AND ?) AND p.first_at >= ? AND p.first_at < ? ${page}`,
      [...[from, from + day, from, from + day].map(instant => Math.floor(instant / day)), from, from + day],
    ),
    question(
      { profileId: 'shop', states: ['declined'], currency: 'PLN' },
      byFacet("f.profile_id = 'shop' AND f.state = 'declined' AND f.currency = 'PLN'"),
    ),
    words('membership'),
    words('nowak'),
    words('anna nowak'),
    words('ann'),
    words('zebra'),
    words(`CF-2026-${String(Math.floor(count / 2)).padStart(7, '0')}`),
    words(paymentId),
    words(customer?.email ?? 'anna'),
    words(amount),
    words(
      'bicycle',
      { currency: 'SEK', states: ['declined'] },
      "f.currency = 'SEK' AND f.state = 'declined'",
    ),
  ];
};
