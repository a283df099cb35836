import type { CredentialStore } from '../../credentials/credential-store.ts';
import { type Result, ok } from '../../../shared/errors.ts';

/**
 * Password cache: read from the keychain once, then held for the run, so that a callback never waits for a slow
 * keyring.
 */
export type CredentialCache = ReturnType<typeof createCredentialCache>;

/** `onSecret` is called with every password that is read or stored, so that none reaches the application log. */
export const createCredentialCache = (
  credentials: CredentialStore,
  onSecret: (password: string) => void = () => undefined,
) => {
  const held = new Map<string, string>();
  return {
    of: async (profileId: string): Promise<Result<string>> => {
      const known = held.get(profileId);
      if (known !== undefined) return ok(known);
      const read = await credentials.password(profileId);
      if (!read.ok) return read;
      onSecret(read.value);
      // A password that was set meanwhile is newer.
      const newest = held.get(profileId) ?? read.value;
      held.set(profileId, newest);
      return ok(newest);
    },
    set: async (
      profileId: string,
      password: string,
      where: 'keychain' | 'this-run-only',
    ): Promise<Result<undefined>> => {
      onSecret(password);
      const stored = await credentials.set(profileId, password, where);
      if (stored.ok) held.set(profileId, password);
      return stored;
    },
    remove: (profileId: string): Promise<Result<undefined>> => {
      held.delete(profileId);
      return credentials.remove(profileId);
    },
  };
};
