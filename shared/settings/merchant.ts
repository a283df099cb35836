import type { Profile } from './profile.ts';

/** The zone of a profile's days (IANA): the merchant's, otherwise this PC's. */
export const timeZoneOf = (profile: Pick<Profile, 'timeZone'> | null | undefined): string =>
  profile?.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The merchant's name as printed. */
export const merchantNameOf = (profile: Pick<Profile, 'name' | 'merchant'>): string =>
  profile.merchant.name || profile.name;

/** The profiles with names that tell them apart: profiles of different kinds may have one shop's name. */
export const distinctNames = (
  profiles: readonly Pick<Profile, 'id' | 'name' | 'kind'>[],
): { id: string; name: string }[] =>
  profiles.map(({ id, name, kind }) => ({
    id,
    name: profiles.some(other => other.id !== id && other.name === name) ? `${name} (${kind})` : name,
  }));
