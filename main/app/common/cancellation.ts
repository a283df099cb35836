import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';

/** Cancellable work, at the gateway or on the disk, by the id from the renderer. */
export type CancellationRegistry = {
  /** Runs the work under an id, with the signal that cancels it. */
  run<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels the work with this id; false if it has already ended. */
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

/** The request that cancels waiting. */
export const createCancellationHandlers = (
  cancellations: CancellationRegistry,
): Pick<Handlers, 'payments.cancelWait'> => ({
  'payments.cancelWait': async ({ requestId }) => ok({ stopped: cancellations.cancel(requestId) }),
});
