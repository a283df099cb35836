import { currencyCodes } from '../money/currencies.ts';
import { readAmountInAnyLocale } from '../money/typed-amount.ts';
import { wireForms, wireOf } from '../money/wire-amount.ts';
import { raisedStates } from '../payments/outcomes.ts';
import type { FlagKind, PaymentState } from '../payments/payment.ts';
import { daysOf, rangeOf } from './query-days.ts';
import { keyedPart, type RequestedProfile, type KeyedPart } from './query-keys.ts';
import { folded } from './fold-text.ts';

/** A recognised part of the search text; `start` and `end` are its position. */
export type QueryChip = { start: number; end: number; text: string } & (
  | KeyedPart
  /** `group`: the single word that named them. */
  | { kind: 'states'; states: readonly PaymentState[]; group: StateGroup }
  | { kind: 'amount'; amount: string; currency: string | null }
);

export type SearchQuery = {
  /** The remaining search words. */
  words: string;
  states: readonly PaymentState[];
  flags: readonly FlagKind[];
  /** Milliseconds, half-open. */
  from: number | null;
  until: number | null;
  currency: string | null;
  raisedHere: boolean | null;
  agent: string | null;
  /** Null if the text selects no profile. */
  profile: RequestedProfile | null;
  chips: readonly QueryChip[];
};

const groups = {
  paid: ['paid-unconfirmed', 'paid-confirmed'],
  open: ['waiting', 'started', 'bank-check', 'processing'],
  expired: ['expired'],
  failed: ['declined', 'refused', 'expired'],
  declined: ['declined'],
  refunded: ['refunded', 'part-refunded', 'refund-seen'],
  reversed: ['voided', 'reversed'],
  disputed: ['chargeback'],
  unknown: ['outcome-unknown', 'needs-attention'],
  'with-link': raisedStates,
} as const satisfies Record<string, readonly PaymentState[]>;
export type StateGroup = keyof typeof groups;

/** Words for groups of states, folded: English, then German. */
const stateWords: Readonly<Record<StateGroup, readonly string[]>> = {
  paid: ['paid', 'bezahlt'],
  open: ['open', 'pending', 'offen', 'offene'],
  expired: ['expired', 'abgelaufen'],
  failed: ['failed', 'unpaid', 'unbezahlt', 'fehlgeschlagen'],
  declined: ['declined', 'abgelehnt'],
  refunded: ['refunded', 'refund', 'erstattet', 'erstattung'],
  reversed: ['reversed', 'voided', 'storniert'],
  disputed: ['disputed', 'chargeback', 'ruckbuchung'],
  unknown: ['unknown', 'unbekannt'],
  'with-link': ['with-link', 'mit-link'],
};
const groupOf = new Map(
  Object.entries(stateWords).flatMap(([group, words]) => words.map(word => [word, group as StateGroup])),
);

/** The group that is exactly these states, in any order; null if there is none. */
export const groupOfStates = (states: readonly PaymentState[]): StateGroup | null =>
  (Object.keys(groups) as StateGroup[]).find(
    group => groups[group].length === states.length && groups[group].every(state => states.includes(state)),
  ) ?? null;

/** Signs of currencies, in lower case. */
const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  us$: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  zł: 'PLN',
  kč: 'CZK',
  r$: 'BRL',
  a$: 'AUD',
  c$: 'CAD',
  '₺': 'TRY',
  '₴': 'UAH',
  '₹': 'INR',
  '₪': 'ILS',
  '₩': 'KRW',
  '₫': 'VND',
  '₱': 'PHP',
  '₦': 'NGN',
  '₸': 'KZT',
};
const codes = new Set(currencyCodes);

const currencyOf = (word: string | undefined): string | null => {
  if (word === undefined) return null;
  const code = symbols[word.toLowerCase()] ?? word.toUpperCase();
  return codes.has(code) ? code : null;
};

