import { join } from 'node:path';
import type { Sandbox, SandboxOptions } from '../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { openSettings } from '../../main/settings/settings-store.ts';
import { profileSchema, type ProfileDraft } from '../../shared/settings/profile.ts';
import { newFolder } from './new-folder.ts';
import { shopProfile, startTestApp, type TestApp } from './running-app.ts';

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

/** Gives a console the password of the prepared profile, if it has none; the gateway's callbacks go to it. */
export const openShop = async (
  app: TestApp,
  gateway?: Pick<Sandbox, 'setCallbackUrl'>,
  thisRunOnly = true,
): Promise<void> => {
  const { profiles, receiver } = await app.state();
  gateway?.setCallbackUrl(receiver.addresses.find(({ profileId }) => profileId === shopId)?.url ?? null);
  const profile = profiles.find(({ id }) => id === shopId);
  if (profile?.password !== 'missing') return;
  const password = shopAccount.merchantPassword;
  await app.value('profiles.save', { id: shopId, profile, password, thisRunOnly });
};

export type Shop = { app: TestApp; sandbox: Sandbox; remove: () => Promise<void> };

/**
 * A console with the prepared profile, and its gateway: a sandbox that runs while the console does not. `options`: of
 * the gateway; the others: of the console.
 */
export const startShop = async ({
  profile = {},
  options = {},
  isWatched = false,
  ...console
}: Parameters<typeof startTestApp>[1] & {
  profile?: Partial<ProfileDraft>;
  options?: Partial<SandboxOptions> | undefined;
  isWatched?: boolean;
} = {}): Promise<Shop> => {
  const folder = newFolder('shop');
  const clock = console.clock ?? Date.now;
  const sandbox = await startSandbox({
    port: 0,
    ...shopAccount,
    callbackUrl: null,
    operationDelayMs: 300,
    clock,
    ...options,
  });
  await prepareShop(folder, 'anna', { baseUrl: sandbox.baseUrl, ...profile }, isWatched);
  const app = await startTestApp(folder, console);
  // Also after the next start.
  await openShop(app, sandbox, false);
  return {
    app,
    sandbox,
    remove: async () => {
      await app.remove();
      await sandbox.close();
    },
  };
};
