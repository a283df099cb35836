import { ok, type Result } from '../../../shared/errors.ts';
import { profilesOf } from '../../../shared/settings/account.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { SharingPlan } from '../../../shared/team/sharing.ts';
import type { PeopleFacts, SharedPeople } from '../../payment-log/postgres/shared-people.ts';
import { sandboxProfileId, type Stored } from '../../settings/stored-settings.ts';
import { roleOf } from './merge-people.ts';
import { readProfile } from './read-profile.ts';

/** Local profiles whose gateway account has no profile in the team. Each installation has a separate sandbox. */
export const newProfiles = (local: readonly Profile[], facts: Pick<PeopleFacts, 'profiles'>): Profile[] => {
  const shared = facts.profiles.flatMap(({ id, body }) => readProfile(id, body) ?? []);
  return local.filter(
    profile =>
      profile.id !== sandboxProfileId &&
      profilesOf(shared, profile).length === 0 &&
      !facts.profiles.some(({ id }) => id === profile.id),
  );
};

/** Local people whose name the team does not have. */
export const newPeople = (
  local: Stored['agents'],
  { agents }: Pick<PeopleFacts, 'agents'>,
): Stored['agents'] =>
  local.filter(
    ({ id, name }) =>
      !agents.some(one => one.id === id || one.name.toLocaleLowerCase() === name.toLocaleLowerCase()),
  );

/** What the team has, and what it lacks of this installation. Errors: as a read of people. */
export const planSharing = async (
  people: Pick<SharedPeople, 'read' | 'hasRight'>,
  { profiles, agents }: Pick<Stored, 'profiles' | 'agents'>,
): Promise<Result<SharingPlan>> => {
  const read = await people.read(null);
  if (!read.ok) return read;
  const may = await people.hasRight('admin');
  if (!may.ok) return may;
  const facts = read.value ?? { profiles: [], agents: [] };
  return ok({
    mayChange: may.value,
    profiles: newProfiles(profiles, facts).map(({ name }) => name),
    people: facts.agents.map(({ id, name, role, hasPin }) => ({ id, name, role: roleOf(role), hasPin })),
    newPeople: newPeople(agents, facts).map(({ id, name, role, pin }) => ({
      id,
      name,
      role,
      hasPin: pin !== null,
    })),
  });
};
