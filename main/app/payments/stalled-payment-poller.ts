import { isLookUpDue } from '../../../shared/payments/missing-look-up.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { AppDependencies } from '../app-context.ts';
import type { LookUp } from './look-up.ts';

/** Milliseconds between two rounds, and look-ups in one at most: politeness to a gateway that others use too. */
const every = 60_000;
const maxPerRound = 5;
/** Payments looked at in one round. */
const looked = 100;

/**
 * Looks payments up by itself whose story stands still: a redirect and no sale, an outcome nobody knows, a paid one
 * that rests on one source. Only where the settings say so; a round ends when the gateway refuses.
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
      // The window says that the payment log fails; the next round tries again.
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
