import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Role } from '../../../shared/agents/roles.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { maxAgents } from '../../../shared/agents/agent.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { Sharing, SharingPlan } from '../../../shared/team/sharing.ts';
import { startLoop } from '../../pacing/loop.ts';
import { createPinAttempts, tooManyTries, wrongPin } from '../../credentials/pin-attempts.ts';
import { derivePin, hashPin, type StoredPin, isPinKnown } from '../../credentials/pin.ts';
import { logFailure } from '../../payment-log/log-failures.ts';
import type {
  PeopleFacts,
  PersonOutcome,
  PinProof,
  SharedPeople,
} from '../../payment-log/postgres/shared-people.ts';
import { emptyCopy } from './merge-people.ts';
import { writeViews } from './merge-views.ts';
import { createPeopleCopy, toStoredProfile, type PeopleChange, type PeopleCopyGiven } from './people-copy.ts';
import { newPeople, newProfiles, planSharing } from './plan-sharing.ts';

/** Interval of looking for changes by other installations. */
const pollMs = 2_000;
/** How long a person who signs in waits for a shared log that is known to be away. */
const awayMs = 1_500;

/** A person's change, confirmed with a PIN: that of the administrator, or of the changed person if the former has none. */
export type Confirmed = { person: string; pin: string | null };

/**
 * Profiles, people and rules of a team. The installation's settings contain the copy that is used offline; changes need
 * the shared log. Errors of changes: `log.unreachable`, `log.denied` (the account lacks the right `admin`),
 * `input.invalid`, `agent.wait`, `agent.wrong-pin`.
 */
export type TeamPeople = {
  /** Whether this installation shares profiles, and what. */
  sharing(): Sharing | null;
  /** Reads what others changed, now. */
  refresh(): Promise<Result<undefined>>;
  /** Call it when the connection may have returned: reads unless the last read succeeded. */
  catchUp(): void;
  /** Called after the copy has changed. */
  onChange(listener: (change: PeopleChange) => void): () => void;
  /** What the team has, and what it lacks of this installation. */
  plan(): Promise<Result<SharingPlan>>;
  /**
   * From now on, profiles and people are those of the team. `adding`: first those of this installation that it lacks are
   * added, people confirmed by one of its administrators if it has any. Continues later if it is interrupted.
   */
  share(adding: { person: string | null; pin: string | null } | null): Promise<Result<undefined>>;
  /** Adds or changes a profile. `person`: their name. Never contains a password. */
  putProfile(profile: Profile, callbackPath: string, person: string): Promise<Result<undefined>>;
  removeProfile(id: string): Promise<Result<undefined>>;
  /** Replaces the views of everyone; personal ones in `views` are left out. `person`: the name of who changes them. */
  putViews(views: readonly SavedView[], person: string): Promise<Result<undefined>>;
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
  close(): void;
};

export type TeamPeopleGiven = PeopleCopyGiven & {
  /** Whether the shared log is expected to answer. */
  isConnected: () => boolean;
  /** Monotonic time, milliseconds. */
  elapsed: () => number;
  pollEveryMs?: number;
};

/** Of an empty team. */
const noFacts: PeopleFacts = { revision: '', profiles: [], agents: [], retentionDays: null, views: null };

const newProof = async (pin: string): Promise<PinProof> => {
  const salt = randomBytes(16);
  return { salt, proof: await derivePin(pin, salt) };
};

const refusal = (path: 'name' | 'role', message: AppError['message'], hint?: AppError['message']) =>
  fail('input.invalid', message, { ...(hint ? { hint } : {}), fields: [{ path, message }] });

const storedProof = ({ salt, hash }: StoredPin): PinProof => ({
  salt: Buffer.from(salt, 'hex'),
  proof: Buffer.from(hash, 'hex'),
});

/** A refusal because the account lacks the right `admin` says what to do about it. */
const explainDenied = (refused: { ok: false; error: AppError }): { ok: false; error: AppError } =>
  refused.error.code === 'log.denied'
    ? fail('log.denied', msg('team.people.no-right'), { hint: msg('team.people.no-right.hint') })
    : refused;

