import { ok, type Result } from '../../../shared/errors.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { SharingPlan } from '../../../shared/team/sharing.ts';
import type { SharedPeople } from '../../payment-log/postgres/shared-people.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { proposeMapping } from './map-profiles.ts';
import { readProfile, roleOf } from './merge-people.ts';

const accountOf = ({ id, name, kind, baseUrl, merchantKey }: Profile) => ({
  id,
  name,
  kind,
  baseUrl,
  merchantKey,
});

/** What an installation can share, and what is proposed for each of its profiles. Errors: as a read of people. */
export const planSharing = async (
  people: Pick<SharedPeople, 'read' | 'hasRight'>,
  { profiles, agents }: Pick<Stored, 'profiles' | 'agents'>,
): Promise<Result<SharingPlan>> => {
  const facts = await people.read(null);
  if (!facts.ok) return facts;
  const may = await people.hasRight('admin');
  if (!may.ok) return may;
  const shared = (facts.value?.profiles ?? []).flatMap(({ id, body }) => readProfile(id, body) ?? []);
  const team = facts.value?.agents ?? [];
  const isNew = ({ id, name }: { id: string; name: string }): boolean =>
    !team.some(one => one.id === id || one.name.toLocaleLowerCase() === name.toLocaleLowerCase());
  const mapping = new Map(proposeMapping(profiles, shared).map(({ id, to }) => [id, to]));
  return ok({
    mayChange: may.value,
    shared: shared.map(accountOf),
    profiles: profiles.flatMap(profile => {
      const to = mapping.get(profile.id);
      if (!to) return [];
      return [
        { ...accountOf(profile), to: to.kind === 'add' && !may.value ? { kind: 'stay' as const } : to },
      ];
    }),
    people: team.map(({ id, name, role, hasPin }) => ({ id, name, role: roleOf(role), hasPin })),
    newPeople: agents
      .filter(isNew)
      .map(({ id, name, role, pin }) => ({ id, name, role, hasPin: pin !== null })),
  });
};
