import type { DeskError } from '../../../shared/errors.ts';
import type { Round, RoundOutcome } from '../../../shared/payments/bulk-look-up.ts';

/** How look-ups that nobody waits for treat the gateway: look-ups in flight, pauses in milliseconds. */
export const politeness = {
  concurrency: 2,
  /** Between an answer and the next request of the same lane. */
  delayMs: 250,
  /** After every `restEvery` requests a lane pauses for `restMs`. */
  restEvery: 50,
  restMs: 2_000,
};

/** Failures in a row after which asking pauses, by what they are about. One payment's own failure never counts. */
export const failureLimits = { payment: Number.POSITIVE_INFINITY, all: 1, gateway: 3, refusal: 5 };

export type OrderKey = { profileId: string; orderNumber: string };
export type RoundAnswer =
  { outcome: Exclude<RoundOutcome, 'failed'> } | { outcome: 'failed'; error: DeskError };
export type RoundEntry = { order: OrderKey } & RoundAnswer;

/**
 * What a failed look-up is about: this payment alone, a refusal that may be about this payment, a gateway that does
 * not answer, or every look-up.
 */
export const failureScope = ({ code, details }: DeskError): keyof typeof failureLimits => {
  if (code === 'input.invalid' || code === 'input.card-number' || code === 'payment.missing')
    return 'payment';
  // Not welcome, or too many: asking on would make it worse.
  if ([401, 403, 429, 503].includes(Number(details?.['httpStatus'] ?? 0))) return 'all';
  if (code === 'gateway.signature-refused' || code === 'gateway.refused') return 'refusal';
  return code.startsWith('gateway.') ? 'gateway' : 'all';
};

/**
 * Looks payments up, a few at a time and with pauses, and pauses by itself when the gateway refuses
 * or nothing can be asked at all. `ask` never throws; `wait` waits so many milliseconds; `tell` hears of every step.
 */
export const runRound = (
  orders: readonly OrderKey[],
  {
    ask,
    wait,
    tell,
  }: {
    ask: (order: OrderKey) => Promise<RoundAnswer>;
    wait: (milliseconds: number) => Promise<unknown>;
    tell: (round: Round) => void;
  },
) => {
  const id = crypto.randomUUID();
  const entries: RoundEntry[] = [];
  let phase: Round['phase'] = 'running';
  let problem: DeskError | null = null;
  let next = 0;
  let failed = 0;
  let opened = Promise.withResolvers<undefined>();
  opened.resolve(undefined);

  const state = (): Round => {
    const outcomes = { 'paid-now': 0, changed: 0, unchanged: 0, failed: 0 };
    for (const { outcome } of entries) outcomes[outcome] += 1;
    return { id, phase, total: orders.length, done: entries.length, outcomes, problem };
  };
  const turnTo = (to: Round['phase'], why: DeskError | null = null): void => {
    if (phase === 'over' || phase === to) return;
    if (to === 'paused') opened = Promise.withResolvers();
    else opened.resolve(undefined);
    phase = to;
    problem = why;
    failed = 0;
    tell(state());
  };

  const weigh = (answer: RoundAnswer): void => {
    if (answer.outcome !== 'failed') {
      failed = 0;
      return;
    }
    const scope = failureScope(answer.error);
    if (scope === 'payment') return;
    failed += 1;
    if (failed >= failureLimits[scope] && phase === 'running' && next < orders.length)
      turnTo('paused', answer.error);
  };

  const lane = async (): Promise<void> => {
    for (;;) {
      if (next < orders.length) await opened.promise;
      const order = phase === 'over' ? undefined : orders[next];
      if (order === undefined) return;
      next += 1;
      const rests = next % politeness.restEvery === 0;
      const answer = await ask(order);
      entries.push({ order, ...answer });
      weigh(answer);
      tell(state());
      if (next < orders.length) await wait(rests ? politeness.restMs : politeness.delayMs);
    }
  };
  const ended = Promise.all(Array.from({ length: politeness.concurrency }, lane)).then(() => turnTo('over'));

  return {
    state,
    entries: (): readonly RoundEntry[] => entries,
    pause: () => turnTo('paused'),
    goOn: () => turnTo('running'),
    /** Asks nothing further; what is under way is still answered and kept. */
    stop: () => turnTo('over'),
    ended,
  };
};
