import { basename } from 'node:path';
import type {
  RequestName,
  RequestNameWith,
  RequestOutput,
  RequestParsed,
} from '../../../shared/contract/contract.ts';
import { decidesForEveryone } from '../../../shared/settings/descriptors.ts';
import type { Result } from '../../../shared/errors.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { changedFields } from '../../settings/changed-fields.ts';
import type { Activity } from '../activity/activity-log.ts';

/** A handled request: its input and answer, and the settings before and after it. */
type Handled<N extends RequestName> = {
  input: RequestParsed<N>;
  result: Result<RequestOutput<N>>;
  before: Stored;
  after: Stored;
  /** Whether no person was signed in. */
  wasLeft: boolean;
};

type Recorders = {
  [N in RequestNameWith<{ recorded: 'required' | 'if-possible' }>]: (
    handled: Handled<N>,
  ) => readonly Activity[];
};

type People = Stored['agents'];
const personOf = (agents: People, id: string | null) => agents.find(one => one.id === id);

const changesOfPerson = (
  before: People,
  after: People,
  { id, hasNewPin }: { id: string; hasNewPin: boolean },
): readonly Activity[] => {
  const old = personOf(before, id);
  const person = personOf(after, id);
  if (!person) return [];
  const { name, role } = person;
  const changes: Activity[] = old ? [] : [{ action: 'person-added', details: { person: name, role } }];
  if (old && old.name !== name)
    changes.push({ action: 'person-renamed', details: { person: old.name, name } });
  if (old && old.role !== role)
    changes.push({ action: 'role-changed', details: { person: name, role, roleBefore: old.role } });
  if (person.pin === null && old && old.pin !== null)
    changes.push({ action: 'pin-removed', details: { person: name } });
  if (hasNewPin) changes.push({ action: 'pin-set', details: { person: name } });
  return changes;
};

/** The profiles of `after` that are new or different. */
const changesOfProfiles = (before: Stored, after: Stored): readonly Activity[] =>
  after.profiles.flatMap((profile): Activity[] => {
    const old = before.profiles.find(({ id }) => id === profile.id);
    const details = { profileId: profile.id, profile: profile.name };
    if (!old) return [{ action: 'profile-added', details }];
    const fields = changedFields(old, profile);
    return fields.length > 0 ? [{ action: 'profile-changed', details: { ...details, fields } }] : [];
  });

const profileOf = ({ profiles }: Stored, id: string) => ({
  profileId: id,
  profile: profiles.find(one => one.id === id)?.name ?? '',
});

const aboutOrder = (
  action: Activity['action'],
  { profileId, orderNumber }: { profileId: string; orderNumber: string },
  { ok }: Result<unknown>,
): readonly Activity[] => (ok ? [{ action, details: { order: orderNumber, profileId } }] : []);

const sharedLogChanged = ({ ok }: Result<unknown>): readonly Activity[] =>
  ok ? [{ action: 'settings-changed', details: { fields: ['sharedLog'] } }] : [];

/**
 * As what the requests are recorded that are declared so; one without its function does not compile. A refused request
 * is not recorded.
 */
