import type { CallName, Handlers } from '../../../shared/contract/index.ts';
import type { DeskError, Result } from '../../../shared/errors.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';

type Handler = (input: unknown) => Promise<Result<unknown>>;

const mapHandlers = (handlers: Handlers, wrap: (handler: Handler, name: CallName) => Handler): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, wrap(handler as Handler, name as CallName)]),
  ) as Handlers;

/** The same handlers, which answer once the settings they changed are on disk, or known not to be. */
export const durableHandlers = (settings: SettingsStore, handlers: Handlers): Handlers =>
  mapHandlers(handlers, handler => async input => {
    const before = settings.read();
    const result = await handler(input);
    if (settings.read() !== before) await settings.flush();
    return result;
  });

/** Without settings the window is drawn and says why; nothing else is done. */
const whileBlocked: ReadonlySet<CallName> = new Set([
  'desk.read',
  'desk.lock',
  'desk.takePlace',
  'app.reportError',
  'app.showLog',
]);

/** The same handlers, all but the first ones refused: the settings cannot be used. */
export const blockedHandlers = (handlers: Handlers, error: DeskError): Handlers =>
  mapHandlers(handlers, (handler, name) =>
    whileBlocked.has(name) ? handler : async () => ({ ok: false, error }),
  );
