import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { profilesOf } from '../../../shared/settings/account.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { ProfileMapping, SharingPlan } from '../../../shared/team/sharing.ts';
import type { SharedPeople, StoredProfile } from '../../payment-log/postgres/shared-people.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { proposeMapping } from './map-profiles.ts';
import { readProfile, roleOf } from './merge-people.ts';

const shownOf = ({ id, name, kind, baseUrl, merchantKey }: Profile) => ({
  id,
  name,
  kind,
  baseUrl,
  merchantKey,
});

const readShared = (stored: readonly StoredProfile[]): Profile[] =>
  stored.flatMap(({ id, body }) => readProfile(id, body) ?? []);

/** Refuses a mapping that would give an account of the team a second profile. */
export const checkMapping = (
  mapping: readonly ProfileMapping[],
  local: readonly Profile[],
  stored: readonly StoredProfile[],
): Result<undefined> => {
  const shared = readShared(stored);
  for (const { id, to } of mapping) {
    const profile = local.find(one => one.id === id);
    const same = profile && profilesOf(shared, profile)[0];
    if (same && same.id !== id && !(to.kind === 'existing' && to.id === same.id))
      return fail('input.invalid', msg('profile.account-taken', { name: same.name }));
  }
  return ok(undefined);
};

/** What an installation can share, and what is proposed for each of its profiles. Errors: as a read of people. */
export const planSharing = async (
  people: Pick<SharedPeople, 'read' | 'hasRight'>,
  { profiles, agents }: Pick<Stored, 'profiles' | 'agents'>,
): Promise<Result<SharingPlan>> => {
  const facts = await people.read(null);
  if (!facts.ok) return facts;
  const may = await people.hasRight('admin');
  if (!may.ok) return may;
  const shared = readShared(facts.value?.profiles ?? []);
  const team = facts.value?.agents ?? [];
  const isNew = ({ id, name }: { id: string; name: string }): boolean =>
    !team.some(one => one.id === id || one.name.toLocaleLowerCase() === name.toLocaleLowerCase());
  const mapping = new Map(proposeMapping(profiles, shared).map(({ id, to }) => [id, to]));
  return ok({
    mayChange: may.value,
    shared: shared.map(shownOf),
    profiles: profiles.flatMap(profile => {
      const to = mapping.get(profile.id);
      if (!to) return [];
      return [{ ...shownOf(profile), to: to.kind === 'add' && !may.value ? { kind: 'stay' as const } : to }];
    }),
    people: team.map(({ id, name, role, hasPin }) => ({ id, name, role: roleOf(role), hasPin })),
    newPeople: agents
      .filter(isNew)
      .map(({ id, name, role, pin }) => ({ id, name, role, hasPin: pin !== null })),
  });
};