export const recorders: Recorders = {
  'agents.signIn': ({ input, result, after }) => {
    const person = personOf(after.agents, input.id)?.name;
    return !result.ok || person === undefined ? [] : [{ action: 'signed-in', details: {}, agent: person }];
  },
  'agents.signOut': ({ input, wasLeft }) =>
    wasLeft ? [] : [{ action: 'signed-out', details: { reason: input.reason } }],
  'agents.save': ({ input, result, before, after }) =>
    result.ok
      ? changesOfPerson(before.agents, after.agents, {
          id: result.value.id,
          hasNewPin: typeof input.pin === 'string',
        })
      : [],
  'agents.remove': ({ input, result, before }) => {
    const person = personOf(before.agents, input.id)?.name;
    return !result.ok || person === undefined ? [] : [{ action: 'person-removed', details: { person } }];
  },
  'settings.change': ({ input, result, before, after }) => {
    const fields = changedFields(before.settings, after.settings).filter(field => {
      const [name = ''] = field.split('.');
      return name in input && decidesForEveryone(name);
    });
    return result.ok && fields.length > 0 ? [{ action: 'settings-changed', details: { fields } }] : [];
  },
  'settings.export': ({ result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'settings', format: 'json' } }]
      : [],
  'settings.import': ({ result, before, after }) => {
    if (!result.ok) return [];
    const fields = changedFields(before.settings, after.settings);
    return [
      { action: 'settings-imported', details: {} },
      ...(fields.length > 0 ? [{ action: 'settings-changed' as const, details: { fields } }] : []),
      ...changesOfProfiles(before, after),
    ];
  },
  'team.join': ({ result }) => sharedLogChanged(result),
  'team.share': ({ result, before, after }) => [
    ...sharedLogChanged(result),
    ...(result.ok ? changesOfProfiles(before, after) : []),
  ],
  'team.leave': ({ result }) => sharedLogChanged(result),
  'team.beginChain': ({ result }) => sharedLogChanged(result),
  'receiver.chooseCertificate': ({ result }) =>
    result.ok && result.value.certificate
      ? [{ action: 'settings-changed', details: { fields: ['receiver.tls'] } }]
      : [],
  'profiles.save': ({ input, result, before, after }) => {
    if (!result.ok) return [];
    const { id } = result.value;
    const old = before.profiles.find(one => one.id === id);
    const saved = after.profiles.find(one => one.id === id);
    const password = input.password !== null;
    if (!old || !saved) return [{ action: 'profile-added', details: { ...profileOf(after, id), password } }];
    const fields = changedFields(old, saved);
    return fields.length > 0 || password
      ? [{ action: 'profile-changed', details: { ...profileOf(after, id), fields, password } }]
      : [];
  },
  'profiles.remove': ({ input, result, before }) =>
    result.ok ? [{ action: 'profile-removed', details: profileOf(before, input.id) }] : [],
  'payments.export': ({ input, result }) =>
    result.ok && result.value.file !== null
      ? [
          {
            action: 'exported',
            details: {
              exported: input.format === 'pdf' ? 'statement' : 'payments',
              format: input.format,
              count: result.value.written,
              ...(input.filter.profileId === null ? {} : { profileId: input.filter.profileId }),
            },
          },
        ]
      : [],
  'payments.exportFigures': ({ input, result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'overview', format: input.format } }]
      : [],
  'statements.report': ({ input: { format, profileId }, result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'month', format, profileId } }]
      : [],
  'sandbox.writeStatement': ({ result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'sandbox-statement', count: result.value.payments } }]
      : [],
  'payments.exportReconciliation': ({ input: { format }, result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'review', format, count: result.value.written } }]
      : [],
  'payments.dossier': ({ input, result }) =>
    result.ok && result.value.file !== null
      ? [
          {
            action: 'exported',
            details: { exported: 'dossier', order: input.orderNumber, profileId: input.profileId },
          },
        ]
      : [],
  'payments.printConfirmation': ({ input, result }) =>
    result.ok
      ? [
          {
            action: 'exported',
            details: { exported: 'confirmation', order: input.orderNumber, profileId: input.profileId },
          },
        ]
      : [],
  'activity.export': ({ result }) =>
    result.ok && result.value.file !== null
      ? [
          {
            action: 'exported',
            details: { exported: 'activity', format: 'csv', count: result.value.written },
          },
        ]
      : [],
  'log.backUp': ({ result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'log-copy' } }]
      : [],
  'movements.record': ({ input, result }) => aboutOrder('movement-recorded', input, result),
  'movements.noteDispute': ({ input, result }) => aboutOrder('movement-recorded', input, result),
  'movements.disputeCalendar': ({ input, result }) =>
    result.ok && result.value.file !== null
      ? [{ action: 'exported', details: { exported: 'calendar', order: input.orderNumber } }]
      : [],
  'movements.undo': ({ input, result }) => aboutOrder('movement-undone', input, result),
  'log.erase': ({ input, result }) => aboutOrder('erased', input, result),
  'customers.erase': ({ input, result }) =>
    result.ok
      ? [
          {
            action: 'erased',
            details: {
              order: input.orderNumber,
              profileId: input.profileId,
              count: result.value.payments,
            },
          },
        ]
      : [],
  'log.restore': ({ result }) =>
    result.ok ? [{ action: 'restored', details: { archive: basename(result.value.archivedAs) } }] : [],
  'log.createNew': ({ result }) =>
    result.ok ? [{ action: 'log-created', details: { archive: basename(result.value.archivedAs) } }] : [],
  'log.rebuild': ({ result }) => (result.ok ? [{ action: 'log-rebuilt', details: {} }] : []),
};
