import type { PaymentFilter } from '../../../shared/contract/index.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import type { RequestedProfile } from '../../../shared/search-query/query-keys.ts';
import {
  queryFor,
  withChoice,
  withoutFilters,
  type QueryPart,
} from '../../../shared/search-query/query-writing.ts';
import { readQuery, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { attentionStates, openStates } from '../../../shared/payments/state-groups.ts';
import type { Language } from '../../messages/index.ts';
import type { Route, View } from '../../routes.ts';

export { attentionStates, openStates };

/** Where the list stands: a view, or the words of the search box in its stead. */
export type ListLocation = { view: View; words: string };

/** A request that was refused, or never left this PC, made no link: nobody failed to pay it. */
const unpaidStates: readonly PaymentState[] = ['declined', 'expired'];

/** What each view asks for, in the parts of the search box. */
const viewParts: Record<View, readonly QueryPart[]> = {
  all: [],
  today: [{ kind: 'last-days', count: 1 }],
  open: [{ kind: 'states', states: openStates }],
  attention: [{ kind: 'states', states: attentionStates }],
  'unpaid-today': [
    { kind: 'last-days', count: 1 },
    { kind: 'states', states: unpaidStates },
  ],
};

/** All that a place asks for, in words of the search box: the one truth behind list, chips and filters. */
export const queryOf = ({ view, words }: ListLocation, language: Language): string =>
  words === '' ? queryFor(viewParts[view], language) : words;

type KnownProfile = { id: string; name: string };

/** The id of the profile that was asked for; null = all. One that nobody knows finds nothing. */
export const requestedProfile = (
  asked: RequestedProfile | null,
  activeProfileName: string | null,
  profiles: readonly KnownProfile[],
): string | null => {
  if (asked === null) return activeProfileName;
  if (asked === 'all') return null;
  const wanted = asked.name.toLowerCase();
  const found =
    profiles.find(({ id }) => id === asked.name) ??
    profiles.find(({ name }) => name.toLowerCase() === wanted);
  return found?.id ?? asked.name;
};

/** How the search box names a profile: by its name, unless that is another's too or cannot be quoted. */
export const profilePart = (id: string, profiles: readonly KnownProfile[]): QueryPart => {
  const name = profiles.find(profile => profile.id === id)?.name ?? id;
  const clear =
    !name.includes('"') &&
    requestedProfile({ name }, null, profiles) === id &&
    name.trim() === name &&
    name !== '';
  return { kind: 'profile', profile: { name: clear ? name : id } };
};

/**
 * The filter behind a place in the list. `profileId`: the profile at work; `now`: milliseconds, a day is the
 * local one; `profiles`: those that can be named.
 */
export const filterOf = (
  location: ListLocation,
  profileId: string | null,
  now: number,
  profiles: readonly KnownProfile[] = [],
): PaymentFilter => {
  const { states, flags, profile, chips: _, ...query } = readQuery(queryOf(location, 'en'), now);
  return {
    ...query,
    profileId: requestedProfile(profile, profileId, profiles),
    states: [...states],
    flags: [...flags],
  };
};

/** The place with one filter chosen anew, null = none; what a view asked for stands in the words from then on. */
export const withFilter = (
  location: ListLocation,
  kind: QueryChip['kind'],
  part: QueryPart | null,
  language: Language,
  now: number,
): Route => ({
  screen: 'payments',
  view: 'all',
  words: withChoice(queryOf(location, language), kind, part, language, now),
});

/** The place without any filter; words that are looked for stay. */
export const withoutAnyFilter = ({ words }: ListLocation, now: number): Route => ({
  screen: 'payments',
  view: 'all',
  words: withoutFilters(words, now),
});

/** How many payments a set of states holds, by the counts of main. */
export const sumOf = (counts: Readonly<Record<string, number>>, states: readonly PaymentState[]): number =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
