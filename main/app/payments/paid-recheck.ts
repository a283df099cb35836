import type { AppError } from '../../../shared/errors.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { PaymentToRecheck } from '../../payment-log/answers.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { failureScope } from '../../pacing/request-pacing.ts';
import type { LookUp } from './look-up-payment.ts';

/** Minimum interval between two requests: 2,880 a day, spread over the day. */
const intervalMs = 30_000;
/** Duration of a claim: one installation of a team checks the payments of a profile. */
const claimMs = 3 * intervalMs;
/** Batch size, payments read from the log at once; delay after a read that found none. */
const batchSize = 20;
const idleMs = 10 * 60_000;
/** Pause of a profile after its gateway failed, and after several refusals in a row. */
const failureCooldownMs = 60 * 60_000;
const refusalCooldownMs = 24 * 60 * 60_000;
const maxRefusals = 3;

/**
 * Checks paid payments again some days after they were paid, so that a refund or a chargeback whose callback was lost
 * is found. `daysWanted`: the setting, ascending; empty = off. `isFailing`: whether a gateway failed lately. There is
 * no stored state: the log contains when the gateway was last asked. The sandbox forgets its payments, so they are left
 * out.
 */
export const createPaidRecheck = (
  parts: AppDependencies,
  lookUp: LookUp,
  daysWanted: () => readonly number[],
  isFailing: (baseUrl: string) => boolean,
) => {
  let queue: readonly PaymentToRecheck[] = [];
  let nextReadAt = 0;
  let isRunning = false;
  const coolUntil = new Map<string, number>();
  const refusals = new Map<string, number>();

  const profilesToAsk = (): string[] =>
    parts.settings
      .read()
      .profiles.filter(({ kind, baseUrl }) => kind !== 'sandbox' && !isFailing(baseUrl))
      .map(({ id }) => id)
      .filter(id => (coolUntil.get(id) ?? 0) <= parts.clock());

  const coolDown = (profileId: string, error: AppError): void => {
    const scope = failureScope(error);
    if (scope === 'payment') return;
    const refused = scope === 'refusal' ? (refusals.get(profileId) ?? 0) + 1 : 0;
    refusals.set(profileId, refused);
    if (scope === 'refusal' && refused < maxRefusals) return;
    refusals.delete(profileId);
    const pauseMs = scope === 'refusal' ? refusalCooldownMs : failureCooldownMs;
    coolUntil.set(profileId, parts.clock() + pauseMs);
  };

  const nextDue = async (): Promise<PaymentToRecheck | null> => {
    if (!parts.log.ok) return null;
    const profiles: string[] = [];
    for (const id of profilesToAsk()) if (await parts.team.claim(`recheck:${id}`, claimMs)) profiles.push(id);
    queue = queue.filter(({ profileId }) => profiles.includes(profileId));
    if (queue.length === 0 && profiles.length > 0 && parts.clock() >= nextReadAt) {
      queue = await parts.log.value.paymentsToRecheck(profiles, daysWanted(), parts.clock(), batchSize);
      if (queue.length === 0) nextReadAt = parts.clock() + idleMs;
    }
    const [due = null, ...others] = queue;
    queue = others;
    return due;
  };

  /** Checks the next due payment; false if there is none, or none may be checked now. */
  const poll = async (): Promise<boolean> => {
    if (daysWanted().length === 0) queue = [];
    if (isRunning || daysWanted().length === 0) return false;
    isRunning = true;
    try {
      const due = await nextDue();
      if (due === null) return false;
      const answer = await lookUp(due.profileId, due.key, 'console');
      if (answer.ok) refusals.delete(due.profileId);
      else coolDown(due.profileId, answer.error);
      return true;
    } catch (thrown) {
      // The window reports a failing payment log; the next run tries again.
      reportFailure('background', 'Paid payments could not be checked again.', thrown);
      return false;
    } finally {
      isRunning = false;
    }
  };

  const timer = setInterval(() => void poll(), intervalMs);
  timer.unref();
  return { poll, stop: () => clearInterval(timer) };
};
