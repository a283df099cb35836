import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppState } from '../../../shared/contract/contract.ts';
import { forEachKind } from '../../../shared/operations/operation-kinds.ts';
import { profileDefaults, type Profile } from '../../../shared/settings/profile.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { CallbackListeners } from '../callbacks/callback-listeners.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';

const sandboxProfile = (baseUrl: string, merchantKey: string): Profile => ({
  ...profileDefaults,
  id: sandboxProfileId,
  name: 'Sandbox',
  kind: 'sandbox',
  baseUrl,
  merchantKey,
  // All operations, so that they can be practised.
  operations: {
    ...profileDefaults.operations,
    ...forEachKind(() => true),
    voidAllowed: 'both',
  },
  successUrl: `${baseUrl}/return/success?order={order}`,
  cancelUrl: `${baseUrl}/return/cancel?order={order}`,
});

/**
 * How long the start of the console waits for the keychain, milliseconds. A locked one waits for a person, and the
 * password of the sandbox protects nothing.
 */
const maxKeychainMs = 1_000;

/** The answer; null if it does not come soon. */
const soon = <T>(answer: Promise<T>): Promise<T | null> =>
  Promise.race([answer, wait(maxKeychainMs, null, { ref: false })]);

/** The sandbox gateway inside the console, with its merchant profile. */
export type EmbeddedSandbox = {
  /** Starts the gateway and writes its profile. */
  open: () => Promise<void>;
  /** Null until it is open. */
  current: () => Sandbox | null;
  state: () => AppState['sandbox'];
  close: () => Promise<void>;
};

export const createEmbeddedSandbox = (
  { settings, startSandbox }: Pick<AppDependencies, 'settings' | 'startSandbox'>,
  passwords: CredentialCache,
  listeners: CallbackListeners,
): EmbeddedSandbox => {
  let sandbox: Sandbox | null = null;
  return {
    open: async () => {
      const { merchantKey } = settings.read().sandbox;
      const stored = await soon(passwords.of(sandboxProfileId));
      const merchantPassword = stored?.ok ? stored.value : randomBytes(24).toString('base64url');
      if (!stored?.ok) {
        const kept = stored && (await soon(passwords.set(sandboxProfileId, merchantPassword, 'keychain')));
        // Without a keychain the sandbox still works, with a password for this run.
        if (!kept?.ok) await passwords.set(sandboxProfileId, merchantPassword, 'this-run-only');
      }
      const sandboxListener = await listeners.openSandbox();
      sandbox = await startSandbox({
        port: 0,
        merchantKey,
        merchantPassword,
        callbackUrl: sandboxListener.ok ? sandboxListener.value : null,
        choices: { redirectBack: true },
      });
      const { baseUrl } = sandbox;
      settings.change(stored => ({
        ...stored,
        profiles: [
          sandboxProfile(baseUrl, merchantKey),
          ...stored.profiles.filter(profile => profile.id !== sandboxProfileId),
        ],
      }));
    },
    current: () => sandbox,
    state: () => ({
      listening: sandbox !== null,
      baseUrl: sandbox?.baseUrl ?? '',
      faults: [...(sandbox?.faults() ?? [])],
    }),
    close: async () => {
      await sandbox?.close();
    },
  };
};
