import { hasRight, rightsOf, roles, type Role } from '../../../shared/agents/roles.ts';
import { accountOf, profilesOf } from '../../../shared/settings/account.ts';
import { needsPasswordAgain, type Profile } from '../../../shared/settings/profile.ts';
import type { PeopleFacts, StoredPerson } from '../../payment-log/postgres/shared-people.ts';
import { unknownPin } from '../../credentials/pin.ts';
import {
  sandboxProfileId,
  type CopiedTeam,
  type Stored,
  type StoredAgent,
} from '../../settings/stored-settings.ts';
import { mergeViews, readViews } from './merge-views.ts';
import { readProfile } from './read-profile.ts';

/** The offline copy of what a team shares: it is in this installation's settings, where everything else reads it. */

/** Shared profiles and people before the first copy. */
export const emptyCopy: CopiedTeam = {
  revision: '',
  profiles: {},
  pins: {},
  retentionDays: null,
  arePeopleShared: false,
  viewsVersion: null,
  pending: [],
};

/** A role that this version does not know has the fewest rights. */
export const roleOf = (role: string): Role => roles.find(known => known === role) ?? 'agent';

type Merged = {
  stored: Stored;
  /** The signed-in person was removed, and the session must not continue as another person. */
  isSignedInGone: boolean;
  /** The signed-in person lost rights, or got another PIN. */
  isSignedInChanged: boolean;
  /** Profiles that were removed, or that belong to another server now: their password must not be used any more. */
  dropPasswords: readonly string[];
  /** Whether a profile was added, changed or removed. */
  areProfilesChanged: boolean;
};

const mergeAgents = (stored: Stored, agents: readonly StoredPerson[]): StoredAgent[] => {
  const local = new Map(stored.agents.map(agent => [agent.id, agent]));
  return agents.map(({ id, name, role, hasPin, pinVersion }): StoredAgent => {
    const known = local.get(id);
    const isRemembered = known?.pin != null && stored.team?.pins[id] === pinVersion;
    return {
      id,
      name,
      role: roleOf(role),
      // A person with a PIN who never signed in here cannot do so while the shared log is unreachable.
      pin: hasPin ? (isRemembered ? known.pin : unknownPin) : null,
      wrong: known?.wrong ?? 0,
      waitMs: known?.waitMs ?? 0,
    };
  });
};

/** Whether a session that began as `current` must not continue as `next`. */
const hasLess = (
  current: StoredAgent,
  next: StoredAgent,
  pins: CopiedTeam['pins'],
  version: number | undefined,
): boolean => {
  const hasOtherPin =
    next.pin !== null &&
    (current.pin === null || (pins[current.id] !== undefined && pins[current.id] !== version));
  return hasOtherPin || rightsOf[current.role].some(right => !hasRight(next.role, right));
};

