import type { RequestName, Handlers } from '../../../shared/contract/index.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';

export type Handler = (input: unknown) => Promise<Result<unknown>>;

/** Each handler, wrapped. */
export const mapHandlers = (
  handlers: Handlers,
  wrap: (handler: Handler, name: RequestName) => Handler,
): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, wrap(handler as Handler, name as RequestName)]),
  ) as Handlers;

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
