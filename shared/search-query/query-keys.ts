import { currencyCodes } from '../money/currencies.ts';
import type { FlagKind, PaymentState } from '../payments/payment.ts';
import { lastDays } from './query-days.ts';
import { flagsNamed, statesNamed } from './query-names.ts';
import { folded } from './fold-text.ts';

/** Filters of the search box with a key before a colon: `status:waiting`, `agent:"Ada L."`, `profil:alle`. */

/** The selected profiles: all, or one by its name or id. */
export type RequestedProfile = 'all' | { name: string };

export type KeyedPart =
  | { kind: 'states'; states: readonly PaymentState[]; group: null }
  | { kind: 'flags'; flags: readonly FlagKind[] }
  | { kind: 'days'; from: number; until: number }
  | { kind: 'currency'; currency: string }
  | { kind: 'raised'; here: boolean }
  | { kind: 'agent'; agent: string }
  | { kind: 'profile'; profile: RequestedProfile };

/** The keys, English and German. Saved views may contain the earlier ones: state, zustand, hinweis, raised, angelegt. */
const kinds: ReadonlyMap<string, KeyedPart['kind']> = new Map([
  ['status', 'states'],
  ['state', 'states'],
  ['zustand', 'states'],
  ['flag', 'flags'],
  ['auffalligkeit', 'flags'],
  ['hinweis', 'flags'],
  ['days', 'days'],
  ['tage', 'days'],
  ['currency', 'currency'],
  ['wahrung', 'currency'],
  ['created', 'raised'],
  ['erstellt', 'raised'],
  ['raised', 'raised'],
  ['angelegt', 'raised'],
  ['agent', 'agent'],
  ['profile', 'profile'],
  ['profil', 'profile'],
]);
const places: ReadonlyMap<string, boolean> = new Map([
  ['here', true],
  ['hier', true],
  ['elsewhere', false],
  ['anderswo', false],
]);

/**
 * Reads `key:value`; null if it is not a valid filter. `quoted`: a quoted value after it, or null. `now` in
 * milliseconds, for `days:7`.
 */
export const keyedPart = (text: string, quoted: string | null, now: number): KeyedPart | null => {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? undefined : kinds.get(folded(text.slice(0, colon)));
  const value = (quoted ?? text.slice(colon + 1)).trim();
  if (kind === undefined || value === '') return null;
  switch (kind) {
    case 'states': {
      const states = statesNamed(value);
      return states && { kind, states, group: null };
    }
    case 'flags': {
      const flags = flagsNamed(value);
      return flags && { kind, flags };
    }
    case 'days': {
      const days = lastDays(value, now);
      return days && { kind, from: days[0], until: days[1] };
    }
    case 'currency':
      return currencyCodes.includes(value.toUpperCase()) ? { kind, currency: value.toUpperCase() } : null;
    case 'raised': {
      const here = places.get(folded(value));
      return here === undefined ? null : { kind, here };
    }
    case 'agent':
      return { kind, agent: value };
    case 'profile':
      return {
        kind,
        profile: quoted === null && ['all', 'alle'].includes(folded(value)) ? 'all' : { name: value },
      };
  }
};
