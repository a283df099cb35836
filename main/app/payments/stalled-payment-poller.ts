import { isLookUpDue } from '../../../shared/payments/missing-look-up.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { AppDependencies } from '../app-context.ts';
import type { LookUp } from './look-up.ts';

/** Polling interval, milliseconds, and limit of look-ups per run, to limit the gateway's load. */
const every = 60_000;
const maxPerRound = 5;
/** Scan limit of one run, payments. */
const looked = 100;

/**
 * Looks up stalled payments automatically: a redirect without a sale, an unknown outcome, a paid one with only one
 * source. Only if the settings allow it; a run ends when the gateway refuses.
 */
export const createStalledPaymentPoller = (parts: AppDependencies, lookUp: LookUp, wanted: () => boolean) => {
  let running = false;

  const round = async (): Promise<number> => {
    if (running || !wanted() || !parts.log.ok) return 0;
    running = true;
    const log = parts.log.value;
    let asked = 0;
    try {
      const { rows } = await log.reconcile(null, null, null, looked);
      for (const { profileId, orderNumber, paymentIds, findings } of rows) {
        const finding = findings.find(({ action }) => action === 'look-up');
        if (!finding || asked === maxPerRound) continue;
        const { events } = await log.eventPage(profileId, orderNumber, null);
        if (!isLookUpDue(events, finding.since, parts.clock())) continue;
        const id = paymentIds.at(-1);
        const key =
          id === undefined
            ? { by: 'order-number' as const, value: orderNumber }
            : { by: 'payment-id' as const, value: id };
        asked += 1;
        const answer = await lookUp(profileId, key, 'console');
        if (!answer.ok && answer.error.code !== 'gateway.refused') break;
      }
    } catch (thrown) {
      // The window reports a failing payment log; the next run tries again.
      reportFailure('background', 'Stalled payments could not be looked up.', thrown);
    } finally {
      running = false;
    }
    return asked;
  };

  const timer = setInterval(() => void round(), every);
  timer.unref();
  return { round, stop: () => clearInterval(timer) };
};
