import { randomBytes } from 'node:crypto';
import type { Role } from '../../../shared/agents/roles.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { maxAgents } from '../../../shared/agents/agent.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { createPinAttempts, tooManyTries, wrongPin } from '../../credentials/pin-attempts.ts';
import { derivePin, hashPin } from '../../credentials/pin.ts';
import type { PersonOutcome, PinProof, SharedPeople } from '../../payment-log/postgres/people.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { mergePeople } from './merge-people.ts';

/** Interval of looking for changes by other installations, milliseconds. */
const pollMs = 5_000;

/** A person's change, confirmed with a PIN: that of the administrator, or of the changed person if the former has none. */
export type Confirmed = { person: string; pin: string | null };

/**
 * Profiles, people and rules of a team. The installation's settings contain the copy that is used offline; changes need
 * the shared log. Errors of changes: `log.unreachable`, `log.denied` (the account lacks the right `admin`),
 * `log.outdated`, `input.invalid`, `agent.wait`, `agent.wrong-pin`.
 */
export type TeamPeople = {
  /** Reads what others changed, now. */
  refresh(): Promise<Result<undefined>>;
  /** Called after others changed something; `isSignedInGone`: see `mergePeople`. */
  onChange(listener: (isSignedInGone: boolean) => void): () => void;
  /** Adds or changes a profile. `person`: their name. Never contains a password. */
  putProfile(profile: Profile, callbackPath: string, person: string): Promise<Result<undefined>>;
  removeProfile(id: string): Promise<Result<undefined>>;
  /** Whether this is the person's PIN; without a connection, the one last used at this installation. */
  signIn(id: string, pin: string | null): Promise<Result<undefined>>;
  putPerson(
    confirmed: Confirmed,
    person: { id: string; name: string; role: Role },
    /** Null removes it, undefined leaves it. */
    pin: string | null | undefined,
  ): Promise<Result<undefined>>;
  removePerson(confirmed: Confirmed, id: string): Promise<Result<undefined>>;
  /** A person changes the own PIN; null removes it. */
  changePin(id: string, pin: string | null, newPin: string | null): Promise<Result<undefined>>;
  /** The people of this installation become those of the team, if it has none. */
  importPeople(): Promise<Result<boolean>>;
  setRetention(days: number | null): Promise<Result<undefined>>;
  close(): void;
};

const newProof = async (pin: string): Promise<PinProof> => {
  const salt = randomBytes(16);
  return { salt, proof: await derivePin(pin, salt) };
};

const refusal = (path: 'name' | 'role', message: AppError['message'], hint?: AppError['message']) =>
  fail('input.invalid', message, { ...(hint ? { hint } : {}), fields: [{ path, message }] });

/** An outcome as a result. */
const resultOf = ({ outcome, seconds }: PersonOutcome): Result<undefined> => {
  switch (outcome) {
    case 'admitted':
    case 'done':
      return ok(undefined);
    case 'wrong':
      return wrongPin();
    case 'wait':
      return tooManyTries(seconds);
    case 'missing':
      return fail('input.invalid', msg('agents.missing'));
    case 'denied':
      return fail('input.invalid', msg('team.people.denied'));
    case 'taken':
      return refusal('name', msg('agents.name-taken'));
    case 'full':
      return refusal('name', msg('agents.full', { count: maxAgents }));
    case 'last':
      return refusal('role', msg('agents.last-administrator'), msg('agents.last-administrator.hint'));
  }
};

