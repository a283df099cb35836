import { dayAt } from '../days.ts';
import type { Language } from '../messages/message.ts';
import type { FlagKind, PaymentState } from '../payments/payment.ts';
import type { RequestedProfile } from './query-keys.ts';
import { flagWord, stateWord } from './query-names.ts';
import { groupOfStates, readQuery, type QueryChip } from './search-query.ts';

/** Filters that the search box can express, each by one word. */
export type QueryPart =
  | { kind: 'states'; states: readonly PaymentState[] }
  | { kind: 'flags'; flags: readonly FlagKind[] }
  /** Local days, milliseconds, half-open. */
  | { kind: 'days'; from: number; until: number }
  /** The last `count` days including today, relative to the current day. */
  | { kind: 'last-days'; count: number }
  /** Wire form. */
  | { kind: 'amount'; amount: string }
  | { kind: 'currency'; currency: string }
  | { kind: 'raised'; here: boolean }
  | { kind: 'agent'; agent: string }
  | { kind: 'profile'; profile: RequestedProfile };

/** A quotation mark in a name cannot be expressed and is dropped. */
const inQuotes = (name: string): string => `"${name.replaceAll('"', '')}"`;

/** One filter as text in a language; `readQuery` reads it back. An empty filter gives an empty text. */
export const wordFor = (part: QueryPart, language: Language): string => {
  const de = language === 'de';
  switch (part.kind) {
    case 'states': {
      // Every state with a link: one word instead of fifteen.
      if (groupOfStates(part.states) === 'with-link') return de ? 'mit-link' : 'with-link';
      const names = part.states.map(state => stateWord(state, language));
      return names.length === 0 ? '' : `status:${names.join(',')}`;
    }
    case 'flags': {
      const names = part.flags.map(flag => flagWord(flag, language));
      return names.length === 0 ? '' : `${de ? 'auffälligkeit' : 'flag'}:${names.join(',')}`;
    }
    case 'days': {
      const [first, last] = [dayAt(part.from).toString(), dayAt(part.until - 1).toString()];
      return first === last ? first : `${first}..${last}`;
    }
    case 'last-days':
      if (part.count === 1) return de ? 'heute' : 'today';
      return `${de ? 'tage' : 'days'}:${part.count}`;
    case 'amount':
      return `=${part.amount}`;
    case 'currency':
      return `${de ? 'währung' : 'currency'}:${part.currency}`;
    case 'raised':
      if (de) return part.here ? 'erstellt:hier' : 'erstellt:anderswo';
      return part.here ? 'created:here' : 'created:elsewhere';
    case 'agent':
      return `agent:${inQuotes(part.agent)}`;
    case 'profile': {
      const all = de ? 'alle' : 'all';
      return `${de ? 'profil' : 'profile'}:${part.profile === 'all' ? all : inQuotes(part.profile.name)}`;
    }
  }
};

/** Several filters, separated by blanks. */
export const queryFor = (parts: readonly QueryPart[], language: Language): string =>
  parts
    .map(part => wordFor(part, language))
    .filter(word => word !== '')
    .join(' ');

/** The text without a chip's part. */
export const withoutChip = (text: string, { start, end }: Pick<QueryChip, 'start' | 'end'>): string =>
  `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim();

/**
 * The text with a changed filter: parts of `kind` are removed, and `part` is put first; null = none. An amount typed
 * with its currency (`50 EUR`) keeps the half that was not changed. `now` in milliseconds.
 */
export const withChoice = (
  text: string,
  kind: QueryChip['kind'],
  part: QueryPart | null,
  language: Language,
  now: number,
): string => {
  const parts: QueryPart[] = part === null ? [] : [part];
  let left = text;
  for (;;) {
    const { chips } = readQuery(left, now);
    const chip = chips.find(
      one => one.kind === kind || (kind === 'currency' && one.kind === 'amount' && one.currency !== null),
    );
    // It comes first, since an unclosed quotation mark includes everything after it.
    if (!chip) return [queryFor(parts, language), left].filter(Boolean).join(' ');
    left = withoutChip(left, chip);
    if (chip.kind !== 'amount') continue;
    if (kind === 'currency') parts.push({ kind: 'amount', amount: chip.amount });
    else if (chip.currency !== null) parts.push({ kind: 'currency', currency: chip.currency });
  }
};

/** The text without any filter: the remaining search words. */
export const withoutFilters = (text: string, now: number): string => {
  const chip = readQuery(text, now).chips[0];
  return chip ? withoutFilters(withoutChip(text, chip), now) : text;
};
