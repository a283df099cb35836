import { ok, type Result } from '../../../shared/errors.ts';
import { needsPasswordAgain, type Profile } from '../../../shared/settings/profile.ts';
import type { Sharing } from '../../../shared/team/sharing.ts';
import { logFailure } from '../../payment-log/log-failures.ts';
import type { PeopleFacts, SharedPeople, StoredProfile } from '../../payment-log/postgres/shared-people.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { continueUnder, mergePeople } from './merge-people.ts';
import { joinViews, readViews, writeViews } from './merge-views.ts';

/** What changed in the copy; see `mergePeople`. */
export type PeopleChange = {
  isSignedInGone: boolean;
  isSignedInChanged: boolean;
  /** The name of the person who was signed in until now. */
  signedIn: string;
  areProfilesChanged: boolean;
};

export type PeopleCopyGiven = {
  /** Null without a shared log. */
  shared: () => SharedPeople | null;
  /** The name of the person for whom this runs; `console` without one. */
  requester: () => string;
  settings: Pick<SettingsStore, 'read' | 'change' | 'flush' | 'callbackPath' | 'policy'>;
  /** The name of a local profile whose payments continue under a shared one. */
  formerName: (name: string) => string;
  passwords: {
    /** Copies a password within the keychain, unless there is one already. */
    copy(from: string, to: string): Promise<void>;
    remove(profileId: string): Promise<Result<undefined>>;
  };
};

/** A profile as the shared log stores it. */
export const toStoredProfile = (
  { id, ...rest }: Profile,
  callbackPath: string,
): Omit<StoredProfile, 'version'> => ({ id, body: JSON.stringify(rest), callbackPath });

/** The shared profiles as they were copied last. */
const copiedProfiles = ({ profiles, callbackPaths, team }: Stored): StoredProfile[] =>
  profiles.flatMap(profile => {
    const version = team?.profiles[profile.id];
    return version === undefined
      ? []
      : [{ ...toStoredProfile(profile, callbackPaths[profile.id] ?? '/'), version }];
  });

const withoutPending = (stored: Stored, id: string): Stored => ({
  ...stored,
  team: stored.team && { ...stored.team, pending: stored.team.pending.filter(one => one.id !== id) },
});