/** `elapsed`: monotonic time, milliseconds. */
export const openTeamPeople = ({
  shared,
  settings,
  elapsed,
  pollEveryMs = pollMs,
}: {
  shared: SharedPeople;
  settings: Pick<SettingsStore, 'read' | 'change'>;
  elapsed: () => number;
  pollEveryMs?: number;
}): TeamPeople => {
  const listeners = new Set<(isSignedInGone: boolean) => void>();
  const find = (id: string) => settings.read().agents.find(agent => agent.id === id);
  const attempts = createPinAttempts({
    elapsed,
    read: find,
    write: (id, counted) =>
      void settings.change(stored => ({
        ...stored,
        agents: stored.agents.map(agent => (agent.id === id ? { ...agent, ...counted } : agent)),
      })),
  });

  let refreshing: Promise<Result<undefined>> | null = null;
  const refreshOnce = async (): Promise<Result<undefined>> => {
    const read = await shared.read(settings.read().team?.revision ?? null);
    if (!read.ok) return read;
    if (read.value === null) return ok(undefined);
    const { stored, isSignedInGone } = mergePeople(settings.read(), read.value);
    settings.change(() => stored);
    for (const listener of listeners) listener(isSignedInGone);
    return ok(undefined);
  };
  const refresh = (): Promise<Result<undefined>> => {
    refreshing ??= refreshOnce().finally(() => {
      refreshing = null;
    });
    return refreshing;
  };
  /** Reads again after an own change, so that this installation shows it at once. */
  const changed = async (done: Result<undefined>): Promise<Result<undefined>> => {
    if (done.ok) {
      await refreshing;
      await refresh();
    }
    return done;
  };

  /** The proof of a person's PIN, for the database; null without one. */
  const proofOf = async (id: string, pin: string | null): Promise<Result<Buffer | null>> => {
    if (pin === null) return ok(null);
    const salt = await shared.salt(id);
    if (!salt.ok) return salt;
    return ok(salt.value === null ? null : await derivePin(pin, salt.value));
  };

  /** The next time without a connection, this PIN is admitted here. */
  const remember = async (id: string, pin: string): Promise<void> => {
    const stored = await hashPin(pin);
    const facts = await shared.read(null);
    const person = facts.ok ? facts.value?.agents.find(agent => agent.id === id) : undefined;
    if (!person?.hasPin) return;
    settings.change(before => ({
      ...before,
      agents: before.agents.map(agent =>
        agent.id === id ? { ...agent, pin: stored, wrong: 0, waitMs: 0 } : agent,
      ),
      team: before.team && { ...before.team, pins: { ...before.team.pins, [id]: person.pinVersion } },
    }));
  };

  const signIn = async (id: string, pin: string | null): Promise<Result<undefined>> => {
    const proof = await proofOf(id, pin);
    const tried = proof.ok ? await shared.tryPin(id, proof.value) : proof;
    if (tried.ok) {
      const admitted = resultOf(tried.value);
      if (admitted.ok && pin !== null) await remember(id, pin);
      return admitted;
    }
    const agent = find(id);
    if (!agent || tried.error.code !== 'log.unreachable') return tried;
    // The PIN was not entered here since it was set: it cannot be compared with anything.
    if (agent.pin !== null && settings.read().team?.pins[id] === undefined) return tried;
    return attempts.admit(agent, pin);
  };

  /** Runs a change that a person confirms. */
  const confirmedChange = async (
    { person, pin }: Confirmed,
    changedId: string,
    work: (proof: Buffer | null) => Promise<Result<PersonOutcome>>,
  ): Promise<Result<undefined>> => {
    const salt = await shared.salt(person);
    if (!salt.ok) return salt;
    const proof = await proofOf(salt.value === null ? changedId : person, pin);
    if (!proof.ok) return proof;
    const done = await work(proof.value);
    return done.ok ? changed(resultOf(done.value)) : done;
  };

  const timer = setInterval(() => void refresh(), pollEveryMs);
  timer.unref();
  return {
    refresh,
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    putProfile: async (profile, callbackPath, person) => {
      const { id, ...rest } = profile;
      const was = settings.read().team?.profiles[id] ?? null;
      const put = await shared.putProfile({ id, body: JSON.stringify(rest), callbackPath }, was, person);
      if (!put.ok) return put;
      if (put.value !== null) return changed(ok(undefined));
      await refresh();
      return fail('input.invalid', msg('team.profile.changed'));
    },
    removeProfile: async id => {
      const removed = await shared.removeProfile(id);
      return removed.ok ? changed(ok(undefined)) : removed;
    },
    signIn,
    putPerson: async (confirmed, person, pin) => {
      const made = typeof pin === 'string' ? await newProof(pin) : pin;
      return confirmedChange(confirmed, person.id, proof =>
        shared.putPerson({ person: confirmed.person, proof }, person, made),
      );
    },
    removePerson: (confirmed, id) =>
      confirmedChange(confirmed, id, proof => shared.removePerson({ person: confirmed.person, proof }, id)),
    changePin: async (id, pin, newPin) => {
      const proof = await proofOf(id, pin);
      if (!proof.ok) return proof;
      const done = await shared.changePin(id, proof.value, newPin === null ? null : await newProof(newPin));
      return done.ok ? changed(resultOf(done.value)) : done;
    },
    importPeople: async () => {
      const imported = await shared.importPeople(
        settings.read().agents.map(({ id, name, role, pin }) => ({
          id,
          name,
          role,
          pin: pin && { salt: Buffer.from(pin.salt, 'hex'), proof: Buffer.from(pin.hash, 'hex') },
        })),
      );
      if (!imported.ok || !imported.value) return imported;
      const withPin = settings.read().agents.filter(({ pin }) => pin !== null);
      settings.change(stored => ({
        ...stored,
        team: {
          ...(stored.team ?? { profiles: {}, retentionDays: null }),
          revision: '',
          pins: Object.fromEntries(withPin.map(({ id }) => [id, 0])),
        },
      }));
      await changed(ok(undefined));
      return imported;
    },
    setRetention: async days => {
      const done = await shared.setRetention(days);
      return done.ok ? changed(ok(undefined)) : done;
    },
    close: () => clearInterval(timer),
  };
};
