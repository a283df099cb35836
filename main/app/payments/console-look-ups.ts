import type { LookUpWishes } from '../../../shared/look-ups/next-look-up.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { createAutomaticLookUps } from '../../look-ups/automatic-look-ups.ts';
import type { LookUpQueue } from '../../look-ups/look-up-queue.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import type { LookUp } from './look-up-payment.ts';
import { isUnchecked } from '../../../shared/payments/expired.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { dayMs } from '../../../shared/payment-reducer/checked-days.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';

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
  const listed = (states: 'expired' | 'paid-unconfirmed', ageMs: number) =>
    log.list({ ...unfiltered, states: [states], from: now - ageMs }, null, maxScanned);
  const [operations, moved, open, expired, oneSource, review, paid] = await Promise.all([
    log.operationsSince(now - followedMs),
    log.moved(null, now - followedMs, now, null, maxScanned),
    log.expiringSoon(null, maxRows),
    listed('expired', expiredMs),
    listed('paid-unconfirmed', dayMs),
    log.reconcile(null, null, null, maxRows),
    recheckDays.length === 0 ? [] : log.paymentsToRecheck(profileIds, recheckDays, now, maxRechecks),
  ]);
  return [
    ...operations.flatMap(({ profileId, orderNumber }) =>
      orderNumber === null ? [] : [{ profileId, orderNumber }],
    ),
    ...moved.rows.filter(({ entries }) => entries.some(({ kind }) => kind !== 'paid')),
    ...expired.rows.filter(row => isUnchecked('expired', row)),
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
export const createConsoleLookUps = (
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