/** One currency for each number of digits that a currency can have; the search index writes no digits as two. */
const anyCurrency = ['EUR', 'KWD', 'CLF'];

/** An amount of one currency in every form the wire may hold it; empty when no locale's form would take it. */
const amountForms = (typed: string, currency: string): string[] => {
  const minor = readAmountInAnyLocale(typed, currency);
  return minor === null ? [] : wireForms(minor, currency);
};

/** The word that finds an amount in each of these forms. */
const exactWord = (forms: readonly string[]): string => `=${forms.join('|')}`;

/** Characters of an amount, between its first digit and a currency's code. */
const marks = "\\p{Nd}.,'’‘ʼ´`٫٬，．\\p{Cf}";
/** A currency's sign or code, directly before or behind an amount. */
const unit = `(${Object.keys(symbols)
  .map(symbol => symbol.replace('$', '\\$'))
  .join('|')}|[a-z]{3})`;
const unitBehind = new RegExp(`${unit}$`, 'iu');
const amountPart = new RegExp(`^${unit}?(\\p{Nd}[${marks}]*)${unit}?$`, 'iu');
/** The continuation after a blank that groups: two or three digits, and possible characters after them. */
const groupPart = new RegExp(`^\\p{Nd}{2,3}(?!\\p{Nd})[${marks}]*${unit}?$`, 'iu');

/** The currency of an earlier chip. */
const currencyIn = (chips: readonly QueryChip[]): string | null =>
  chips
    .map(chip => (chip.kind === 'amount' || chip.kind === 'currency' ? chip.currency : null))
    .find(currency => currency !== null) ?? null;

/** Kinds that may occur several times; of the others only the first counts. */
const severalAtOnce: ReadonlySet<QueryChip['kind']> = new Set(['states', 'flags']);

/** `=50`, `=1.234,50`: an amount in any currency, with the digits of each; empty if it is not an amount. */
export const exactAmounts = (word: string): string[] =>
  word.startsWith('=')
    ? [...new Set(anyCurrency.flatMap(currency => amountForms(word.slice(1), currency)))]
    : [];

/** Words of the longest date: `Nov 3, 2026, 9:05 AM`. */
const maxDateWords = 5;

type Token = { text: string; start: number; end: number; quoted: boolean };

/** An amount at the start of some tokens, including blanks that group digits, and the number of tokens it uses. */
const amountAt = (
  tokens: readonly Token[],
  named: string | null,
): { minor: bigint; currency: string; taken: number } | null => {
  const [first] = tokens;
  const begin = first && amountPart.exec(first.text);
  if (!begin || (named !== null && (begin[1] ?? begin[3]) !== undefined)) return null;
  // Letters before a number are most often those of an order number.
  if (begin[1] !== undefined && currencyOf(begin[1]) === null) return null;
  const isComplete = begin[3] === undefined;
  const more = isComplete ? tokens.slice(1).findIndex(token => !groupPart.test(token.text)) : 0;
  for (let last = more < 0 ? tokens.length - 1 : more; last >= 0; last -= 1) {
    const typed = tokens
      .slice(0, last + 1)
      .map(token => token.text)
      .join(' ');
    const suffix = named !== null ? undefined : unitBehind.exec(typed)?.[1];
    const figures = typed.slice(begin[1]?.length ?? 0, suffix === undefined ? undefined : -suffix.length);
    const own = named ?? currencyOf(begin[1] ?? suffix);
    const behind = own === null && suffix === undefined ? currencyOf(tokens[last + 1]?.text) : null;
    const currency = own ?? behind;
    const minor = currency === null ? null : readAmountInAnyLocale(figures, currency);
    if (currency !== null && minor !== null)
      return { minor, currency, taken: last + (behind === null ? 1 : 2) };
  }
  return null;
};

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/"([^"]*)"|[^\s"]+|"/g), match => ({
    text: match[1] ?? match[0],
    start: match.index,
    end: match.index + match[0].length,
    quoted: match[1] !== undefined,
  }));

