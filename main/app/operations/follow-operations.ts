import { reportFailure } from '../../app-log/failure-report.ts';
import { isOperationOpen } from '../../../shared/operations/operation-kinds.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { findProfile } from '../settings/find-profile.ts';
import type { LookUp } from '../payments/look-up-payment.ts';

/**
 * Delays between the automatic look-ups after an operation, milliseconds: its callback may be the only one, or none.
 * After the last one the review list shows it.
 */
const delaysMs = [2_000, 60_000, 600_000, 3_600_000];
/** Age of the operations that a start still follows, milliseconds: the console may have ended before their results. */
const resumedMs = 86_400_000;
/** Limit of operations that are followed at once. */
const maxFollowed = 500;

type Followed = { profileId: string; orderNumber: string; intent: string };

/**
 * Looks payments up after operations that were sent here, until their result is known, also after a restart. Sends
 * nothing else.
 */
export const followOperations = (parts: AppDependencies, events: AppEvents, lookUp: LookUp) => {
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const check = async ({ profileId, orderNumber, intent }: Followed, attempt: number): Promise<void> => {
    timers.delete(intent);
    if (isStopped || !parts.log.ok) return;
    const payment = await parts.log.value.payment(profileId, orderNumber);
    const operation = payment?.operations.find(one => one.intent === intent);
    // The team counted it for the person's day.
    if (operation?.state === 'failed') void parts.team.end(intent, false);
    if (!payment || !operation || !isOperationOpen(operation)) return;
    const profile = findProfile(parts.settings, profileId);
    if (!profile.ok) return;
    const isCharge = operation.kind === 'recurring';
    const paymentId = isCharge ? payment.paymentIds.at(-1) : operation.paymentId;
    if (paymentId !== undefined) await lookUp(profileId, { by: 'payment-id', value: paymentId }, 'console');
    else if (profile.value.statusByOrder)
      await lookUp(profileId, { by: 'order-number', value: orderNumber }, 'console');
    schedule({ profileId, orderNumber, intent }, attempt + 1);
  };

  const schedule = (followed: Followed, attempt: number): void => {
    const delay = delaysMs[attempt];
    if (isStopped || delay === undefined || timers.has(followed.intent) || timers.size >= maxFollowed) return;
    const timer = setTimeout(() => {
      check(followed, attempt).catch((thrown: unknown) =>
        reportFailure('background', 'An operation could not be followed by a look-up.', thrown),
      );
    }, delay);
    timer.unref();
    timers.set(followed.intent, timer);
  };

  const follow = (written: readonly Event[]): void => {
    for (const event of written) {
      if (event.kind !== 'operation.answered' && event.kind !== 'operation.unanswered') continue;
      const { profileId, orderNumber, body } = event;
      if (orderNumber !== null) schedule({ profileId, orderNumber, intent: body.intent }, 0);
    }
  };
  events.on('eventsWritten', (_payments, written) => follow(written));

  /** Follows again what was sent here before this start. Of what has a result the first check is the last one. */
  const resume = async (): Promise<void> => {
    if (!parts.log.ok) return;
    const log = parts.log.value;
    const { writer } = log.ownChain;
    for (const requested of await log.operationsSince(parts.clock() - resumedMs)) {
      const { profileId, orderNumber, body } = requested;
      // The sandbox forgets its payments when the console ends.
      if (requested.writer !== writer || orderNumber === null || profileId === sandboxProfileId) continue;
      schedule({ profileId, orderNumber, intent: body.intent }, 0);
    }
  };

  return {
    start: (): void => {
      resume().catch((thrown: unknown) =>
        reportFailure('background', 'Earlier operations could not be followed by a look-up.', thrown),
      );
    },
    stop: (): void => {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};
