import type { Handlers, RequestName } from '../../../shared/contract/index.ts';
import { mapHandlers } from '../map-handlers.ts';

/** Requests that a restart must not interrupt: their outcome would be unknown, or a file would be incomplete. */
const uninterrupted: ReadonlySet<RequestName> = new Set([
  'payments.create',
  'payments.lookUp',
  'payments.export',
  'payments.exportFigures',
  'payments.exportReconciliation',
  'activity.export',
  'settings.export',
  'log.rebuild',
  'payments.dossier',
  'profiles.check',
  'settings.import',
  'log.backUp',
  'log.restore',
  'log.createNew',
  'log.encrypt',
  'log.decrypt',
  'log.removePlainFiles',
  'log.erase',
  'team.join',
  'team.leave',
  'team.beginChain',
]);

/** The same handlers, and whether one of those is running. */
export const watchRunningWork = (handlers: Handlers): { handlers: Handlers; isRunning: () => boolean } => {
  let running = 0;
  return {
    handlers: mapHandlers(handlers, (handler, name) => {
      if (!uninterrupted.has(name)) return handler;
      return async input => {
        running += 1;
        try {
          return await handler(input);
        } finally {
          running -= 1;
        }
      };
    }),
    isRunning: () => running > 0,
  };
};
