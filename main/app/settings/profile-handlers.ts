import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { accountOf, profilesOf } from '../../../shared/settings/account.ts';
import {
  maxProfiles,
  needsPasswordAgain,
  type Profile,
  type ProfileView,
} from '../../../shared/settings/profile.ts';
import { checkBaseUrl } from '../../gateway/base-url.ts';
import { dryRun } from '../../gateway/dry-run.ts';
import { profileProblems, withoutUnseenAt } from '../../gateway/profile-problems.ts';
import type { CredentialStore } from '../../credentials/credential-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { CredentialCache } from './credential-cache.ts';
import { findProfile } from './find-profile.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';

const viewOf = async (credentials: CredentialStore, profile: Profile): Promise<ProfileView> => ({
  ...profile,
  password: await credentials.state(profile.id),
});

/** The profiles for the renderer: whether there is a password, never the password. */
export const profileViews = ({
  settings,
  credentials,
}: Pick<AppDependencies, 'settings' | 'credentials'>): Promise<ProfileView[]> =>
  Promise.all(settings.read().profiles.map(profile => viewOf(credentials, profile)));

/**
 * The requests about merchant profiles. `changed` is called after every change of profile or password.
 */
export const createProfileHandlers = (
  parts: AppDependencies,
  passwords: CredentialCache,
  team: Pick<TeamPeople, 'sharing' | 'putProfile' | 'removeProfile'>,
  changed: (profileId: string, passwordChanged: boolean) => Promise<void>,
) => {
  const { settings, credentials } = parts;
  const locked = fail('input.invalid', msg('profile.of-sandbox'), { hint: msg('profile.of-sandbox.hint') });

  const isShared = (id: string): boolean => team.sharing()?.profiles.includes(id) === true;

  return {
    'profiles.save': async ({ id, profile: draft, password, thisRunOnly }): Promise<Result<ProfileView>> => {
      if (id === sandboxProfileId || draft.kind === 'sandbox') return locked;
      const existing = id === null ? null : findProfile(settings, id);
      if (existing?.ok === false) return existing;
      const base = checkBaseUrl(draft);
      const problems = profileProblems(draft);
      if (password !== null) problems.push(...withoutUnseenAt('password', password));
      if (password === draft.merchantKey)
        problems.push({ path: 'password', message: msg('profile.password.is-key') });
      const named = settings
        .read()
        .profiles.find(other => other.name === draft.name && other.kind === draft.kind && other.id !== id);
      if (named) problems.push({ path: 'name', message: msg('profile.name-taken') });
      const before = existing?.value ?? null;
      const twin = profilesOf(settings.read().profiles, draft).find(other => other.id !== id);
      if (twin && (before === null || accountOf(before) !== accountOf(draft)))
        problems.push({ path: 'merchantKey', message: msg('profile.account-taken', { name: twin.name }) });
      const own = settings.read().profiles.filter(other => other.id !== sandboxProfileId);
      if (id === null && own.length >= maxProfiles)
        problems.push({
          path: 'name',
          message: msg('profile.full', { count: maxProfiles }),
        });
      if (id === null && password === null)
        problems.push({
          path: 'password',
          message: msg('profile.password.required'),
        });
      if (before && password === null && needsPasswordAgain(before, draft))
        // Otherwise a person who changes the address could receive signatures made with the password.
        if ((await credentials.state(before.id)) !== 'missing')
          problems.push({ path: 'password', message: msg('profile.password.again') });
      if (problems.length > 0 || !base.ok)
        return fail('input.invalid', msg('profile.not-saved'), {
          fields: problems,
        });
      const saved: Profile = { ...draft, baseUrl: base.value, id: id ?? randomUUID() };
      const isTeams = id === null ? team.sharing() !== null : isShared(id);
      if (isTeams) {
        // Before the password is stored: a changed server address deletes the password that was stored for the old address.
        const put = await team.putProfile(saved, settings.callbackPath(saved.id), parts.requester.name());
        if (!put.ok) return put;
      }
      if (password !== null) {
        const stored = await passwords.set(saved.id, password, thisRunOnly ? 'this-run-only' : 'keychain');
        if (!stored.ok) return stored;
      }
      if (!isTeams)
        settings.change(stored => ({
          ...stored,
          profiles:
            id === null
              ? [...stored.profiles, saved]
              : stored.profiles.map(old => (old.id === id ? saved : old)),
        }));
      await changed(saved.id, password !== null);
      return ok(await viewOf(credentials, saved));
    },
    'profiles.remove': async ({ id }) => {
      if (id === sandboxProfileId) return locked;
      if (isShared(id)) {
        const gone = await team.removeProfile(id);
        if (!gone.ok) return gone;
      }
      const removed = await passwords.remove(id);
      if (!removed.ok) return removed;
      settings.change(stored => ({
        ...stored,
        profiles: stored.profiles.filter(profile => profile.id !== id),
        templates: stored.templates.filter(template => template.profileId !== id),
        settings:
          stored.settings.activeProfileId === id
            ? { ...stored.settings, activeProfileId: sandboxProfileId }
            : stored.settings,
      }));
      await changed(id, false);
      return ok({});
    },
    'profiles.dryRun': async ({ profile }) => {
      const base = checkBaseUrl(profile);
      if (!base.ok)
        return fail('input.invalid', msg('profile.base-url.required'), {
          fields: [{ path: 'baseUrl', message: base.error.message }],
        });
      return ok({ requests: dryRun({ ...profile, baseUrl: base.value, id: 'dry-run' }) });
    },
  } satisfies Partial<Handlers>;
};
