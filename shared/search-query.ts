import { currencyCodes, exponentOf } from './currencies.ts';
import type { PaymentState } from './payment.ts';
import { folded } from './search-words.ts';

/** What a part of the search box was understood as; `start` and `end` are where it stands in the text. */
export type QueryChip = { start: number; end: number; text: string } & (
  | { kind: 'states'; group: StateGroup }
  | { kind: 'days'; from: number; until: number }
  | { kind: 'amount'; amount: string; currency: string }
  | { kind: 'currency'; currency: string }
  | { kind: 'raised'; here: boolean }
  | { kind: 'agent'; agent: string }
);

export type SearchQuery = {
  /** What is left to be found as words. */
  words: string;
  states: readonly PaymentState[];
  /** Milliseconds, half-open. */
  from: number | null;
  until: number | null;
  currency: string | null;
  raisedHere: boolean | null;
  agent: string | null;
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

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' };
const codes = new Set(currencyCodes);

/** Midnight, local time, of the day that many days from `now`'s. */
const midnight = (now: number, days = 0): number => {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
};

const oneDay = (year: number, month: number, day: number): [number, number] | null => {
  const from = new Date(year, month - 1, day);
  if (from.getMonth() !== month - 1 || from.getDate() !== day || year < 2000 || year > 2100) return null;
  return [from.getTime(), new Date(year, month - 1, day + 1).getTime()];
};

/** A day or a week, by name or by date; a date without a year is the last one that was. */
type Days = { span: 1 | 2; days: [number, number] };
const daysOf = (word: string, next: string | null, now: number): Days | null => {
  const monday = -((new Date(now).getDay() + 6) % 7);
  const one = (days: [number, number] | null) => days && { span: 1 as const, days };
  if (word === 'today' || word === 'heute') return one([midnight(now), midnight(now, 1)]);
  if (word === 'yesterday' || word === 'gestern') return one([midnight(now, -1), midnight(now)]);
  if (next === 'week' || next === 'woche') {
    if (word === 'this' || word === 'diese')
      return { span: 2, days: [midnight(now, monday), midnight(now, monday + 7)] };
    if (word === 'last' || word === 'letzte')
      return { span: 2, days: [midnight(now, monday - 7), midnight(now, monday)] };
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word);
  if (iso) return one(oneDay(Number(iso[1]), Number(iso[2]), Number(iso[3])));
  const local = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(word);
  if (!local) return null;
  const [day, month] = [Number(local[1]), Number(local[2])];
  const year = local[3] === undefined ? new Date(now).getFullYear() : Number(local[3]);
  const days = oneDay(year, month, day);
  return one(local[3] === undefined && days && days[0] > now ? oneDay(year - 1, month, day) : days);
};

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

/** Words for whether a payment was raised at this desk: English, then German. */
const raisedWords: ReadonlyMap<string, boolean> = new Map([
  ['raised:here', true],
  ['raised:elsewhere', false],
  ['angelegt:hier', true],
  ['angelegt:anderswo', false],
]);

/** Days from one to another, both of them included: `2026-10-23..2026-11-21`, `23.10.–21.11.`. */
const rangeOf = (word: string, now: number): [number, number] | null => {
  const [first, last, ...more] = word.split(/\.{2}(?!\.)|–/);
  if (first === undefined || last === undefined || more.length > 0) return null;
  const from = daysOf(first, null, now);
  const until = daysOf(last, null, now);
  return from && until && from.days[0] < until.days[1] ? [from.days[0], until.days[1]] : null;
};

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
  const states = new Set<PaymentState>();
  let days: readonly [number, number] | null = null;
  let currency: string | null = null;
  let raisedHere: boolean | null = null;
  let agent: string | null = null;
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
      for (const state of groups[group]) states.add(state);
      chips.push({ ...span(token), kind: 'states', group });
      continue;
    }
    const here = raisedWords.get(word);
    if (here !== undefined && raisedHere === null) {
      raisedHere = here;
      chips.push({ ...span(token), kind: 'raised', here });
      continue;
    }
    // A name with blanks stands in quotes: `agent:"Ada L."`.
    const quoted = word === 'agent:' && next?.quoted && next.start === token.end ? next : null;
    const name = (quoted ? quoted.text : word.startsWith('agent:') ? token.text.slice(6) : '').trim();
    if (name !== '' && agent === null) {
      agent = name;
      chips.push({ ...span(quoted ?? token), kind: 'agent', agent });
      if (quoted) at += 1;
      continue;
    }
    const range: [number, number] | null = days === null ? rangeOf(word, now) : null;
    const found: Days | null =
      range !== null
        ? { span: 1, days: range }
        : days === null
          ? daysOf(word, plainNext ? folded(plainNext.text) : null, now)
          : null;
    if (found) {
      days = found.days;
      const last = found.span === 2 && plainNext ? plainNext : token;
      chips.push({ ...span(last), kind: 'days', from: found.days[0], until: found.days[1] });
      if (found.span === 2) at += 1;
      continue;
    }
    if (currency === null) {
      const glued = /^([€$£¥])?(\d[\d.,']*)([€$£¥]|[a-z]{3})?$/.exec(word);
      const own = currencyOf(glued?.[1] ?? glued?.[3]);
      const after = glued && own === null && glued[3] === undefined ? currencyOf(plainNext?.text) : null;
      const ofAmount = own ?? after;
      const amount = glued && ofAmount !== null ? amountOf(glued[2] ?? '', ofAmount) : null;
      if (ofAmount !== null && amount !== null) {
        currency = ofAmount;
        words.push(`=${amount}`);
        chips.push({
          ...span(after !== null && plainNext ? plainNext : token),
          kind: 'amount',
          amount,
          currency,
        });
        if (after !== null) at += 1;
        continue;
      }
      const before = currencyOf(token.text);
      if (before !== null && (token.text === before || token.text in symbols)) {
        const following = plainNext ? amountOf(plainNext.text, before) : null;
        currency = before;
        if (following !== null && plainNext) {
          words.push(`=${following}`);
          chips.push({ ...span(plainNext), kind: 'amount', amount: following, currency });
          at += 1;
        } else {
          chips.push({ ...span(token), kind: 'currency', currency });
        }
        continue;
      }
    }
    words.push(token.text);
  }
  return {
    words: words.join(' '),
    states: [...states],
    from: days?.[0] ?? null,
    until: days?.[1] ?? null,
    currency,
    raisedHere,
    agent,
    chips,
  };
};