/** The copy of the shared profiles and people in the settings: keeps it up to date, and adds or continues local profiles. */
export const createPeopleCopy = ({ shared, requester, settings, passwords, formerName }: PeopleCopyGiven) => {
  const listeners = new Set<(change: PeopleChange) => void>();
  let isCurrent = false;
  /** Changes by the signed-in person that are on their way: what they change does not end the session. */
  let ownChanges = 0;
  const team = () => settings.read().team;

  /** Local profiles that become shared ones. One that cannot stays local. */
  const addPending = async (people: SharedPeople): Promise<Result<undefined>> => {
    for (const { id, to } of team()?.pending ?? []) {
      if (to !== null) continue;
      const profile = settings.read().profiles.find(one => one.id === id);
      if (profile) {
        const stored = toStoredProfile(profile, settings.callbackPath(id));
        const put = await people.putProfile(stored, null, requester());
        if (!put.ok && put.error.code !== 'log.denied') return put;
      }
      settings.change(before => withoutPending(before, id));
    }
    return ok(undefined);
  };
  /** A policy decides to which server a password goes. */
  const isManaged = (id: string): boolean => {
    const { allProfiles, profiles } = settings.policy.managed;
    return allProfiles || profiles.includes(id);
  };

  /** Local profiles whose payments continue under a shared one, once that is here. */
  const continuePending = async (): Promise<void> => {
    for (const { id, to } of team()?.pending ?? []) {
      const { profiles } = settings.read();
      const local = profiles.find(one => one.id === id);
      const target = profiles.find(one => one.id === to);
      const isOther = local !== undefined && target !== undefined && local !== target && !isManaged(local.id);
      // The earlier payments need the password too, which is for one server only.
      if (isOther && !needsPasswordAgain(local, target)) await passwords.copy(local.id, target.id);
      settings.change(before => {
        const mapped = isOther ? continueUnder(before, local.id, target.id, formerName(local.name)) : before;
        return withoutPending(mapped, id);
      });
    }
  };

  /** The first time, the views of everyone here are added to those of the team. */
  const addViews = async (
    people: SharedPeople,
    facts: PeopleFacts,
    attempts = 3,
  ): Promise<Result<PeopleFacts>> => {
    const present = facts.views && readViews(facts.views.body);
    if (facts.views === null || present === null || typeof team()?.viewsVersion === 'number')
      return ok(facts);
    const { views } = settings.read().settings;
    const joined = joinViews(present, views);
    if (joined.length === present.length) return ok(facts);
    // Other installations keep changing them: with the next refresh.
    if (attempts === 0) return ok({ ...facts, revision: '', views: null });
    const put = await people.putViews({ ...facts.views, body: writeViews(joined) }, requester());
    if (!put.ok) return put;
    const again = await people.read(null);
    return again.ok ? addViews(people, again.value ?? facts, attempts - 1) : again;
  };

  const emit = (change: PeopleChange): void => {
    for (const listener of listeners) listener(change);
  };
  /** Without the keychain, a profile that belongs to another server now waits; people do not. */
  const mergeFacts = async (facts: PeopleFacts): Promise<void> => {
    const { people: areFixed } = settings.policy.managed;
    let applied = facts;
    // A password is never used for a server for which it was not entered: it goes before the profile changes.
    for (const id of mergePeople(settings.read(), facts, areFixed).dropPasswords) {
      if (isManaged(id)) continue;
      const removed = await passwords.remove(id);
      if (!removed.ok) applied = { ...facts, revision: '', profiles: copiedProfiles(settings.read()) };
    }
    // The installation may have left meanwhile.
    if (team() === null) return;
    const before = settings.read();
    const { stored, isSignedInGone, isSignedInChanged, areProfilesChanged } = mergePeople(
      before,
      applied,
      areFixed,
    );
    settings.change(() => stored);
    // At once: until then, the session would continue as another person.
    emit({
      isSignedInGone,
      isSignedInChanged: isSignedInChanged && ownChanges === 0,
      signedIn: before.settings.agent,
      areProfilesChanged,
    });
  };

  const refreshOnce = async (): Promise<Result<undefined>> => {
    const people = shared();
    if (!people) return logFailure('log.unreachable');
    const added = await addPending(people);
    if (!added.ok) return added;
    const read = await people.read(team()?.revision || null);
    if (!read.ok) return read;
    if (team() === null || shared() !== people) return ok(undefined);
    if (read.value !== null) {
      const facts = await addViews(people, read.value);
      if (!facts.ok) return facts;
      if (shared() === people) await mergeFacts(facts.value);
    }
    if (team()?.pending.length) {
      await continuePending();
      const { agent: signedIn } = settings.read().settings;
      emit({ isSignedInGone: false, isSignedInChanged: false, signedIn, areProfilesChanged: true });
    }
    return ok(undefined);
  };

  let refreshing: Promise<Result<undefined>> | null = null;
  const refresh = (): Promise<Result<undefined>> => {
    refreshing ??= refreshOnce()
      .then(done => {
        isCurrent = done.ok;
        return done;
      })
      .finally(() => {
        refreshing = null;
      });
    return refreshing;
  };

  return {
    sharing: (): Sharing | null => {
      const now = team();
      return now === null
        ? null
        : {
            arePeopleShared: now.arePeopleShared,
            areViewsShared: now.viewsVersion !== null,
            retentionDays: now.retentionDays,
            profiles: Object.keys(now.profiles),
            isPending: now.revision === '' || now.pending.length > 0,
          };
    },
    refresh,
    /** Runs a change by the signed-in person, and reads it, so that this installation shows it at once. */
    change: async (work: () => Promise<Result<undefined>>): Promise<Result<undefined>> => {
      ownChanges += 1;
      try {
        const done = await work();
        if (done.ok) {
          await refreshing;
          await refresh();
        }
        return done;
      } finally {
        ownChanges -= 1;
      }
    },
    catchUp: (): void => {
      if (!isCurrent && team() !== null && shared()) void refresh();
    },
    onChange: (listener: (change: PeopleChange) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
