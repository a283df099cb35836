import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { chooseLanguage } from '../../../shared/messages/language.ts';
import { msg } from '../../../shared/messages/message.ts';
import { openTeamPeople, type TeamPeople } from '../../team/people/team-people.ts';
import type { AppDependencies, AppOptions } from '../common/app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';

/** The profiles and people of this console's team. */
export const createTeamPeople = (
  {
    settings,
    credentials,
    team,
    clock,
    requester,
    systemLocale,
  }: Pick<AppOptions, 'settings'> &
    Pick<AppDependencies, 'credentials' | 'team' | 'clock' | 'requester'> & { systemLocale: () => string },
  passwords: CredentialCache,
): TeamPeople =>
  openTeamPeople({
    shared: () => team.shared()?.people ?? null,
    isConnected: () => team.isConnected(),
    settings,
    requester: () => requester.name(),
    elapsed: () => performance.now(),
    formerName: name => {
      const { language, locale } = chooseLanguage(settings.read().settings.language, systemLocale());
      return formatterFor(language, locale)(msg('team.profile.former', { name, date: clock() }));
    },
    passwords: {
      copy: async (from, to) => {
        if ((await credentials.state(to)) !== 'missing') return;
        const where = await credentials.state(from);
        const password = await passwords.of(from);
        // Without a keychain it is entered again, as for a new profile.
        if (password.ok)
          await passwords.set(to, password.value, where === 'this-run-only' ? where : 'keychain');
      },
      remove: profileId => passwords.remove(profileId),
    },
  });

/** The requests about what this installation shares with its team. */
export const createSharingHandlers = (
  people: Pick<TeamPeople, 'plan' | 'share'>,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'team.plan' | 'team.share'> => ({
  'team.plan': () => people.plan(),
  'team.share': async ({ adding }) => {
    const shared = await people.share(adding);
    return shared.ok ? ok(await publish()) : shared;
  },
});