/**
 * The words by which the search box means these payments, in a language's own; `readQuery` reads them back.
 * `days`: the first and the last, local ones. An agent's name with a quotation mark cannot be said exactly.
 */
export const queryFor = (
  wanted: {
    days: { from: number; until: number };
    currency?: string;
    raisedHere?: boolean;
    agent?: string;
  },
  language: 'en' | 'de',
): string => {
  const dayOf = (instant: number): string => {
    const day = new Date(instant);
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
      .map(part => String(part).padStart(2, '0'))
      .join('-');
  };
  const first = dayOf(wanted.days.from);
  const last = dayOf(wanted.days.until - 1);
  const here = { en: 'raised:here', de: 'angelegt:hier' };
  const elsewhere = { en: 'raised:elsewhere', de: 'angelegt:anderswo' };
  return [
    first === last ? first : `${first}..${last}`,
    wanted.currency,
    wanted.agent === undefined ? undefined : `agent:"${wanted.agent.replaceAll('"', '')}"`,
    wanted.raisedHere === undefined ? undefined : (wanted.raisedHere ? here : elsewhere)[language],
  ]
    .filter(part => part !== undefined)
    .join(' ');
};

/** The text without what a chip stands for. */
export const withoutChip = (text: string, { start, end }: Pick<QueryChip, 'start' | 'end'>): string =>
  `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim();
