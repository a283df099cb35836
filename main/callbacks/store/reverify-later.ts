import type { Result } from '../../../shared/errors.ts';
import { startLoop } from '../../pacing/loop.ts';

/** Delay before callbacks are verified again that could not be read or written, milliseconds. */
const retryMs = 60_000;

/**
 * Verifies the callbacks of profiles whose password has changed. What fails is tried again until it is done: a payment
 * whose callback stays unverified is not paid.
 */
export const startReverifying = (reverify: (profileId: string) => Promise<Result<unknown>>) => {
  const due = new Set<string>();
  const loop = startLoop(
    async () => {
      for (const profileId of due) if ((await reverify(profileId)).ok) due.delete(profileId);
      return due.size > 0 ? retryMs : Number.POSITIVE_INFINITY;
    },
    { everyMs: retryMs, firstMs: Number.POSITIVE_INFINITY },
  );
  return {
    /** Resolves after the first attempt. */
    add: (profileId: string): Promise<void> => {
      due.add(profileId);
      return loop.wake();
    },
    close: loop.close,
  };
};
