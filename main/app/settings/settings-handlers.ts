import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { viewsFor, type SavedView } from '../../../shared/settings/saved-view.ts';
import { placeViews } from '../../team/people/merge-views.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { checkReceiverChange } from './receiver-change.ts';
import { findProfile } from './find-profile.ts';
import { checkScripts } from './custom-scripts.ts';
import { checkMessages } from './message-templates.ts';
import type { AgentSession } from './agent-session.ts';
import { changesShared, planViews } from './saved-views.ts';

/**
 * The requests about the settings. `people`: the team, whose views of everyone change
 * first; `chosenFolders`: what a person chose in the system's dialog; `onReceiverChange` is called after a change of the
 * receiver's settings; `publish` sends the state to the window, and returns it.
 */
export const createSettingsHandlers = (
  { settings, system, requester }: Pick<AppDependencies, 'settings' | 'system' | 'requester'>,
  session: Pick<AgentSession, 'agents'>,
  people: Pick<TeamPeople, 'sharing' | 'putViews'>,
  chosenFolders: ReadonlySet<string>,
  onReceiverChange: () => Promise<void>,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'settings.change' | 'settings.dismissRecovery' | 'settings.continueWithoutTeam'> => {
  /** The views to store: those of everyone as the team has them after the change. */
  const saveShared = async (views: SavedView[], personName: string): Promise<Result<SavedView[]>> => {
    const present = (): SavedView[] => settings.read().settings.views;
    if (people.sharing()?.areViewsShared !== true || !changesShared(present(), views)) return ok(views);
    const put = await people.putViews(views, personName);
    return put.ok ? ok(placeViews(views, viewsFor(present(), ''))) : put;
  };
  return {
    'settings.dismissRecovery': async () => {
      settings.change(stored => ({ ...stored, recovery: null }));
      return ok(await publish());
    },
    'settings.continueWithoutTeam': async () => {
      if (settings.blocked?.code !== 'settings.team-lost') return ok({});
      await settings.continueWithoutTeam();
      const problem = settings.problem();
      if (problem) return { ok: false, error: problem };
      system.restart();
      return ok({});
    },
    'settings.change': async ({ confirmedHost, views: visible, ...change }) => {
      if (change.activeProfileId !== undefined) {
        const profile = findProfile(settings, change.activeProfileId);
        if (!profile.ok) return profile;
      }
      if (change.receiver !== undefined) {
        const { receiver } = settings.read().settings;
        const allowed = checkReceiverChange(receiver, change.receiver, confirmedHost ?? null);
        if (!allowed.ok) return allowed;
      }
      const folder = change.scheduledExport?.folder;
      if (
        folder !== undefined &&
        folder !== settings.read().settings.scheduledExport?.folder &&
        !chosenFolders.has(folder)
      )
        return fail('input.invalid', msg('export.folder.not-chosen'), {
          hint: msg('export.folder.not-chosen.hint'),
          fields: [{ path: 'scheduledExport.folder', message: msg('export.folder.not-chosen') }],
        });
      const person = requester.person();
      const views =
        visible && person
          ? planViews(settings.read().settings.views, visible, person, session.agents())
          : null;
      if (views && !views.ok) return views;
      const sentences = checkScripts(change.sentences);
      if (!sentences.ok) return sentences;
      const messages = checkMessages(change.messages);
      if (!messages.ok) return messages;
      const saved = views && person ? await saveShared(views.value, person.name) : null;
      if (saved && !saved.ok) return saved;
      const defined = Object.fromEntries(
        Object.entries({ ...change, views: saved?.value }).filter(([, value]) => value !== undefined),
      );
      settings.change(stored => ({ ...stored, settings: { ...stored.settings, ...defined } }));
      if (change.startAtLogin !== undefined) system.setStartAtLogin(change.startAtLogin);
      if (change.receiver !== undefined) await onReceiverChange();
      return ok(await publish());
    },
  };
};
