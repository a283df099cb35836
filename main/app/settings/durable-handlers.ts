import type { RequestName, Handlers } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { mapHandlers } from '../map-handlers.ts';

/** The same handlers, which answer once changed settings are on disk, or the write has failed. */
export const durableHandlers = (settings: SettingsStore, handlers: Handlers): Handlers =>
  mapHandlers(handlers, handler => async input => {
    const before = settings.read();
    const result = await handler(input);
    if (settings.read() !== before) await settings.flush();
    return result;
  });

/** Without settings the window only renders and shows the reason. */
const whileBlocked: ReadonlySet<RequestName> = new Set([
  'app.read',
  'app.lock',
  'app.takePendingNavigation',
  'app.reportError',
  'app.showLog',
]);

/** The same handlers, of which all but the first are refused: the settings cannot be used. */
export const blockedHandlers = (handlers: Handlers, error: AppError): Handlers =>
  mapHandlers(handlers, (handler, name) =>
    whileBlocked.has(name) ? handler : async () => ({ ok: false, error }),
  );
