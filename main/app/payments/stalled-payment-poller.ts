import type { AppError } from '../../../shared/errors.ts';
import { isLookUpDue } from '../../../shared/payments/look-up-due.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { failureScope } from '../../pacing/request-pacing.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { LookUp } from './look-up-payment.ts';

/** Polling interval, and limit of look-ups per run, to limit the gateway's load. */
const intervalMs = 60_000;
const maxPerPoll = 5;
/** How long one installation does the runs of a profile for all. */
const claimMs = 90_000;
/** Scan limit of one run, payments. */
const maxScannedPayments = 100;

/** Errors before a request: no evidence is written, and the same payment would come first in every run. */
const isNotAsked = ({ code }: AppError): boolean =>
  code.startsWith('profile.') || code.startsWith('keychain.');

/**
 * Looks up stalled payments automatically: a redirect without a sale, an unknown outcome, a paid one with only one
 * source. Only if the settings allow it. A run ends when the gateway cannot be reached or refuses every request; a
 * profile that cannot be asked is passed over.
 */
export const createStalledPaymentPoller = (
  parts: AppDependencies,
  lookUp: LookUp,
  isWanted: () => boolean,
) => {
  let isRunning = false;

  const poll = async (): Promise<number> => {
    if (isRunning || !isWanted() || !parts.log.ok) return 0;
    isRunning = true;
    const log = parts.log.value;
    let requests = 0;
    const claimed = new Map<string, boolean>();
    const notAsked = new Set<string>();
    try {
      const { rows } = await log.reconcile(null, null, null, maxScannedPayments);
      for (const { profileId, orderNumber, paymentIds, findings } of rows) {
        const finding = findings.find(({ action }) => action === 'look-up');
        if (!finding || requests === maxPerPoll || notAsked.has(profileId)) continue;
        const { events } = await log.eventPage(profileId, orderNumber, null);
        // Each installation has a separate sandbox.
        const isElsewhere = events.some(({ writer }) => writer !== log.ownChain.writer);
        if (profileId === sandboxProfileId && isElsewhere) continue;
        if (!isLookUpDue(events, finding.since, parts.clock())) continue;
        const isOurs = claimed.get(profileId) ?? (await parts.team.claim(`round:${profileId}`, claimMs));
        claimed.set(profileId, isOurs);
        if (!isOurs) continue;
        const id = paymentIds.at(-1);
        const key =
          id === undefined
            ? { by: 'order-number' as const, value: orderNumber }
            : { by: 'payment-id' as const, value: id };
        requests += 1;
        const answer = await lookUp(profileId, key, 'console');
        if (answer.ok) continue;
        const scope = failureScope(answer.error);
        if (scope === 'payment') requests -= 1;
        else if (isNotAsked(answer.error)) {
          requests -= 1;
          notAsked.add(profileId);
        } else if (scope !== 'refusal') break;
      }
    } catch (thrown) {
      // The window reports a failing payment log; the next run tries again.
      reportFailure('background', 'Stalled payments could not be looked up.', thrown);
    } finally {
      isRunning = false;
    }
    return requests;
  };

  const timer = setInterval(() => void poll(), intervalMs);
  timer.unref();
  return { poll, stop: () => clearInterval(timer) };
};
