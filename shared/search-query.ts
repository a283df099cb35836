import { currencyCodes, exponentOf } from './currencies.ts';
import type { FlagKind, PaymentState } from './payment.ts';
import { daysOf, rangeOf } from './query-days.ts';
import { keyedPart, type AskedProfile, type KeyedPart } from './query-keys.ts';
import { folded } from './search-words.ts';

/** What a part of the search box was understood as; `start` and `end` are where it stands in the text. */
export type QueryChip = { start: number; end: number; text: string } & (
  | KeyedPart
  /** `group`: the one word they were named by. */
  | { kind: 'states'; states: readonly PaymentState[]; group: StateGroup }
  | { kind: 'amount'; amount: string; currency: string | null }
);

export type SearchQuery = {
  /** What is left to be found as words. */
  words: string;
  states: readonly PaymentState[];
  flags: readonly FlagKind[];
  /** Milliseconds, half-open. */
  from: number | null;
  until: number | null;
  currency: string | null;
  raisedHere: boolean | null;
  agent: string | null;
  /** Null when the words say nothing of it. */
  profile: AskedProfile | null;
  chips: readonly QueryChip[];
};

const groups = {
  paid: ['paid-unconfirmed', 'paid-confirmed'],
  open: ['waiting', 'started', 'bank-check', 'processing'],
  expired: ['expired'],
  failed: ['declined', 'refused', 'expired'],
  declined: ['declined'],
  refunded: ['refunded', 'part-refunded'],
  reversed: ['voided', 'reversed'],
  disputed: ['chargeback'],
  unknown: ['outcome-unknown', 'needs-attention'],
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
};
const groupOf = new Map(
  Object.entries(stateWords).flatMap(([group, words]) => words.map(word => [word, group as StateGroup])),
);

/** The group that is exactly these states, in whatever order; null when none is. */
export const groupOfStates = (states: readonly PaymentState[]): StateGroup | null =>
  (Object.keys(groups) as StateGroup[]).find(
    group => groups[group].length === states.length && groups[group].every(state => states.includes(state)),
  ) ?? null;

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' };
const codes = new Set(currencyCodes);

const currencyOf = (word: string | undefined): string | null => {
  if (word === undefined) return null;
  const code = symbols[word] ?? word.toUpperCase();
  return codes.has(code) ? code : null;
};

/** A number of money as people type it, in the wire's form; null when it is none. */
const amountOf = (word: string, currency: string): string | null => {
  const digits = exponentOf(currency) ?? 2;
  const read = /^(\d{1,3}(?:[.,' ]\d{3})+|\d{1,9})(?:[.,](\d{1,3}))?$/.exec(word);
  if (!read || (read[2]?.length ?? 0) > digits) return null;
  const whole = (read[1] ?? '').replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return digits === 0 ? whole : `${whole}.${(read[2] ?? '').padEnd(digits, '0')}`;
};

/** The currency that a part has named already. */
const currencyIn = (chips: readonly QueryChip[]): string | null =>
  chips
    .map(chip => (chip.kind === 'amount' || chip.kind === 'currency' ? chip.currency : null))
    .find(currency => currency !== null) ?? null;

/** Of these each names more; of the rest the first counts. */
const severalAtOnce: ReadonlySet<QueryChip['kind']> = new Set(['states', 'flags']);

/** `=50`, `=1.234,50`: an amount in whatever currency, with the digits that most have. */
export const exactAmount = (word: string): string | null =>
  /^=\d/.test(word) ? (amountOf(word.slice(1), 'EUR') ?? amountOf(word.slice(1), 'KWD')) : null;

type Token = { text: string; start: number; end: number; quoted: boolean };

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/"([^"]*)"|[^\s"]+|"/g), match => ({
    text: match[1] ?? match[0],
    start: match.index,
    end: match.index + match[0].length,
    quoted: match[1] !== undefined,
  }));

/**
 * Understands what people type into the search box, as far as they do: `paid today 50 EUR`, `offen gestern`,
 * `€12,50`, `21.11.`. What is not understood, or stands in quotes, stays a word to be found.
 * `now` in milliseconds; days are local ones.
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
    const plainNext = next && !next.quoted ? next : undefined;
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
    // A name with blanks stands in quotes: `agent:"Ada L."`.
    const quoted = token.text.endsWith(':') && next?.quoted && next.start === token.end ? next : null;
    const keyed = keyedPart(token.text, quoted?.text ?? null, now);
    const taken = keyed?.kind === 'currency' ? currencyIn(chips) !== null : keyed !== null && has(keyed.kind);
    if (keyed !== null && (severalAtOnce.has(keyed.kind) || !taken)) {
      chips.push({ ...span(quoted ?? token), ...keyed });
      if (quoted) at += 1;
      continue;
    }
    const exact = exactAmount(word);
    if (exact !== null) {
      words.push(`=${exact}`);
      chips.push({ ...span(token), kind: 'amount', amount: exact, currency: null });
      continue;
    }
    const range = has('days') ? null : rangeOf(word, now);
    const found = has('days')
      ? null
      : range
        ? { span: 1, days: range }
        : daysOf(word, plainNext ? folded(plainNext.text) : null, now);
    if (found) {
      const last = found.span === 2 && plainNext ? plainNext : token;
      chips.push({ ...span(last), kind: 'days', from: found.days[0], until: found.days[1] });
      if (found.span === 2) at += 1;
      continue;
    }
    if (currencyIn(chips) === null) {
      const glued = /^([€$£¥])?(\d[\d.,']*)([€$£¥]|[a-z]{3})?$/.exec(word);
      const own = currencyOf(glued?.[1] ?? glued?.[3]);
      const after = glued && own === null && glued[3] === undefined ? currencyOf(plainNext?.text) : null;
      const ofAmount = own ?? after;
      const amount = glued && ofAmount !== null ? amountOf(glued[2] ?? '', ofAmount) : null;
      if (ofAmount !== null && amount !== null) {
        words.push(`=${amount}`);
        chips.push({
          ...span(after !== null && plainNext ? plainNext : token),
          kind: 'amount',
          amount,
          currency: ofAmount,
        });
        if (after !== null) at += 1;
        continue;
      }
      const before = currencyOf(token.text);
      if (before !== null && (token.text === before || token.text in symbols)) {
        const following = plainNext ? amountOf(plainNext.text, before) : null;
        if (following !== null && plainNext) {
          words.push(`=${following}`);
          chips.push({ ...span(plainNext), kind: 'amount', amount: following, currency: before });
          at += 1;
        } else {
          chips.push({ ...span(token), kind: 'currency', currency: before });
        }
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
