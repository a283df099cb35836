import { createLookUpQueue, type Asked, type LookUpQueue } from '../../look-ups/look-up-queue.ts';
import type { OrderMutex } from '../../pacing/limiter.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import { createCancellationHandlers, type CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createLookUp, type LookUp } from './look-up-payment.ts';
import { createPaymentHandlers } from './payment-handlers.ts';
import type { LookUpWishes } from '../../../shared/look-ups/next-look-up.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { createAutomaticLookUps } from '../../look-ups/automatic-look-ups.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import { isUnchecked } from '../../../shared/payments/expired.ts';
import { rowOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { dayMs } from '../../../shared/payment-reducer/checked-days.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type ErrorCode } from '../../../shared/errors.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { msg } from '../../../shared/messages/message.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import { paymentMissing } from './payment-detail.ts';
import type { BulkLookUp, LookUpOutcome } from '../../../shared/look-ups/bulk-look-up.ts';

export type LookUpAnswer =
  | { outcome: Exclude<LookUpOutcome, 'failed'> }
  | { outcome: 'failed'; error: AppError };
export type LookUpEntry = { order: PaymentKey } & LookUpAnswer;

/**
 * Looks up payments through the queue; pauses if the provider refuses or no request is possible. `lookUp` never throws;
 * `emit` receives every step.
 */
export const runBulkLookUp = (
  orders: readonly PaymentKey[],
  {
    queue,
    lookUp,
    emit,
  }: {
    queue: LookUpQueue;
    lookUp: (order: PaymentKey) => Promise<LookUpAnswer>;
    emit: (job: BulkLookUp) => void;
  },
) => {
  const id = crypto.randomUUID();
  const entries: LookUpEntry[] = [];
  let phase: BulkLookUp['phase'] = 'running';
  let problem: AppError | null = null;
  /** Without an answer yet. */
  const remaining = new Set(orders);

  const state = (): BulkLookUp => {
    const outcomes = { 'paid-now': 0, changed: 0, unchanged: 0, failed: 0 };
    const causes = new Map<ErrorCode, number>();
    for (const entry of entries) {
      outcomes[entry.outcome] += 1;
      if (entry.outcome === 'failed') causes.set(entry.error.code, (causes.get(entry.error.code) ?? 0) + 1);
    }
    const failures = [...causes].map(([code, count]) => ({ code, count }));
    return { id, phase, total: orders.length, done: entries.length, outcomes, failures, problem };
  };
  const setPhase = (to: BulkLookUp['phase'], why: AppError | null = null): void => {
    if (phase === 'over' || phase === to) return;
    phase = to;
    problem = why;
    emit(state());
  };

  const ask = async (order: PaymentKey): Promise<Asked> => {
    if (phase !== 'running' || !remaining.delete(order)) return 'skipped';
    const answer = await lookUp(order);
    entries.push({ order, ...answer });
    if (entries.length === orders.length) setPhase('over');
    else emit(state());
    return answer.outcome === 'failed' ? answer.error : 'answered';
  };
  const onPause = (why: AppError): void => {
    if (phase === 'running' && remaining.size > 0) setPhase('paused', why);
  };
  const resume = (): void => {
    setPhase('running');
    for (const profileId of new Set(orders.map(order => order.profileId))) queue.resume(profileId);
    for (const order of remaining)
      queue.add({ ...order, reason: 'bulk', at: 0, ask: () => ask(order), onPause });
  };
  resume();

  return {
    state,
    entries: (): readonly LookUpEntry[] => entries,
    pause: () => setPhase('paused'),
    resume,
    /** Starts no further look-ups; those in flight are still answered and stored. */
    stop: () => setPhase('over'),
  };
};

type BulkLookUpHandlers = Pick<
  Handlers,
  'lookUps.start' | 'lookUps.control' | 'lookUps.read' | 'lookUps.payments'
>;

const paid: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed'];

/** The requests about bulk look-ups; one job at a time. */
export const createBulkLookUpHandlers = (
  parts: AppDependencies,
  lookUp: LookUp,
  queue: LookUpQueue,
): { handlers: BulkLookUpHandlers; isRunning: () => boolean; stop: () => void } => {
  let job: ReturnType<typeof runBulkLookUp> | null = null;

  const read = async ({ profileId, orderNumber }: PaymentKey): Promise<Payment | null> =>
    parts.log.ok ? parts.log.value.payment(profileId, orderNumber) : null;
  const stateOf = (payment: Payment | null): PaymentState | null =>
    payment && stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, parts.clock());

  const lookUpOne = async (order: PaymentKey, agent: string): Promise<LookUpAnswer> => {
    const before = await read(order);
    if (before === null) return { outcome: 'failed', error: paymentMissing(order.orderNumber).error };
    const stateBefore = stateOf(before);
    const answered = await lookUp(order.profileId, lookUpKeyOf(before), 'console', agent);
    if (!answered.ok) return { outcome: 'failed', error: answered.error };
    const is = stateOf(await read(order));
    if (is === stateBefore || is === null) return { outcome: 'unchanged' };
    return { outcome: paid.includes(is) ? 'paid-now' : 'changed' };
  };
  /** The log may fail meanwhile. */
  const lookUpSafely = (order: PaymentKey, agent: string): Promise<LookUpAnswer> =>
    lookUpOne(order, agent).catch((thrown: unknown) => ({
      outcome: 'failed',
      error: toLogFailure(thrown).error,
    }));

  const current = () => ok({ job: job?.state() ?? null });
  return {
    handlers: {
      'lookUps.start': async ({ payments }) => {
        if (!parts.log.ok) return parts.log;
        if (job !== null && job.state().phase !== 'over')
          return fail('input.invalid', msg('bulk-look-up.already-running'), {
            hint: msg('bulk-look-up.already-running.hint'),
          });
        const agent = parts.requester.name();
        const orders = [...new Map(payments.map(one => [JSON.stringify(one), one])).values()];
        const started = runBulkLookUp(orders, {
          queue,
          lookUp: order => lookUpSafely(order, agent),
          emit: state => {
            if (job === started) parts.notify('lookUps.changed', { job: state });
          },
        });
        job = started;
        const state = started.state();
        parts.notify('lookUps.changed', { job: state });
        return ok({ job: state });
      },
      'lookUps.control': async ({ to }) => {
        if (to === 'pause') job?.pause();
        else if (to === 'go-on') job?.resume();
        else if (to === 'stop') job?.stop();
        else if (job?.state().phase === 'over') {
          job = null;
          parts.notify('lookUps.changed', { job });
        }
        return current();
      },
      'lookUps.read': async () => current(),
      'lookUps.payments': async ({ outcome }) => {
        const entries = (job?.entries() ?? []).filter(entry => entry.outcome === outcome);
        const payments = await Promise.all(entries.map(({ order }) => read(order)));
        return ok({ rows: payments.filter(payment => payment !== null).map(rowOf) });
      },
    },
    // The list of a paused job would be lost.
    isRunning: () => job !== null && job.state().phase !== 'over',
    stop: () => job?.stop(),
  };
};

