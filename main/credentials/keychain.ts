import type * as Binding from '@napi-rs/keyring';
import { fail, ok, type AppError, type Result } from '../../shared/errors.ts';
import type { CredentialStore } from './credential-store.ts';

/** The keyring by the name a person at this PC would know. */
const keyringName: string =
  process.platform === 'darwin'
    ? 'the macOS Keychain'
    : process.platform === 'win32'
      ? 'the Windows Credential Manager'
      : 'the keyring of this desktop (Secret Service)';

const orForNow = 'or only keep the password until Counterfoil is closed';

const problems = {
  unavailable: () =>
    fail('keychain.unavailable', `Keychain not available: ${keyringName} does not respond.`, {
      hint: `Start it, ${orForNow}.`,
    }),
  unloadable: () =>
    fail('keychain.unavailable', 'Keychain not available: a part of Counterfoil is missing.', {
      hint: `Install Counterfoil again, ${orForNow}.`,
    }),
  locked: () =>
    fail('keychain.locked', `The keychain is locked. Unlock ${keyringName} first.`, {
      hint: `The prompt may be behind this window. Unlock it and try again, ${orForNow}.`,
    }),
  denied: () =>
    fail('keychain.denied', `Access denied: ${keyringName} does not allow Counterfoil.`, {
      hint: `Ask your IT team to allow it, ${orForNow}.`,
    }),
  tooLong: () =>
    fail('keychain.denied', `The password is too long for ${keyringName}.`, {
      hint: `Make sure that you entered only the merchant password, ${orForNow}.`,
    }),
  missing: () =>
    fail('profile.password-missing', 'The merchant password of this profile is missing.', {
      hint: 'Enter it in Settings. You find it in your provider’s dashboard.',
    }),
};

type KeychainProblem = { ok: false; error: AppError };

/** The platforms word their refusals, without codes; the words below were seen from each. */
export const problemOf = (error: unknown): KeychainProblem => {
  const text = error instanceof Error ? error.message : '';
  // Before the others: the sentence may also say that something was not permitted.
  if (/longer than|too long|too large|exceeds|stub received bad data/i.test(text)) return problems.tooLong();
  if (/access ?denied|not permitted|permission|rejected/i.test(text)) return problems.denied();
  if (/locked|prompt|dismissed|interaction|cancel/i.test(text)) return problems.locked();
  return problems.unavailable();
};

/** Loaded at first use, so that a missing binding is a clear message and not a crash at start. */
const loadBinding = (): Promise<Result<typeof Binding>> =>
  import('@napi-rs/keyring').then(ok, () => problems.unloadable());

/**
 * The operating system's keychain as the console's credential store.
 * `service`: the name entries are filed under. `timeLimit`: milliseconds a call may take,
 * since a locked keyring waits for its own prompt and cannot be called off.
 */
export const openCredentialStore = ({
  service,
  timeLimit = 10_000,
}: {
  service: string;
  timeLimit?: number;
}): CredentialStore => {
  const thisRun = new Map<string, string>();

  const ask = async <T>(
    work: (entry: Binding.AsyncEntry) => Promise<T>,
    account: string,
  ): Promise<Result<T>> => {
    const binding = await loadBinding();
    if (!binding.ok) return binding;
    try {
      // Without this, Linux falls back in silence to the kernel's key store, which forgets at reboot.
      const entry = new binding.value.AsyncEntry(service, account, { linux: { store: 'secret-service' } });
      return ok(await work(entry));
    } catch (error) {
      return problemOf(error);
    }
  };

  const within = async <T>(
    work: (entry: Binding.AsyncEntry) => Promise<T>,
    account: string,
  ): Promise<Result<T>> => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<KeychainProblem>(resolve => {
      timer = setTimeout(() => resolve(problems.locked()), timeLimit);
    });
    try {
      return await Promise.race([ask(work, account), timeout]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    set: async (profileId, password, where) => {
      if (where === 'this-run-only') {
        thisRun.set(profileId, password);
        return ok(undefined);
      }
      const stored = await within(entry => entry.setPassword(password), profileId);
      if (!stored.ok) return stored;
      thisRun.delete(profileId);
      return ok(undefined);
    },
    password: async profileId => {
      const held = thisRun.get(profileId);
      if (held !== undefined) return ok(held);
      const read = await within(entry => entry.getPassword(), profileId);
      if (!read.ok) return read;
      return read.value === null ? problems.missing() : ok(read.value);
    },
    state: async profileId => {
      if (thisRun.has(profileId)) return 'this-run-only';
      const read = await within(entry => entry.getPassword(), profileId);
      if (!read.ok) return 'keychain-unavailable';
      return read.value === null ? 'missing' : 'stored';
    },
    remove: async profileId => {
      // What was only held for this run has nothing to forget in a keychain that may not even be there.
      if (thisRun.delete(profileId)) return ok(undefined);
      const gone = await within(entry => entry.deleteCredential(), profileId);
      return gone.ok ? ok(undefined) : gone;
    },
  };
};
