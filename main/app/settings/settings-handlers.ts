import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { viewsFor, type SavedView } from '../../../shared/settings/saved-view.ts';
import { placeViews } from '../../team/people/merge-views.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { checkReceiverChange } from './receiver-change.ts';
import { findProfile } from './find-profile.ts';
import { checkScripts } from './custom-scripts.ts';
import type { AgentSession } from './agent-session.ts';
import { changesShared, planViews } from './saved-views.ts';
import { languages } from '../../../shared/messages/language.ts';
import {
  maxMessageChars,
  messageSlots,
  parseMessage,
  type MessageProblem,
  type MessageTemplates,
} from '../../../shared/merchant-texts/message-templates.ts';

const messageOf = (kind: MessageProblem['kind']): Message => {
  switch (kind) {
    case 'too-long':
      return msg('script.too-long', { max: maxMessageChars });
    case 'card-number':
      return msg('card-number.found');
    case 'no-link':
    case 'link-in-subject':
      return msg(`messages.invalid.${kind}`);
    default:
      return msg(`script.${kind}`);
  }
};

/** Validates messages to customers. Errors: `input.card-number`; `input.invalid`, with a field for every refused one. */
const checkMessages = (templates: MessageTemplates | undefined): Result<undefined> => {
  const refused = languages.flatMap(language =>
    messageSlots.flatMap(slot => {
      const text = templates?.[language][slot];
      const read = text === undefined ? null : parseMessage(text, slot);
      if (read === null || read.ok) return [];
      const { kind } = read.problem;
      return [{ path: `messages.${language}.${slot}`, message: messageOf(kind), kind }];
    }),
  );
  if (refused.length === 0) return ok(undefined);
  const fields = refused.map(({ path, message }) => ({ path, message }));
  return refused.some(({ kind }) => kind === 'card-number')
    ? fail('input.card-number', msg('script.card-number'), { fields })
    : fail('input.invalid', msg('script.not-saved'), { fields });
};

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