/** How far back operations and what moved are looked at: one day more than the last look-up after them. */
const followedMs = 8 * dayMs;
/** How far back links are checked that expired while the console was closed. */
const expiredMs = 7 * dayMs;
/** Scan limits, payments; of rechecks: 2,880 a day. */
const maxRows = 200;
const maxScanned = 1_000;
const maxRechecks = 10;

/**
 * The payments whose evidence may want a look-up now: what was sent or reported, open and expired links, payments with
 * one source or without a result, paid ones to check again. `now`: milliseconds.
 */
const findLookUps = async (
  log: PaymentLog,
  profileIds: readonly string[],
  recheckDays: readonly number[],
  now: number,
): Promise<PaymentKey[]> => {
  const listed = (states: PaymentState[], ageMs: number) =>
    log.list({ ...unfiltered, states, from: now - ageMs }, null, maxScanned);
  const [operations, moved, open, ended, oneSource, review, paid] = await Promise.all([
    log.operationsSince(now - followedMs),
    log.moved(null, now - followedMs, now, null, maxScanned),
    log.expiringSoon(null, maxRows),
    listed(['expired', 'declined'], expiredMs),
    listed(['paid-unconfirmed'], dayMs),
    log.reconcile(null, null, null, maxRows),
    recheckDays.length === 0 ? [] : log.paymentsToRecheck(profileIds, recheckDays, now, maxRechecks),
  ]);
  return [
    ...operations.flatMap(({ profileId, orderNumber }) =>
      orderNumber === null ? [] : [{ profileId, orderNumber }],
    ),
    ...moved.rows.filter(({ entries }) => entries.some(({ kind }) => kind !== 'paid')),
    ...ended.rows.filter(row => isUnchecked('expired', row)),
    ...oneSource.rows,
    ...open,
    ...review.rows.filter(({ findings }) => findings.some(({ action }) => action === 'look-up')),
    ...paid,
  ].map(({ profileId, orderNumber }) => ({ profileId, orderNumber }));
};

/** Interval at which the payment log is read for look-ups that are due. */
const findEveryMs = 5 * 60_000;
/** How long one installation makes the look-ups of one kind of a payment for all. */
const claimMs = 10 * 60_000;

/**
 * The look-ups that this console makes without a person at their payment. What is due is found again in the payment log
 * after a start, and at intervals.
 */
