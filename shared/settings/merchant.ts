import type { Profile } from './profile.ts';

/** The zone of a profile's days (IANA): the merchant's, otherwise this PC's. */
export const timeZoneOf = (profile: Pick<Profile, 'timeZone'> | null | undefined): string =>
  profile?.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The merchant's name as printed. */
export const merchantNameOf = (profile: Pick<Profile, 'name' | 'merchant'>): string =>
  profile.merchant.name || profile.name;
