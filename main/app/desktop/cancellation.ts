import type { Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';

/** What a person waits for, at the gateway or at the disk, by the name that the window gave it. */
export type CancellationRegistry = {
  /** Does the work under a name, with the signal that stops it. */
  run<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops what goes by this name; false when there is nothing of that name any more. */
  cancel(name: string): boolean;
};

export const createCancellationRegistry = (): CancellationRegistry => {
  const pending = new Map<string, AbortController>();
  return {
    run: async (name, work) => {
      const controller = new AbortController();
      pending.set(name, controller);
      try {
        return await work(controller.signal);
      } finally {
        if (pending.get(name) === controller) pending.delete(name);
      }
    },
    cancel: name => {
      const controller = pending.get(name);
      controller?.abort();
      return controller !== undefined;
    },
  };
};

/** The request that stops waiting. */
export const createCancellationHandlers = (
  cancellations: CancellationRegistry,
): Pick<Handlers, 'payments.cancelWait'> => ({
  'payments.cancelWait': async ({ requestId }) => ok({ stopped: cancellations.cancel(requestId) }),
});
