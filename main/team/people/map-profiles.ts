import { profilesOf } from '../../../shared/settings/account.ts';
import { needsPasswordAgain, type Profile } from '../../../shared/settings/profile.ts';
import type { ProfileMapping } from '../../../shared/team/sharing.ts';
import { sandboxProfileId, type Stored } from '../../settings/stored-settings.ts';

/** A proposal for each local profile: the shared one of the same gateway account, otherwise to share it. */
export const proposeMapping = (local: readonly Profile[], shared: readonly Profile[]): ProfileMapping[] =>
  local
    // Each installation has a separate sandbox.
    .filter(({ id }) => id !== sandboxProfileId)
    .map(profile => {
      const same = shared.find(({ id }) => id === profile.id) ?? profilesOf(shared, profile)[0];
      return { id: profile.id, to: same ? { kind: 'existing', id: same.id } : { kind: 'add' } };
    });

/** Whether the password of one profile may be used for another: a password is for one server only. */
export const isSameServer = (one: Profile, other: Profile): boolean => !needsPasswordAgain(one, other);

/**
 * The settings after the payments of a local profile continue under a shared one. The local one keeps its id for its
 * earlier payments, and is named as such.
 */
export const continueUnder = (stored: Stored, from: string, to: string, formerName: string): Stored => ({
  ...stored,
  profiles: stored.profiles.map(one => (one.id === from ? { ...one, name: formerName.slice(0, 80) } : one)),
  templates: stored.templates.map(one => (one.profileId === from ? { ...one, profileId: to } : one)),
  settings: {
    ...stored.settings,
    activeProfileId: stored.settings.activeProfileId === from ? to : stored.settings.activeProfileId,
  },
});
