import { join } from 'node:path';
import { openSettings } from '../../main/settings/settings-store.ts';
import { profileSchema, type ProfileDraft } from '../../shared/settings/profile.ts';
import { shopProfile } from './running-app.ts';

/** The id of the profile in every folder, so that several consoles have the same one. */
export const shopId = 'shop';

/** The person of every folder: one, at several consoles. */
const shopAgentId = '3c9f2f1e-5b1d-4f0a-8d5e-1f6f6a2f7a01';

/** The account of `shopProfile` at a sandbox. */
export const shopAccount = { merchantKey: shopProfile.merchantKey, merchantPassword: 'correct horse' };

/**
 * Writes the settings of a console before its first start: one test profile with refunds, its receiver on, no look-up
 * after a payment; `isWatched`: the other way round. `agent`: who is signed in. The password has to be given after each start.
 */
export const prepareShop = async (
  folder: string,
  agent: string,
  changes: Partial<ProfileDraft> & Pick<ProfileDraft, 'baseUrl'>,
  isWatched = false,
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
    agents: stored.agents.map(one => ({ ...one, id: shopAgentId })),
    profiles: [...stored.profiles, profile],
    settings: {
      ...stored.settings,
      lookUpAutomatically: isWatched,
      receiver: { ...stored.settings.receiver, enabled: !isWatched, port: 0 },
    },
  }));
  await settings.flush();
  await settings.close();
};
