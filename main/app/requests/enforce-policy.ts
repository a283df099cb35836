import type {
  Handlers,
  RequestName,
  RequestNameWith,
  RequestParsed,
} from '../../../shared/contract/contract.ts';
import { fail } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { changedFields } from '../../settings/changed-fields.ts';
import { mapHandlers } from './map-handlers.ts';

type Managed<N extends RequestName> = (
  input: RequestParsed<N>,
  settings: Pick<SettingsStore, 'read' | 'profile' | 'policy'>,
) => readonly string[];

const isProfileManaged = ({ policy }: Pick<SettingsStore, 'policy'>, id: string | null): boolean =>
  policy.managed.allProfiles || (id !== null && policy.managed.profiles.includes(id));

/**
 * The fields that each request would change although the policy fixes them. A request that is declared `fixedByPolicy`
 * does not compile without its function.
 */
const managedFields: { [N in RequestNameWith<{ fixedByPolicy: true }>]: Managed<N> } = {
  'settings.change': ({ confirmedHost: _confirmedHost, ...change }, { read, policy }) => {
    const before = read().settings;
    const defined = Object.entries(change).filter(([, value]) => value !== undefined);
    const after = { ...before, ...Object.fromEntries(defined) };
    return changedFields(before, after).filter(path => policy.managed.settings.includes(path));
  },
  'receiver.chooseCertificate': (_input, { policy }) =>
    policy.managed.settings.filter(path => path === 'receiver.tls'),
  'profiles.save': ({ id, profile }, settings) => {
    if (!isProfileManaged(settings, id)) return [];
    const known = id === null ? null : settings.profile(id);
    if (known === null) return ['profiles'];
    // The password of a managed profile is entered in the console.
    return changedFields(known, { id, ...profile });
  },
  'profiles.remove': ({ id }, settings) => (isProfileManaged(settings, id) ? ['profiles'] : []),
  'agents.save': ({ id, name, role }, { read, policy }) => {
    const person = read().agents.find(one => one.id === id);
    const isSame = person?.name === name && (role ?? person.role) === person.role;
    return policy.managed.people && !isSame ? ['people'] : [];
  },
  'agents.remove': (_input, { policy }) => (policy.managed.people ? ['people'] : []),
};

/** The same handlers, which refuse what the policy of this computer fixes: `policy.managed`, with the fields. */
export const enforcePolicy = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read' | 'profile' | 'policy'>,
): Handlers =>
  mapHandlers(handlers, (handler, name) => {
    const managed = (managedFields as Partial<Record<RequestName, Managed<RequestName>>>)[name];
    if (!managed || settings.policy.state === 'none') return handler;
    return async input => {
      const fields = managed(input as RequestParsed<RequestName>, settings);
      if (fields.length === 0) return handler(input);
      return fail('policy.managed', msg('error.policy.managed'), {
        hint: msg('hint.policy.managed'),
        fields: fields.map(path => ({ path, message: msg('error.policy.managed') })),
        details: { file: settings.policy.file },
      });
    };
  });
