import type { Event } from '../../shared/evidence.ts';
import type { LookUp } from './payments.ts';

/** Milliseconds after the callback: soon, then with backoff, then never again by itself. */
const asks = [1_500, 10_000, 60_000, 300_000, 1_800_000];
/** Look-ups at once: after an outage a gateway delivers thousands of callbacks, and a person's own look-up must not wait behind them. */
const atOnce = 2;

/**
 * Asks the gateway by itself after a verified sale + success, so that "paid" rests on two sources.
 * One look-up at a time for a payment and two in all; it stops at the first answer that names an outcome.
 */
export const confirmations = (lookUp: LookUp, wanted: () => boolean) => {
  const waiting = new Map<string, NodeJS.Timeout>();
  const due: (() => Promise<void>)[] = [];
  let running = 0;

  const work = async (): Promise<void> => {
    if (running === atOnce) return;
    running += 1;
    // A log in trouble is said in the window; the reconciliation queue asks for what was not confirmed.
    for (let next = due.shift(); next; next = due.shift()) await next().catch(() => undefined);
    running -= 1;
  };

  const ask = (profileId: string, paymentId: string, turn: number): void => {
    const after = asks[turn];
    const key = `${profileId} ${paymentId}`;
    if (after === undefined || waiting.has(key)) return;
    const timer = setTimeout(() => {
      due.push(async () => {
        waiting.delete(key);
        if (!wanted()) return;
        const observed = await lookUp(profileId, { by: 'payment-id', value: paymentId }, 'console');
        const named = observed.ok && observed.value.body.answers.some(answer => answer.status === 'settled');
        if (!named) ask(profileId, paymentId, turn + 1);
      });
      void work();
    }, after);
    timer.unref();
    waiting.set(key, timer);
  };

  return {
    /** To be told of every event written. */
    consider(events: readonly Event[]): void {
      if (!wanted()) return;
      for (const event of events) {
        if (event.kind !== 'callback.received' || event.paymentId === null) continue;
        if (event.body.verification.verdict !== 'verified') continue;
        const value = (name: string): string | undefined =>
          event.body.fields.find(([field]) => field === name)?.[1];
        if (value('type') === 'sale' && value('status') === 'success')
          ask(event.profileId, event.paymentId, 0);
      }
    },
    stop(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      due.length = 0;
    },
  };
};
