import type * as Binding from '@napi-rs/keyring';
import { fail, ok, type AppError, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { CredentialStore } from './credential-store.ts';

/** The messages name the keychain as this platform does. */
const { platform } = process;

const problems = {
  unavailable: () =>
    fail('keychain.unavailable', msg('keychain.unavailable', { platform }), {
      hint: msg('keychain.unavailable.hint'),
    }),
  unloadable: () =>
    fail('keychain.unavailable', msg('keychain.part-missing'), { hint: msg('keychain.part-missing.hint') }),
  locked: () =>
    fail('keychain.locked', msg('keychain.locked', { platform }), { hint: msg('keychain.locked.hint') }),
  denied: () =>
    fail('keychain.denied', msg('keychain.denied', { platform }), { hint: msg('keychain.denied.hint') }),
  tooLong: () =>
    fail('keychain.denied', msg('keychain.too-long', { platform }), { hint: msg('keychain.too-long.hint') }),
  missing: () =>
    fail('profile.password-missing', msg('keychain.no-password'), {
      hint: msg('keychain.no-password.hint'),
    }),
};

type KeychainProblem = { ok: false; error: AppError };

/** The platforms report refusals as text without codes; the texts below were observed on each. */
export const problemOf = (error: unknown): KeychainProblem => {
  const text = error instanceof Error ? error.message : '';
  // Before the others: the text may also mention a missing permission.
  if (/longer than|too long|too large|exceeds|stub received bad data/i.test(text)) return problems.tooLong();
  if (/access ?denied|not permitted|permission|rejected/i.test(text)) return problems.denied();
  if (/locked|prompt|dismissed|interaction|cancel/i.test(text)) return problems.locked();
  return problems.unavailable();
};

/** Loaded at first use, so that a missing binding is a clear message and not a crash at start. */
const loadBinding = (): Promise<Result<typeof Binding>> =>
  import('@napi-rs/keyring').then(ok, () => problems.unloadable());

/**
 * The operating system's keychain as the console's credential store. `service`: the service name of all entries.
 * `timeLimit`: timeout of a call, milliseconds, since a locked keyring waits for its prompt and the call cannot be
 * cancelled.
 *
 * One call runs at a time: each that waits for the prompt holds one of the few threads that files and host names need
 * too. While one waits longer than the limit, every further one is refused at once.
 */
export const openCredentialStore = ({
  service,
  timeLimit = 10_000,
}: {
  service: string;
  timeLimit?: number;
}): CredentialStore => {
  const thisRun = new Map<string, string>();
  /** The answers of the keychain in this run: no other program writes these entries, and the window asks after every change. */
  const states = new Map<string, 'stored' | 'missing'>();

  /**
   * One for each account: on Linux each holds a connection until it is collected, and from the thousandth open one on
   * the library waits forever, on the main thread.
   */
  const entries = new Map<string, Binding.AsyncEntry>();

  const callKeychain = async <T>(
    work: (entry: Binding.AsyncEntry) => Promise<T>,
    account: string,
  ): Promise<Result<T>> => {
    const binding = await loadBinding();
    if (!binding.ok) return binding;
    const kept = entries.get(account);
    try {
      // Without this, Linux silently falls back to the kernel's key store, which is cleared at reboot.
      const entry =
        kept ?? new binding.value.AsyncEntry(service, account, { linux: { store: 'secret-service' } });
      entries.set(account, entry);
      return ok(await work(entry));
    } catch (error) {
      entries.delete(account);
      const problem = problemOf(error);
      // A keyring that was restarted does not know earlier connections.
      return kept && problem.error.code === 'keychain.unavailable' ? callKeychain(work, account) : problem;
    }
  };

  let turn: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  /** The running call's caller has got an error: it takes too long. Read from its timer, since a clock may differ. */
  let isHanging = false;

  const callWithTimeout = async <T>(
    work: (entry: Binding.AsyncEntry) => Promise<T>,
    account: string,
  ): Promise<Result<T>> => {
    if (isHanging) return problems.locked();
    let isLate = false;
    let hasStarted = false;
    const call = turn.then(async (): Promise<Result<T>> => {
      // Its caller has got an error.
      if (isLate) return problems.locked();
      hasStarted = true;
      isRunning = true;
      const result = await callKeychain(work, account);
      isRunning = false;
      isHanging = false;
      return result;
    });
    turn = call;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<KeychainProblem>(resolve => {
      timer = setTimeout(() => {
        isLate = true;
        isHanging ||= hasStarted;
        resolve(problems.locked());
      }, timeLimit);
    });
    try {
      return await Promise.race([call, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };

  const read = async (profileId: string): Promise<Result<string | null>> => {
    const found = await callWithTimeout(entry => entry.getPassword(), profileId);
    if (found.ok) states.set(profileId, found.value === null ? 'missing' : 'stored');
    return found;
  };

  return {
    set: async (profileId, password, where) => {
      if (where === 'this-run-only') {
        thisRun.set(profileId, password);
        return ok(undefined);
      }
      // A call that is too late may still succeed.
      states.delete(profileId);
      const stored = await callWithTimeout(entry => entry.setPassword(password), profileId);
      if (!stored.ok) return stored;
      thisRun.delete(profileId);
      states.set(profileId, 'stored');
      return ok(undefined);
    },
    password: async profileId => {
      const held = thisRun.get(profileId);
      if (held !== undefined) return ok(held);
      const found = await read(profileId);
      if (!found.ok) return found;
      return found.value === null ? problems.missing() : ok(found.value);
    },
    state: async profileId => {
      if (thisRun.has(profileId)) return 'this-run-only';
      const known = states.get(profileId);
      if (known !== undefined) return known;
      await read(profileId);
      return states.get(profileId) ?? 'keychain-unavailable';
    },
    remove: async profileId => {
      // A password held only for this run has no entry in the keychain, which may not even exist.
      if (thisRun.delete(profileId)) return ok(undefined);
      states.delete(profileId);
      const gone = await callWithTimeout(entry => entry.deleteCredential(), profileId);
      if (!gone.ok) return gone;
      states.set(profileId, 'missing');
      return ok(undefined);
    },
    isBusy: () => isRunning,
  };
};
