import type { AppState, Handlers, Lock } from '../../../shared/contract/contract.ts';
import { openLinksIn } from '../../../shared/payments/outcomes.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { AgentSession } from './agent-session.ts';
import { createAgentRequests } from './agents.ts';
import type { CredentialCache } from './credential-cache.ts';
import { createCredentialHealth } from './watch-credentials.ts';
import { createProfileHandlers } from './profile-handlers.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { unwritableFile, writeFileAtomic } from '../../files/replace-file.ts';
import { returnPage, returnPageKinds } from '../../return-pages/return-page.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { randomUUID } from 'node:crypto';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { languages, msg, type Message } from '../../../shared/messages/message.ts';
import type { Template } from '../../../shared/payments/template.ts';
import { findProfile } from './find-profile.ts';
import type { AppSettings } from '../common/app-settings.ts';
import { viewsFor, type SavedView } from '../../../shared/settings/saved-view.ts';
import { placeViews } from '../../team/people/merge-views.ts';
import { checkReceiverChange } from './receiver-change.ts';
import { checkScripts } from './custom-scripts.ts';
import { changesShared, planViews } from './saved-views.ts';
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
const createSettingsHandlers = (
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

/** Limit of templates per profile, by the size of a menu. */
const most = 50;

const byName = (one: Template, other: Template): number => one.name.localeCompare(other.name);

/** The requests about templates for frequent charges. */
const createTemplateHandlers = (
  settings: AppSettings,
): Pick<Handlers, 'templates.list' | 'templates.save' | 'templates.remove'> => {
  const of = (profileId: string): Template[] =>
    settings
      .read()
      .templates.filter(one => one.profileId === profileId)
      .toSorted(byName);
  return {
    'templates.list': async ({ profileId }) => ok({ templates: of(profileId) }),
    'templates.save': async ({ id, ...draft }) => {
      const profile = findProfile(settings, draft.profileId);
      if (!profile.ok) return profile;
      const others = of(draft.profileId).filter(one => one.id !== id);
      const problems: FieldProblem[] = (['name', 'description'] as const)
        .filter(field => containsCardNumber(draft[field]))
        .map(path => ({ path, message: msg('card-number.found') }));
      if (problems.length > 0)
        return fail('input.card-number', msg('templates.card-number'), { fields: problems });
      if (others.some(one => one.name.toLocaleLowerCase() === draft.name.toLocaleLowerCase()))
        problems.push({ path: 'name', message: msg('templates.taken') });
      else if (others.length >= most)
        problems.push({ path: 'name', message: msg('templates.full', { count: most }) });
      if (problems.length > 0) return fail('input.invalid', msg('templates.not-saved'), { fields: problems });
      const saved: Template = { ...draft, id: id ?? randomUUID() };
      settings.change(stored => ({
        ...stored,
        templates: [...stored.templates.filter(one => one.id !== saved.id), saved],
      }));
      return ok({ template: saved, templates: of(saved.profileId) });
    },
    'templates.remove': async ({ id }) => {
      const removed = settings.read().templates.find(one => one.id === id);
      settings.change(stored => ({
        ...stored,
        templates: stored.templates.filter(one => one.id !== id),
      }));
      return ok({ templates: removed ? of(removed.profileId) : [] });
    },
  };
};

/** Writes problems of the settings file to the application log, now and after every change. */
const recordSettingsProblems = (
  { settings, appLog }: Pick<AppDependencies, 'settings' | 'appLog'>,
  onChange: () => void,
): void => {
  settings.onProblem(() => {
    const problem = settings.problem();
    if (problem)
      appLog.write('error', 'settings', inEnglish(problem.message), {
        cause: problem.details?.['cause'] ?? null,
      });
    else appLog.write('info', 'settings', 'The settings are saved again.');
    onChange();
  });
  const { blocked } = settings;
  const { recovery } = settings.read();
  if (blocked ?? recovery)
    appLog.write('error', 'settings', 'The settings could not be read in full.', {
      code: blocked?.code ?? 'recovered',
      problems: recovery?.problems.length ?? 0,
    });
};

/** The request that saves the pages for customers of a merchant without a shop. */
const createReturnPageHandlers = (parts: AppDependencies): Pick<Handlers, 'profiles.saveReturnPages'> => {
  const [first, second] = returnPageKinds;
  return {
    'profiles.saveReturnPages': async ({ merchant }) => {
      const beside = (file: string): string => join(dirname(file), `${second}.html`);
      const chosen = await chooseSaveFile(parts, `${first}.html`, file => [beside(file)]);
      if (!chosen.ok) return chosen;
      if (chosen.value === null) return ok({ files: [] });
      let other = beside(chosen.value);
      // The system's dialog asks only about the file that is chosen in it.
      if (existsSync(other) || other === chosen.value) {
        const asked = await chooseSaveFile(parts, other);
        if (!asked.ok) return asked;
        if (asked.value === null || asked.value === chosen.value) return ok({ files: [] });
        other = asked.value;
      }
      const name = merchant.trim() === '' ? null : merchant.trim();
      try {
        await writeFileAtomic(chosen.value, returnPage(first, name));
        await writeFileAtomic(other, returnPage(second, name));
      } catch (thrown) {
        return unwritableFile(codeOf(thrown));
      }
      return ok({ files: [basename(chosen.value), basename(other)] });
    },
  };
};

/**
 * Settings, profiles, templates, and the people who sign in. `notifyAlways` also sends while the console is locked.
 * `followReceiver` and `reverify` are called when the receiver's settings, and the password of a profile, have changed.
 */
export const createSettingsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    session: AgentSession;
    lock: () => Lock;
    people: TeamPeople;
    passwords: CredentialCache;
    publish: () => Promise<AppState>;
    notifyAlways: AppDependencies['notify'];
    followReceiver: () => Promise<void>;
    reverify: (profileId: string) => Promise<void>;
    chosenFolders: ReadonlySet<string>;
  },
) => {
  const { settings, system } = parts;
  const { session, lock, people, passwords, publish, notifyAlways, followReceiver, reverify } = given;

  /** After a lock: the page is loaded again, so that it holds no payment data. */
  const showLock = (): void => {
    notifyAlways('app.locked', lock());
    system.reloadWindow();
    events.emit('locked');
  };
  // The lock screen shows who can sign in now.
  events.on('stateChanged', () => {
    if (session.isLocked()) notifyAlways('app.locked', lock());
  });
  recordSettingsProblems(parts, () => void events.emit('stateChanged'));

  const credentialHealth = createCredentialHealth(parts, passwords);
  const agents = createAgentRequests({
    settings,
    session,
    requester: parts.requester,
    lock,
    team: people,
    elapsed: () => performance.now(),
    publish,
    openLinks: async () => {
      const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
      return counts && openLinksIn(counts);
    },
    onLock: showLock,
    onUnlock: () => notifyAlways('payments.changed', { payments: null }),
  });
  const profiles = createProfileHandlers(parts, passwords, people, async (profileId, passwordChanged) => {
    await followReceiver();
    if (passwordChanged) await reverify(profileId);
    await publish();
  });

  return {
    showLock,
    confirmOther: agents.confirmOther,
    /** Remembers the result of a connection check. */
    checked: credentialHealth.checked,
    handlers: {
      ...agents.handlers,
      ...profiles,
      ...credentialHealth.handlers,
      ...createSettingsHandlers(parts, session, people, given.chosenFolders, followReceiver, publish),
      ...createReturnPageHandlers(parts),
      ...createTemplateHandlers(settings),
    },
    needsSettings: true as const,
    start: (): void => {
      const { startAtLogin } = settings.read().settings;
      if (settings.policy.managed.settings.includes('startAtLogin')) system.setStartAtLogin(startAtLogin);
    },
  };
};
