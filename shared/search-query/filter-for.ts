import type { PaymentFilter } from '../contract/payments/payment-requests.ts';
import type { RequestedProfile } from './query-keys.ts';
import { isProse } from './pasted-text.ts';
import { readQuery } from './search-query.ts';

/** A profile that a search can name. */
export type KnownProfile = { id: string; name: string };

/** The id of the selected profile; null = all. An unknown profile matches nothing. */
export const requestedProfile = (
  requested: RequestedProfile | null,
  activeProfileName: string | null,
  profiles: readonly KnownProfile[],
): string | null => {
  if (requested === null) return activeProfileName;
  if (requested === 'all') return null;
  const wanted = requested.name.toLowerCase();
  const found =
    profiles.find(({ id }) => id === requested.name) ??
    profiles.find(({ name }) => name.toLowerCase() === wanted);
  return found?.id ?? requested.name;
};

/**
 * The filter of a search text. `profileId`: the active profile, null = all; `now`: milliseconds, days are local;
 * `profiles`: those that can be named.
 */
export const filterFor = (
  text: string,
  profileId: string | null,
  now: number,
  profiles: readonly KnownProfile[],
  words = '',
): PaymentFilter => {
  const { states, flags, profile, chips: _, ...query } = readQuery(text, now);
  // A customer's mail says "paid", "declined" and a price, and means none of them as a filter.
  if (isProse(text, query.words)) return filterFor('', profileId, now, profiles, text.trim());
  return {
    ...query,
    words: query.words || words,
    profileId: requestedProfile(profile, profileId, profiles),
    states: [...states],
    retryable: false,
    flags: [...flags],
  };
};