const createConsoleLookUps = (
  parts: AppDependencies,
  events: AppEvents,
  given: { queue: LookUpQueue; lookUp: LookUp; passwords: CredentialCache },
) => {
  const { settings, team, clock } = parts;
  const { queue, lookUp, passwords } = given;
  const startedAt = clock();
  /** Whether a verified callback has ever come for a profile, as far as that was read. */
  const isReached = new Map<string, boolean>();
  const reach = (profileId: string, isSo: boolean): void => {
    const before = isReached.get(profileId);
    isReached.set(profileId, isSo || before === true);
    if (before !== isReached.get(profileId)) events.emit('stateChanged');
  };
  const onCallbacks = (written: readonly Event[]): void => {
    for (const event of written)
      if (event.kind === 'callback.received' || event.kind === 'callback.reverified')
        if (event.body.verification.verdict === 'verified') reach(event.profileId, true);
  };

  /** Whether the open links of a profile are watched: no callback would be received for them. */
  const isWatched = (profileId: string): boolean => {
    const { lookUpAutomatically, receiver } = settings.read().settings;
    if (!lookUpAutomatically || profileId === sandboxProfileId) return false;
    const isListening = receiver.enabled || team.standing() !== null;
    return !isListening || isReached.get(profileId) !== true;
  };

  const wishesOf = async (profileId: string, evidence: readonly Event[]): Promise<LookUpWishes | null> => {
    const profile = settings.profile(profileId);
    if (profile === null || !(await passwords.of(profileId)).ok) return null;
    const isSandbox = profileId === sandboxProfileId;
    // Each installation has a separate sandbox, which forgets its payments when the console ends.
    const isOwn = ({ writer, happenedAt }: Event): boolean =>
      parts.log.ok && writer === parts.log.value.ownChain.writer && happenedAt >= startedAt;
    if (isSandbox && !evidence.every(isOwn)) return null;
    const { lookUpAutomatically, recheckPaidDays } = settings.read().settings;
    return {
      automatic: lookUpAutomatically,
      watch: isWatched(profileId),
      recheckDays: isSandbox ? [] : recheckPaidDays,
      byOrder: profile.statusByOrder,
    };
  };

  const automatic = createAutomaticLookUps({
    queue,
    lookUp: ({ profileId }, key, requestedBy) => lookUp(profileId, key, requestedBy),
    eventsOf: async ({ profileId, orderNumber }) =>
      parts.log.ok ? parts.log.value.events(profileId, orderNumber) : [],
    wishesOf: ({ profileId }, evidence) => wishesOf(profileId, evidence),
    onRead: ({ operations }) => {
      // The team counted them for the day of a person.
      for (const { intent, state } of operations) if (state === 'failed') void team.end(intent, false);
    },
    claim: task => team.claim(task, claimMs),
    seesOthers: true,
    zoneOf: profileId => settings.profile(profileId)?.gatewayZone ?? 'UTC',
    clock,
  });
  const handleEvents = (written: readonly Event[], from: 'here' | 'elsewhere'): void => {
    onCallbacks(written);
    automatic.handleEvents(written, from);
  };
  events.on('eventsWritten', (_payments, written) => handleEvents(written, 'here'));
  events.on('eventsElsewhereSorted', ({ own, others }) => {
    handleEvents(own, 'here');
    handleEvents(others, 'elsewhere');
  });

  const find = async (): Promise<void> => {
    if (!parts.log.ok) return;
    const { profiles, settings: current } = settings.read();
    const ids = profiles.filter(({ kind }) => kind !== 'sandbox').map(({ id }) => id);
    for (const id of ids) if (isReached.get(id) !== true) reach(id, await parts.log.value.hasCallbacks(id));
    const found = await findLookUps(parts.log.value, ids, current.recheckPaidDays, clock());
    for (const payment of found) automatic.consider(payment, clock(), 'recheck');
  };
  let finding: Loop | null = null;

  return {
    watchedProfiles: (): string[] =>
      settings.read().profiles.flatMap(({ id }) => (isWatched(id) ? [id] : [])),
    start: (): void => {
      finding = startLoop(find, {
        everyMs: findEveryMs,
        firstMs: 0,
        onError: thrown => reportFailure('background', 'The payments to look up could not be read.', thrown),
      });
    },
    stop: (): void => {
      void finding?.close();
      queue.stop();
    },
  };
};

/** Payments: created, found, shared, and looked up, also without a request. */
export const createPaymentsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: { passwords: CredentialCache; cancellations: CancellationRegistry; orders: OrderMutex },
) => {
  const { passwords, cancellations, orders } = given;
  const lookUp = createLookUp(parts, passwords);
  const queue = createLookUpQueue(parts.clock);
  const bulkLookUps = createBulkLookUpHandlers(parts, lookUp, queue);
  const lookUps = createConsoleLookUps(parts, events, { queue, lookUp, passwords });

  return {
    lookUp,
    watchedProfiles: lookUps.watchedProfiles,
    isLookingUpMany: bulkLookUps.isRunning,
    handlers: {
      ...createPaymentHandlers(parts, passwords, cancellations, orders, lookUp),
      ...bulkLookUps.handlers,
      ...createCancellationHandlers(cancellations),
    },
    start: lookUps.start,
    stop: (): void => {
      bulkLookUps.stop();
      lookUps.stop();
    },
  };
};
