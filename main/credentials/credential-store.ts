import type { Result } from '../../shared/errors.ts';

export type PasswordState = 'stored' | 'this-run-only' | 'missing' | 'keychain-unavailable';

/**
 * The merchant passwords, by profile id, in the operating system's keychain. It is the only owner: code outside main/
 * has no access. Errors: `keychain.unavailable`, `keychain.locked`, `keychain.denied`, `profile.password-missing`.
 */
export type CredentialStore = {
  set(profileId: string, password: string, where: 'keychain' | 'this-run-only'): Promise<Result<undefined>>;
  password(profileId: string): Promise<Result<string>>;
  state(profileId: string): Promise<PasswordState>;
  remove(profileId: string): Promise<Result<undefined>>;
  /** Whether a call of the keychain is running. The process cannot end in the usual way before the call does. */
  isBusy(): boolean;
};
