import { rulesOf, type Handlers, type RequestNameWith } from '../../../shared/contract/contract.ts';
import { mapHandlers } from './map-handlers.ts';

/** Whether the work that each request begins continues. A request that begins some does not compile without its function. */
export type Jobs = { [N in RequestNameWith<{ effect: 'job' }>]: () => boolean };

/** What a restart must not interrupt: the outcome would be unknown, or a file would be incomplete. */
export type RunningWork = ReturnType<typeof createRunningWork>;

export const createRunningWork = (jobs: Jobs) => {
  let running = 0;
  return {
    /** The same handlers; those that write, export or begin a job count as running until they have answered. */
    watch: (handlers: Handlers): Handlers =>
      mapHandlers(handlers, (handler, name) => {
        if (rulesOf(name).effect === 'none') return handler;
        return async input => {
          running += 1;
          try {
            return await handler(input);
          } finally {
            running -= 1;
          }
        };
      }),
    /** Whether a request or a job is running. */
    isRunning: (): boolean => running > 0 || Object.values(jobs).some(isContinuing => isContinuing()),
  };
};
