import { dirname, join } from 'node:path';
import type { AppState } from '../../../shared/contract/contract.ts';
import { openQuarantine } from '../../callbacks/store/quarantine.ts';
import { startReverifying } from '../../callbacks/store/reverify-later.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createCallbackFileHandlers } from './callback-file-handlers.ts';
import { createCallbackHandlers } from './callback-handlers.ts';
import { createCallbackListeners } from './callback-listeners.ts';
import { createCallbackReverifier } from './callback-reverifier.ts';
import { createReceiverHandlers } from './receiver-handlers.ts';

/** Callbacks: the listeners that receive them, the inspector, and files of them. */
export const createCallbacksFeature = (
  parts: AppDependencies,
  events: AppEvents,
  passwords: CredentialCache,
  publish: () => Promise<AppState>,
) => {
  const { settings, team } = parts;
  const stateChanged = (): void => void events.emit('stateChanged');
  const quarantine = openQuarantine(
    join(dirname(parts.logFile), 'quarantine.json'),
    () => settings.read().settings.receiver.quarantine,
    parts.clock,
    stateChanged,
  );
  const callbacks = createCallbackHandlers(parts, passwords, quarantine);
  const listeners = createCallbackListeners(parts, callbacks.store, quarantine, stateChanged);
  const file = createCallbackFileHandlers(parts, callbacks.reader, callbacks.candidates);
  const reverifier = createCallbackReverifier({
    hasPassword: callbacks.hasPassword,
    claim: (task, milliseconds) => team.claim(task, milliseconds),
    reverify: callbacks.reverify,
    recent: async limit => (parts.log.ok ? parts.log.value.recentCallbacks(limit) : []),
  });
  const reverifying = startReverifying(profileId => callbacks.reverify(profileId));
  events.on('stateChanged', () => reverifier.onConnection(team.isLevel()));
  events.on('eventsElsewhere', (_payments, written) => reverifier.onEventsElsewhere(written));

  return {
    listeners,
    /** Verifies the unverified callbacks of a profile again, whose password has changed; later too, if that fails. */
    reverify: reverifying.add,
    isStoringFile: file.isStoring,
    handlers: {
      ...callbacks.handlers,
      ...file.handlers,
      ...createReceiverHandlers(parts, listeners, quarantine, publish),
    },
    needsSettings: true as const,
    start: listeners.follow,
    stop: async (): Promise<void> => {
      reverifier.stop();
      await reverifying.close();
      await Promise.all([listeners.close(), callbacks.reader.close()]);
      quarantine.close();
    },
  };
};
