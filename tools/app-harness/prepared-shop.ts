import { join } from 'node:path';
import { openSettings } from '../../main/settings/settings-store.ts';
import { profileSchema, type ProfileDraft } from '../../shared/settings/profile.ts';
import { shopProfile } from './running-app.ts';

/** The id of the profile in every folder, so that several consoles have the same one. */
export const shopId = 'shop';

/** The account of `shopProfile` at a sandbox. */
export const shopAccount = { merchantKey: shopProfile.merchantKey, merchantPassword: 'correct horse' };

/**
 * Writes the settings of a console before its first start: one test profile with refunds, its receiver on, no look-up
 * after a payment. `agent`: who is signed in. The password has to be given after each start.
 */
export const prepareShop = async (
  folder: string,
  agent: string,
  changes: Partial<ProfileDraft> & Pick<ProfileDraft, 'baseUrl'>,
): Promise<void> => {
  const settings = openSettings(join(folder, 'settings.json'), agent);
  const profile = profileSchema.parse({
    ...shopProfile,
    statusForm: 'post-json',
    operations: { refund: true },
    ...changes,
    id: shopId,
  });
  settings.change(stored => ({
    ...stored,
    profiles: [...stored.profiles, profile],
    settings: {
      ...stored.settings,
      lookUpAutomatically: false,
      receiver: { ...stored.settings.receiver, enabled: true, port: 0 },
    },
  }));
  await settings.flush();
  await settings.close();
};