/**
 * Parses the text of the search box as far as possible: `paid today 50 EUR`, `offen gestern`, `€12,50`, `21.11.`.
 * Unrecognised or quoted parts remain search words. `now` in milliseconds; days are local ones.
 */
export const readQuery = (text: string, now: number): SearchQuery => {
  const tokens = tokensOf(text);
  const chips: QueryChip[] = [];
  const words: string[] = [];
  const has = (kind: QueryChip['kind']): boolean => chips.some(chip => chip.kind === kind);
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const next = tokens[at + 1];
    const span = (last: Token): { start: number; end: number; text: string } => ({
      start: token.start,
      end: last.end,
      text: text.slice(token.start, last.end),
    });
    if (token.quoted) {
      if (token.text.trim() !== '') words.push(token.text.trim());
      continue;
    }
    const word = folded(token.text);
    const group = groupOf.get(word);
    if (group !== undefined) {
      chips.push({ ...span(token), kind: 'states', states: groups[group], group });
      continue;
    }
    // A name with blanks is quoted: `agent:"Ada L."`.
    const quoted = token.text.endsWith(':') && next?.quoted && next.start === token.end ? next : null;
    const keyed = keyedPart(token.text, quoted?.text ?? null, now);
    const taken = keyed?.kind === 'currency' ? currencyIn(chips) !== null : keyed !== null && has(keyed.kind);
    if (keyed !== null && (severalAtOnce.has(keyed.kind) || !taken)) {
      chips.push({ ...span(quoted ?? token), ...keyed });
      if (quoted) at += 1;
      continue;
    }
    const exact = exactAmounts(token.text);
    const [amount] = exact;
    if (amount !== undefined) {
      words.push(exactWord(exact));
      chips.push({ ...span(token), kind: 'amount', amount, currency: null });
      continue;
    }
    const following = tokens.slice(at);
    const quotedAt = following.findIndex(one => one.quoted);
    const plain = quotedAt < 0 ? following : following.slice(0, quotedAt);
    const range = has('days') ? null : rangeOf(word, now);
    const found = has('days')
      ? null
      : range
        ? { span: 1, days: range }
        : daysOf([word, ...plain.slice(1, maxDateWords).map(one => folded(one.text))], now);
    if (found) {
      const last = plain[found.span - 1] ?? token;
      chips.push({ ...span(last), kind: 'days', from: found.days[0], until: found.days[1] });
      at += found.span - 1;
      continue;
    }
    if (currencyIn(chips) === null) {
      const before = currencyOf(token.text);
      const isNamed = before !== null && (token.text === before || token.text.toLowerCase() in symbols);
      const found = isNamed ? amountAt(plain.slice(1), before) : amountAt(plain, null);
      const last = found && plain[found.taken - (isNamed ? 0 : 1)];
      if (found && last) {
        const { minor, currency } = found;
        words.push(exactWord(wireForms(minor, currency)));
        chips.push({ ...span(last), kind: 'amount', amount: wireOf(minor, currency), currency });
        at += found.taken - (isNamed ? 0 : 1);
        continue;
      }
      if (isNamed) {
        chips.push({ ...span(token), kind: 'currency', currency: before });
        continue;
      }
    }
    words.push(token.text);
  }
  const one = <K extends QueryChip['kind']>(kind: K) =>
    chips.find((chip): chip is Extract<QueryChip, { kind: K }> => chip.kind === kind);
  return {
    words: words.join(' '),
    states: [...new Set(chips.flatMap(chip => (chip.kind === 'states' ? chip.states : [])))],
    flags: [...new Set(chips.flatMap(chip => (chip.kind === 'flags' ? chip.flags : [])))],
    from: one('days')?.from ?? null,
    until: one('days')?.until ?? null,
    currency: currencyIn(chips),
    raisedHere: one('raised')?.here ?? null,
    agent: one('agent')?.agent ?? null,
    profile: one('profile')?.profile ?? null,
    chips,
  };
};
