import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { value } from './running-app.ts';

const halfDayMs = 43_200_000;

/** Appends drafts, oldest first, as if each had been recorded when it happened: no event counts a day before its recording. */
export const appendInTime = async (
  log: Pick<PaymentLog, 'append' | 'ownChain'>,
  drafts: readonly EventDraft[],
): Promise<void> => {
  const groups = Map.groupBy(drafts, ({ happenedAt }) => Math.floor(happenedAt / halfDayMs));
  for (const [half, group] of [...groups].sort(([one], [other]) => one - other)) {
    await log.ownChain.correctClock((half + 1) * halfDayMs - Date.now());
    value(await log.append(group.toSorted((one, other) => one.happenedAt - other.happenedAt)));
  }
};
