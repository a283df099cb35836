import type { DeskError } from '../../shared/errors.ts';
import type { Round, RoundOutcome } from '../../shared/look-up-round.ts';

/** Look-ups under way at once; milliseconds between one answer and the next question of the same lane. */
const lanes = 2;
const between = 250;
/** With every so manieth question its lane rests, milliseconds. */
const restAfter = 50;
const rest = 2_000;

/** Failures in a row after which the gateway is taken to refuse; a payment it does not know is refused by itself. */
const patience = 3;
const patienceWithRefusals = 5;

export type OrderKey = { profileId: string; orderNumber: string };
export type RoundAnswer =
  { outcome: Exclude<RoundOutcome, 'failed'> } | { outcome: 'failed'; error: DeskError };
export type RoundEntry = { order: OrderKey } & RoundAnswer;

/** Whether a failure is about this payment alone, about asking at all, or about the gateway's mood. */
const reachOf = ({ code, details }: DeskError): 'payment' | 'refusal' | 'gateway' | 'all' => {
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
    const reach = reachOf(answer.error);
    if (reach === 'payment') return;
    failed += 1;
    const limit = reach === 'all' ? 1 : reach === 'gateway' ? patience : patienceWithRefusals;
    if (failed >= limit && phase === 'running' && next < orders.length) turnTo('paused', answer.error);
  };

  const lane = async (): Promise<void> => {
    for (;;) {
      if (next < orders.length) await opened.promise;
      const order = phase === 'over' ? undefined : orders[next];
      if (order === undefined) return;
      next += 1;
      const rests = next % restAfter === 0;
      const answer = await ask(order);
      entries.push({ order, ...answer });
      weigh(answer);
      tell(state());
      if (next < orders.length) await wait(rests ? rest : between);
    }
  };
  const ended = Promise.all(Array.from({ length: lanes }, lane)).then(() => turnTo('over'));

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
