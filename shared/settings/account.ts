import type { Profile } from './profile.ts';

type Account = Pick<Profile, 'kind' | 'baseUrl' | 'merchantKey'>;

/** Of profiles as they are in the settings, for every callback of a large file. */
const known = new WeakMap<Account, string>();

/**
 * The account of a profile at the gateway: what the gateway knows, and what has one notification address. Letter case and
 * a trailing slash do not matter.
 */
export const accountOf = (profile: Account): string => {
  const before = known.get(profile);
  if (before !== undefined) return before;
  const { kind, baseUrl, merchantKey } = profile;
  const address = (URL.parse(baseUrl)?.href ?? baseUrl).replace(/\/+$/, '');
  const account = [kind, merchantKey.trim(), address].join(' ').toLowerCase();
  known.set(profile, account);
  return account;
};

/**
 * The profiles of one account, in the order of the list. There is one; only a team, a policy or an edited file can bring
 * another one, and then new payments are made with the first.
 */
export const profilesOf = <P extends Account>(profiles: readonly P[], account: Account): P[] => {
  const wanted = accountOf(account);
  return profiles.filter(profile => accountOf(profile) === wanted);
};
