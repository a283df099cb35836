import type { Handlers } from '../../../shared/contract/contract.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { mapHandlers } from './map-handlers.ts';

/** The same handlers, which answer once changed settings are on disk, or the write has failed. */
export const durableHandlers = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read' | 'flush'>,
): Handlers =>
  mapHandlers(handlers, handler => async input => {
    const before = settings.read();
    const result = await handler(input);
    if (settings.read() !== before) await settings.flush();
    return result;
  });