/** An outcome as a result. `person`: the name of the one whose PIN was asked for. */
const resultOf = ({ outcome, seconds }: PersonOutcome, person: string): Result<undefined> => {
  switch (outcome) {
    case 'admitted':
    case 'done':
      return ok(undefined);
    case 'wrong':
      return wrongPin(person);
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

export const openTeamPeople = (given: TeamPeopleGiven): TeamPeople => {
  const { settings, elapsed, isConnected, pollEveryMs = pollMs } = given;
  const shared = (): Result<SharedPeople> => {
    const found = given.shared();
    return found ? ok(found) : logFailure('log.unreachable');
  };
  const copy = createPeopleCopy(given);
  const find = (id: string) => settings.read().agents.find(agent => agent.id === id);
  const nameOf = (id: string): string => find(id)?.name ?? id;
  const attempts = createPinAttempts({
    elapsed,
    read: find,
    write: (id, counted) =>
      void settings.change(stored => ({
        ...stored,
        agents: stored.agents.map(agent => (agent.id === id ? { ...agent, ...counted } : agent)),
      })),
  });

  /** The proof of a person's PIN, for the database; null without one. */
  const proofOf = async (
    people: SharedPeople,
    id: string,
    pin: string | null,
  ): Promise<Result<Buffer | null>> => {
    if (pin === null) return ok(null);
    const salt = await people.salt(id);
    if (!salt.ok) return salt;
    return ok(salt.value === null ? null : await derivePin(pin, salt.value));
  };

  /** The next time without a connection, this PIN is admitted here. */
  const remember = async (people: SharedPeople, id: string, pin: string): Promise<void> => {
    const stored = await hashPin(pin);
    const facts = await people.read(null);
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

  /** Whether the team admits this PIN. Errors: as `TeamPeople`. */
  const tryPin = async (
    people: SharedPeople,
    id: string,
    pin: string | null,
  ): Promise<Result<PersonOutcome>> => {
    const proof = await proofOf(people, id, pin);
    return proof.ok ? people.tryPin(id, proof.value) : proof;
  };

  const signIn = async (id: string, pin: string | null): Promise<Result<undefined>> => {
    const agent = find(id);
    const people = shared();
    /** Whether the PIN was entered here since it was set: otherwise it cannot be compared with anything. */
    const isKnown = agent !== undefined && isPinKnown(agent);
    if (people.ok && (isConnected() || !isKnown)) {
      const answer = tryPin(people.value, id, pin);
      const tried = isConnected()
        ? await answer
        : await Promise.race([answer, wait(awayMs, logFailure('log.unreachable'), { ref: false })]);
      if (tried.ok) {
        const admitted = resultOf(tried.value, nameOf(id));
        if (admitted.ok && pin !== null) await remember(people.value, id, pin);
        return admitted;
      }
    }
    if (isKnown) return attempts.admit(agent, pin);
    return fail('log.unreachable', msg('team.sign-in.unknown'), { hint: msg('team.sign-in.unknown.hint') });
  };

  /** Runs a change that a person confirms. */
  const confirmedChange = async (
    { person, pin }: Confirmed,
    changedId: string,
    work: (people: SharedPeople, proof: Buffer | null) => Promise<Result<PersonOutcome>>,
  ): Promise<Result<undefined>> => {
    const people = shared();
    if (!people.ok) return people;
    const salt = await people.value.salt(person);
    if (!salt.ok) return salt;
    const confirming = salt.value === null ? changedId : person;
    const proof = await proofOf(people.value, confirming, pin);
    if (!proof.ok) return proof;
    const done = await work(people.value, proof.value);
    return done.ok ? resultOf(done.value, nameOf(confirming)) : explainDenied(done);
  };
  /** Runs a change of a person; their own new PIN is known here from now on. */
  const change = (
    work: () => Promise<Result<undefined>>,
    id: string,
    ownPin: string | null | undefined,
  ): Promise<Result<undefined>> =>
    copy.change(async () => {
      const done = await work();
      const people = shared();
      if (done.ok && typeof ownPin === 'string' && people.ok) await remember(people.value, id, ownPin);
      return done;
    });
  const putPerson: TeamPeople['putPerson'] = async (confirmed, person, pin) => {
    const made = typeof pin === 'string' ? await newProof(pin) : pin;
    return confirmedChange(confirmed, person.id, (people, proof) =>
      people.putPerson({ person: confirmed.person, proof }, person, made),
    );
  };

  /** Adds the local people that the team lacks; their PINs stay as they are. */
  const addPeople = async (
    people: SharedPeople,
    facts: PeopleFacts,
    { person, pin: confirming }: { person: string | null; pin: string | null },
  ): Promise<Result<unknown>> => {
    const added = newPeople(settings.read().agents, facts).map(({ id, name, role, pin }) => ({
      id,
      name,
      role,
      pin: pin && storedProof(pin),
    }));
    if (facts.agents.length === 0) return people.importPeople(added);
    for (const { pin, ...one } of added) {
      const confirmed = { person: person ?? '', pin: confirming };
      const done = await confirmedChange(confirmed, one.id, (_, proof) =>
        people.putPerson({ person: confirmed.person, proof }, one, pin),
      );
      if (!done.ok) return done;
    }
    return ok(undefined);
  };

  const loop = startLoop(
    async () => {
      if (settings.read().team !== null) await copy.refresh();
    },
    { everyMs: pollEveryMs },
  );
  return {
    sharing: copy.sharing,
    refresh: copy.refresh,
    catchUp: copy.catchUp,
    onChange: copy.onChange,
    plan: async () => {
      const people = shared();
      return people.ok ? planSharing(people.value, settings.read()) : people;
    },
    share: async adding => {
      const people = shared();
      if (!people.ok) return people;
      const read = await people.value.read(null);
      if (!read.ok) return read;
      const facts = read.value ?? noFacts;
      if (adding && !settings.policy.managed.people) {
        const added = await addPeople(people.value, facts, adding);
        if (!added.ok) return added;
      }
      const pending = adding
        ? newProfiles(settings.read().profiles, facts).map(({ id }) => ({ id, to: null }))
        : [];
      settings.change(stored => ({ ...stored, team: { ...emptyCopy, pending } }));
      await settings.flush();
      return copy.refresh();
    },
    putProfile: async (profile, callbackPath, person) => {
      const people = shared();
      if (!people.ok) return people;
      const was = settings.read().team?.profiles[profile.id] ?? null;
      return copy.change(async () => {
        const put = await people.value.putProfile(toStoredProfile(profile, callbackPath), was, person);
        if (!put.ok) return explainDenied(put);
        if (put.value !== null) return ok(undefined);
        await copy.refresh();
        return fail('input.invalid', msg('team.profile.changed'));
      });
    },
    removeProfile: async id => {
      const people = shared();
      if (!people.ok) return people;
      return copy.change(async () => {
        const removed = await people.value.removeProfile(id);
        return removed.ok ? ok(undefined) : explainDenied(removed);
      });
    },
    putViews: async (views, person) => {
      const people = shared();
      const version = settings.read().team?.viewsVersion ?? null;
      if (!people.ok || version === null) return people.ok ? logFailure('log.unreachable') : people;
      return copy.change(async () => {
        const put = await people.value.putViews({ body: writeViews(views), version }, person);
        if (!put.ok || put.value !== null) return put.ok ? ok(undefined) : put;
        const read = await copy.refresh();
        // A list that this version cannot read is not copied.
        return read.ok && settings.read().team?.viewsVersion === version
          ? fail('input.invalid', msg('team.views.newer'), { hint: msg('team.views.newer.hint') })
          : fail('input.invalid', msg('team.views.changed'));
      });
    },
    signIn,
    putPerson: (confirmed, person, pin) =>
      change(
        () => putPerson(confirmed, person, pin),
        person.id,
        confirmed.person === person.id ? pin : undefined,
      ),
    removePerson: (confirmed, id) =>
      copy.change(() =>
        confirmedChange(confirmed, id, (people, proof) =>
          people.removePerson({ person: confirmed.person, proof }, id),
        ),
      ),
    changePin: async (id, pin, newPin) => {
      const people = shared();
      if (!people.ok) return people;
      const proof = await proofOf(people.value, id, pin);
      if (!proof.ok) return proof;
      const made = newPin === null ? null : await newProof(newPin);
      return change(
        async () => {
          const done = await people.value.changePin(id, proof.value, made);
          // The new PIN was entered here.
          if (done.ok && made) await people.value.tryPin(id, made.proof);
          if (done.ok && done.value.outcome === 'denied') return explainDenied(logFailure('log.denied'));
          return done.ok ? resultOf(done.value, nameOf(id)) : done;
        },
        id,
        newPin,
      );
    },
    close: () => void loop.close(),
  };
};
