import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { filterFor, requestedProfile, type KnownProfile } from '../../../shared/search-query/filter-for.ts';
import {
  queryFor,
  withChoice,
  withoutFilters,
  type QueryPart,
} from '../../../shared/search-query/query-writing.ts';
import type { QueryChip } from '../../../shared/search-query/search-query.ts';
import { raisedStates, openStates } from '../../../shared/payments/outcomes.ts';
import type { Language } from '../../../shared/messages/message.ts';
import type { Route, View } from '../../routes.ts';

export { openStates };

/** The list's location: a view, or search words in its place. */
export type ListLocation = { view: View; words: string };

/** A request that was refused, or never sent, has no link: it is neither one of the day nor an unpaid payment. */
const unpaidStates: readonly PaymentState[] = ['declined', 'expired'];

/** The filters of each view, as parts of the search text. */
const viewParts: Record<View, readonly QueryPart[]> = {
  all: [],
  today: [
    { kind: 'last-days', count: 1 },
    { kind: 'states', states: raisedStates },
  ],
  open: [{ kind: 'states', states: openStates }],
  'unpaid-today': [
    { kind: 'last-days', count: 1 },
    { kind: 'states', states: unpaidStates },
  ],
};

/** All filters of a location as search text: the only source for list, chips and filters. */
export const queryOf = ({ view, words }: ListLocation, language: Language): string =>
  words === '' ? queryFor(viewParts[view], language) : words;

/** The search word of a profile: its name, unless another profile has the same name or it cannot be quoted. */
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
 * The filter of a location. `profileId`: the active profile; `now`: milliseconds, days are local; `profiles`: those
 * that can be named.
 */
export const filterOf = (
  location: ListLocation,
  profileId: string | null,
  now: number,
  profiles: readonly KnownProfile[] = [],
): PaymentFilter => ({
  ...filterFor(queryOf(location, 'en'), profileId, now, profiles),
  retryable: location.view === 'open' && location.words === '',
});

/** The location with one changed filter, null = none; the view's filters become search words. */
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

/** The location without any filter; search words stay. */
export const withoutAnyFilter = ({ words }: ListLocation, now: number): Route => ({
  screen: 'payments',
  view: 'all',
  words: withoutFilters(words, now),
});
