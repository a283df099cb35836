import type { Profile } from '../../../shared/settings/profile.ts';

/**
 * What becomes of a local profile when an installation joins: its payments belong to a shared profile from now on, or it
 * becomes a shared one itself, or it stays on this installation.
 */
export type ProfileMapping = {
  id: string;
  to: { kind: 'existing'; id: string } | { kind: 'add' } | { kind: 'stay' };
};

const accountOf = ({ kind, merchantKey, baseUrl }: Profile): string =>
  [kind, merchantKey, URL.parse(baseUrl)?.href ?? baseUrl].join(' ');

/** A proposal for each local profile: the shared one of the same gateway account, otherwise to share it. */
export const proposeMapping = (local: readonly Profile[], shared: readonly Profile[]): ProfileMapping[] =>
  local.map(profile => {
    const same =
      shared.find(({ id }) => id === profile.id) ??
      shared.find(other => accountOf(other) === accountOf(profile));
    return { id: profile.id, to: same ? { kind: 'existing', id: same.id } : { kind: 'add' } };
  });

/**
 * The local profiles after a mapping. One whose payments continue under a shared profile keeps its id for its earlier
 * payments and is named as such: `formerName` makes the name from the earlier one.
 */
export const mapProfiles = (
  local: readonly Profile[],
  mapping: readonly ProfileMapping[],
  formerName: (name: string) => string,
): { kept: Profile[]; toShare: Profile[] } => {
  const targets = new Map(mapping.map(({ id, to }) => [id, to]));
  const kept: Profile[] = [];
  const toShare: Profile[] = [];
  for (const profile of local) {
    const to = targets.get(profile.id) ?? { kind: 'stay' };
    if (to.kind === 'add') toShare.push(profile);
    else if (to.kind === 'stay') kept.push(profile);
    else if (to.id !== profile.id) kept.push({ ...profile, name: formerName(profile.name).slice(0, 80) });
  }
  return { kept, toShare };
};
