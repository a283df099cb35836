import { roles, type Role } from '../../../shared/agents/roles.ts';
import { profileSchema, type Profile } from '../../../shared/settings/profile.ts';
import type { PeopleFacts } from '../../payment-log/postgres/people.ts';
import type { Stored, StoredAgent } from '../../settings/stored-settings.ts';

/** The offline copy of what a team shares: it is in this installation's settings, where everything else reads it. */

/**
 * A PIN that no digits match. A person with a PIN who never signed in at this installation cannot do so while the shared
 * log is unreachable.
 */
const unknownPin = { salt: '00'.repeat(16), hash: '00'.repeat(32) };

/** The profile in a stored body; null if this version cannot read it. */
export const readProfile = (id: string, body: string): Profile | null => {
  try {
    const read = profileSchema.safeParse({ ...(JSON.parse(body) as object), id });
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** A role that this version does not know has the fewest rights. */
const roleOf = (role: string): Role => roles.find(known => known === role) ?? 'agent';

/**
 * Settings that contain the shared profiles and people. Profiles that were never shared stay. `isSignedInGone`: the
 * signed-in person was removed, and the session must not continue as another person.
 */
export const mergePeople = (
  stored: Stored,
  { revision, profiles, agents, retentionDays }: PeopleFacts,
): { stored: Stored; isSignedInGone: boolean } => {
  const before = stored.team;
  const shared = profiles.flatMap(({ id, body, callbackPath, version }) => {
    const profile = readProfile(id, body);
    return profile === null ? [] : [{ profile, callbackPath, version }];
  });
  const sharedIds = new Set(profiles.map(({ id }) => id));
  const wasShared = (id: string): boolean => Object.hasOwn(before?.profiles ?? {}, id);
  const own = stored.profiles.filter(({ id }) => !sharedIds.has(id) && !wasShared(id));
  const local = new Map(stored.agents.map(agent => [agent.id, agent]));
  const merged = agents.map(({ id, name, role, hasPin, pinVersion }): StoredAgent => {
    const known = local.get(id);
    const isRemembered = known?.pin != null && before?.pins[id] === pinVersion;
    return {
      id,
      name,
      role: roleOf(role),
      pin: hasPin ? (isRemembered ? known.pin : unknownPin) : null,
      wrong: known?.wrong ?? 0,
      waitMs: known?.waitMs ?? 0,
    };
  });
  // Before the first person was shared, the local ones stay.
  const everyone = merged.length > 0 ? merged : stored.agents;
  const current = stored.agents.find(({ name }) => name === stored.settings.agent);
  const next = everyone.find(({ id }) => id === current?.id);
  const activeProfileId =
    wasShared(stored.settings.activeProfileId) && !sharedIds.has(stored.settings.activeProfileId)
      ? (shared[0]?.profile.id ?? own[0]?.id ?? stored.settings.activeProfileId)
      : stored.settings.activeProfileId;
  return {
    stored: {
      ...stored,
      profiles: [...own, ...shared.map(({ profile }) => profile)],
      callbackPaths: {
        ...stored.callbackPaths,
        ...Object.fromEntries(shared.map(({ profile, callbackPath }) => [profile.id, callbackPath])),
      },
      agents: everyone,
      settings: {
        ...stored.settings,
        activeProfileId,
        agent: next?.name ?? everyone[0]?.name ?? stored.settings.agent,
      },
      team: {
        revision,
        profiles: Object.fromEntries(shared.map(({ profile, version }) => [profile.id, version])),
        // Only of PINs that are known here.
        pins: Object.fromEntries(
          agents.flatMap(({ id, pinVersion }) => (before?.pins[id] === pinVersion ? [[id, pinVersion]] : [])),
        ),
        retentionDays,
      },
    },
    isSignedInGone: current !== undefined && next === undefined,
  };
};
