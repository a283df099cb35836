import type { AppError } from '../../shared/errors.ts';
import { lookUpReasons, type LookUpReason } from '../../shared/look-ups/next-look-up.ts';
import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import { reportFailure } from '../app-log/failure-report.ts';

/** Rate limits of background look-ups: look-ups in flight, delays in milliseconds. */
const requestPacing = {
  concurrency: 2,
  /** Between an answer and the next request of the same worker. */
  delayMs: 250,
  /** Each worker pauses for `cooldownMs` after every `cooldownEvery` requests. */
  cooldownEvery: 50,
  cooldownMs: 2_000,
};

/** Limits of consecutive failures before the job pauses, by scope. Failures of a single payment never count. */
const failureLimits = { payment: Number.POSITIVE_INFINITY, all: 1, gateway: 3, refusal: 5 };

/**
 * The scope of a failed look-up: this payment only, a refusal that may concern this payment, an unreachable gateway,
 * or every look-up.
 */
const failureScope = ({ code, details }: AppError): keyof typeof failureLimits => {
  if (['input.invalid', 'input.card-number', 'payment.missing', 'gateway.sandbox-forgot'].includes(code))
    return 'payment';
  // Refused or rate-limited: further requests would make it worse.
  if ([401, 403, 429, 503].includes(Number(details?.['httpStatus'] ?? 0))) return 'all';
  if (code === 'gateway.signature-refused' || code === 'gateway.refused') return 'refusal';
  return code.startsWith('gateway.') ? 'gateway' : 'all';
};

/** Limit of payments that wait. The evidence of the others brings them back later. */
const maxWaiting = 2_000;
/** Longest time between two looks at the clock: it may be changed, and the computer may sleep. */
const tickMs = 1_000;
/** Pause of a profile after its provider refused or failed; it doubles until an answer comes. */
const firstPauseMs = 180_000;
const maxPauseMs = 60 * 60_000;

/** `skipped`: nothing was asked. */
export type Asked = 'answered' | 'skipped' | AppError;

export type QueuedLookUp = PaymentKey & {
  reason: LookUpReason;
  /** Not before, milliseconds. */
  at: number;
  ask: () => Promise<Asked>;
  /** Called when the look-ups of its profile pause while it waits or because of it. */
  onPause?: (why: AppError) => void;
};

/** The look-ups of one profile: its pace, and what stops it. */
type Lane = {
  inFlight: number;
  requests: number;
  failed: number;
  pauses: number;
  pausedUntil: number;
};

export type LookUpQueue = ReturnType<typeof createLookUpQueue>;

/**
 * The queue of every look-up without a person at its page. One look-up waits for each payment; the most urgent one that
 * is due comes first. Each profile has its pace, and a pause after its provider refuses or fails.
 */
export const createLookUpQueue = (clock: () => number, pacing: typeof requestPacing = requestPacing) => {
  const waiting = new Map<string, QueuedLookUp>();
  const running = new Set<string>();
  const lanes = new Map<string, Lane>();
  const timers = new Set<NodeJS.Timeout>();
  let tick: NodeJS.Timeout | null = null;
  let isStopped = false;

  const laneOf = (profileId: string): Lane => {
    const known = lanes.get(profileId);
    if (known) return known;
    const lane = { inFlight: 0, requests: 0, failed: 0, pauses: 0, pausedUntil: 0 };
    lanes.set(profileId, lane);
    return lane;
  };
  const isPaused = ({ pausedUntil }: Lane): boolean => clock() < pausedUntil;
  const rank = ({ reason }: QueuedLookUp): number => lookUpReasons.indexOf(reason);
  const isBefore = (one: QueuedLookUp, other: QueuedLookUp): boolean =>
    rank(one) === rank(other) ? one.at < other.at : rank(one) < rank(other);

  const count = (lane: Lane, asked: Exclude<Asked, 'skipped'>, look: QueuedLookUp): void => {
    if (asked === 'answered') {
      Object.assign(lane, { failed: 0, pauses: 0 });
      return;
    }
    const scope = failureScope(asked);
    if (scope === 'payment' || isPaused(lane)) return;
    lane.failed += 1;
    if (lane.failed < failureLimits[scope]) return;
    lane.failed = 0;
    lane.pausedUntil = clock() + Math.min(firstPauseMs * 2 ** lane.pauses, maxPauseMs);
    lane.pauses += 1;
    for (const { profileId, onPause } of [look, ...waiting.values()])
      if (profileId === look.profileId) onPause?.(asked);
  };

  const start = async (key: string, next: QueuedLookUp): Promise<void> => {
    const lane = laneOf(next.profileId);
    waiting.delete(key);
    running.add(key);
    lane.inFlight += 1;
    const asked = await next.ask().catch((thrown: unknown): Asked => {
      // The window reports a failing payment log; the evidence brings the payment back.
      reportFailure('background', 'A payment could not be looked up.', thrown);
      return 'skipped';
    });
    running.delete(key);
    const free = (): void => {
      lane.inFlight -= 1;
      advance();
    };
    if (asked === 'skipped' || isStopped) return free();
    lane.requests += 1;
    count(lane, asked, next);
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        free();
      },
      lane.requests % pacing.cooldownEvery === 0 ? pacing.cooldownMs : pacing.delayMs,
    );
    timer.unref();
    timers.add(timer);
  };

  /** The most urgent look-up that can be sent now. */
  const nextDue = (now: number): [string, QueuedLookUp] | null => {
    let best: [string, QueuedLookUp] | null = null;
    for (const [key, one] of waiting) {
      const lane = laneOf(one.profileId);
      if (one.at > now || running.has(key) || lane.inFlight >= pacing.concurrency || isPaused(lane)) continue;
      if (best === null || isBefore(one, best[1])) best = [key, one];
    }
    return best;
  };

  /** Sends what is due, and looks again when the next one may be. */
  const advance = (): void => {
    if (tick) clearTimeout(tick);
    tick = null;
    if (isStopped) return;
    const now = clock();
    for (let due = nextDue(now); due !== null; due = nextDue(now)) void start(...due);
    if (waiting.size === 0) return;
    let next = now + tickMs;
    for (const { at } of waiting.values()) if (at > now) next = Math.min(next, at);
    tick = setTimeout(advance, next - now).unref();
  };

  /** Makes room for a look-up in a full queue; false if all that wait come before it. */
  const displace = (look: QueuedLookUp): boolean => {
    let last: [string, QueuedLookUp] | null = null;
    for (const one of waiting) if (last === null || isBefore(last[1], one[1])) last = one;
    return last !== null && isBefore(look, last[1]) && waiting.delete(last[0]);
  };

  return {
    /**
     * Of two look-ups of one payment the more urgent one remains, otherwise the later one, at the earlier time. False:
     * the queue is full or has ended.
     */
    add(look: QueuedLookUp): boolean {
      const key = paymentKey(look);
      const known = waiting.get(key);
      if (isStopped || (!known && waiting.size >= maxWaiting && !displace(look))) return false;
      const urgent = known && rank(known) < rank(look) ? known : look;
      waiting.set(key, { ...urgent, at: Math.min(look.at, known?.at ?? look.at) });
      advance();
      return true;
    },
    /** Ends the pause of a profile: a person asks for its look-ups. */
    resume(profileId: string): void {
      Object.assign(laneOf(profileId), { failed: 0, pausedUntil: 0 });
      advance();
    },
    /** Starts no further look-ups. */
    stop(): void {
      isStopped = true;
      if (tick) clearTimeout(tick);
      for (const timer of timers) clearTimeout(timer);
      waiting.clear();
    },
  };
};
