import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';

/** The merchant profile with this id, or `profile.missing`. */
export const findProfile = (settings: Pick<SettingsStore, 'profile'>, id: string): Result<Profile> => {
  const profile = settings.profile(id);
  return profile
    ? ok(profile)
    : fail('profile.missing', msg('error.profile.missing'), { hint: msg('hint.profile.missing') });
};
