import type { Page } from 'playwright-core';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Result } from '../../shared/errors.ts';
import { ipcRequest } from '../../tools/browser-harness/console.ts';
import { loadProfile } from './load-profile.ts';

/** The value of a request; throws its error in English. */
export const valueOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(inEnglish(result.error.message));
};

/**
 * Adds a merchant's profile and starts the receiver; returns the profile's id and its address. `thisRunOnly`: the
 * password is not stored in the keychain.
 */
export const startListener = async (
  page: Page,
  password: string,
  thisRunOnly: boolean,
): Promise<{ id: string; url: string }> => {
  const { id } = valueOf(
    await ipcRequest(page, 'profiles.save', { id: null, profile: loadProfile, password, thisRunOnly }),
  );
  const { settings } = valueOf(await ipcRequest(page, 'app.read', {}));
  const { receiver } = valueOf(
    await ipcRequest(page, 'settings.change', {
      activeProfileId: id,
      lookUpAutomatically: false,
      receiver: { ...settings.receiver, enabled: true },
    }),
  );
  return { id, url: receiver.addresses.find(({ profileId }) => profileId === id)?.url ?? '' };
};
