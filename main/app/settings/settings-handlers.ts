import type { AppState, Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { checkForwardingChange } from './forwarding-change.ts';
import { checkReceiverChange } from './receiver-change.ts';
import { findProfile } from './find-profile.ts';
import { checkScripts } from './custom-scripts.ts';
import { checkMessages } from './message-templates.ts';
import { checkViews } from './saved-views.ts';

/**
 * The requests about the settings. `onReceiverChange` is called after a change of the receiver's settings; `publish`
 * sends the state to the window, and returns it.
 */
export const createSettingsHandlers = (
  { settings, system }: Pick<AppDependencies, 'settings' | 'system'>,
  onReceiverChange: () => Promise<void>,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'settings.change' | 'settings.dismissRecovery'> => ({
  'settings.dismissRecovery': async () => {
    settings.change(stored => ({ ...stored, recovery: null }));
    return ok(await publish());
  },
  'settings.change': async ({ confirmedHost, ...change }) => {
    if (change.activeProfileId !== undefined) {
      const profile = findProfile(settings, change.activeProfileId);
      if (!profile.ok) return profile;
    }
    if (change.receiver !== undefined) {
      const { receiver } = settings.read().settings;
      const allowed = checkReceiverChange(receiver, change.receiver, confirmedHost ?? null);
      if (!allowed.ok) return allowed;
    }
    if (change.logForwarding !== undefined) {
      const before = settings.read().settings.logForwarding;
      const allowed = checkForwardingChange(before, change.logForwarding);
      if (!allowed.ok) return allowed;
    }
    const views = checkViews(change.views ?? []);
    if (!views.ok) return views;
    const sentences = checkScripts(change.sentences);
    if (!sentences.ok) return sentences;
    const messages = checkMessages(change.messages);
    if (!messages.ok) return messages;
    const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    settings.change(stored => ({ ...stored, settings: { ...stored.settings, ...defined } }));
    if (change.startAtLogin !== undefined) system.setStartAtLogin(change.startAtLogin);
    if (change.receiver !== undefined) await onReceiverChange();
    return ok(await publish());
  },
});