/** Settings that contain what the team shares. Profiles that were never shared stay. */
export const mergePeople = (
  stored: Stored,
  { revision, profiles, agents, retentionDays, views }: PeopleFacts,
  /** The policy of this computer names its people: those of the team are not copied. */
  arePeopleFixed = false,
): Merged => {
  const before = stored.team ?? emptyCopy;
  const shared = profiles.flatMap(({ id, body, callbackPath, version }) => {
    const profile = id === sandboxProfileId ? null : readProfile(id, body);
    return profile === null ? [] : [{ profile, callbackPath, version }];
  });
  const sharedIds = new Set(profiles.map(({ id }) => id));
  const wasShared = (id: string): boolean => Object.hasOwn(before.profiles, id);
  const removed = stored.profiles.filter(({ id }) => wasShared(id) && !sharedIds.has(id)).map(({ id }) => id);
  const own = stored.profiles.filter(({ id }) => !sharedIds.has(id) && !wasShared(id));
  const local = new Map(stored.profiles.map(profile => [profile.id, profile]));
  const teams = shared.map(({ profile }) => profile);
  const sameAs = (profile: Profile): Profile | undefined => profilesOf(teams, profile)[0];
  const isNewHere = (profile: Profile): boolean => {
    const known = local.get(profile.id);
    return known === undefined || accountOf(known) !== accountOf(profile);
  };
  // An account has one profile: payments continue under the team's, as if that had been chosen.
  const continuing = own.flatMap(({ id, ...profile }): CopiedTeam['pending'] => {
    const same = sameAs({ id, ...profile });
    const isPending = before.pending.some(one => one.id === id);
    return same && isNewHere(same) && !isPending ? [{ id, to: same.id }] : [];
  });
  const elsewhere = shared.flatMap(({ profile }) => {
    const old = local.get(profile.id);
    return old && needsPasswordAgain(old, profile) ? [profile.id] : [];
  });

  // Before the first person was shared, the local ones stay.
  const arePeopleShared = agents.length > 0 && !arePeopleFixed;
  const everyone = arePeopleShared ? mergeAgents(stored, agents) : stored.agents;
  const current = stored.agents.find(({ name }) => name === stored.settings.agent);
  const next = everyone.find(({ id }) => id === current?.id);
  const activeProfileId = removed.includes(stored.settings.activeProfileId)
    ? (shared[0]?.profile.id ?? own[0]?.id ?? stored.settings.activeProfileId)
    : stored.settings.activeProfileId;
  const teamViews = views && readViews(views.body);
  const merged: Stored = {
    ...stored,
    // The first profile of an account is the one for new payments.
    profiles: [
      ...own.filter(profile => !sameAs(profile)),
      ...teams,
      ...own.filter(profile => sameAs(profile)),
    ],
    callbackPaths: {
      ...stored.callbackPaths,
      ...Object.fromEntries(shared.map(({ profile, callbackPath }) => [profile.id, callbackPath])),
    },
    templates: stored.templates.filter(({ profileId }) => !removed.includes(profileId)),
    agents: everyone,
    settings: {
      ...stored.settings,
      activeProfileId,
      agent: next?.name ?? everyone[0]?.name ?? stored.settings.agent,
      views:
        teamViews === null
          ? stored.settings.views
          : mergeViews(
              stored.settings.views,
              teamViews,
              before.viewsVersion === null,
              (next ?? everyone[0])?.id,
            ),
    },
    team: {
      ...before,
      revision,
      profiles: Object.fromEntries(shared.map(({ profile, version }) => [profile.id, version])),
      // Only of PINs that are known here.
      pins: Object.fromEntries(
        agents.flatMap(({ id, pinVersion }) => (before.pins[id] === pinVersion ? [[id, pinVersion]] : [])),
      ),
      retentionDays,
      arePeopleShared,
      pending: [...before.pending, ...continuing],
      viewsVersion: teamViews === null ? before.viewsVersion : (views?.version ?? null),
    },
  };
  return {
    stored: merged,
    isSignedInGone: current !== undefined && next === undefined,
    isSignedInChanged:
      before.arePeopleShared &&
      current !== undefined &&
      next !== undefined &&
      hasLess(current, next, before.pins, agents.find(({ id }) => id === current.id)?.pinVersion),
    dropPasswords: [...removed, ...elsewhere],
    areProfilesChanged:
      JSON.stringify([stored.profiles, stored.callbackPaths]) !==
      JSON.stringify([merged.profiles, merged.callbackPaths]),
  };
};

/**
 * The settings after the payments of a local profile continue under a shared one. The local one keeps its id for its
 * earlier payments, and is named as such.
 */
export const continueUnder = (stored: Stored, from: string, to: string, formerName: string): Stored => ({
  ...stored,
  profiles: stored.profiles.map(one => (one.id === from ? { ...one, name: formerName.slice(0, 80) } : one)),
  templates: stored.templates.map(one => (one.profileId === from ? { ...one, profileId: to } : one)),
  settings: {
    ...stored.settings,
    activeProfileId: stored.settings.activeProfileId === from ? to : stored.settings.activeProfileId,
  },
});
