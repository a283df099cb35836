import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { fingerprintOf } from '../../shared/payment-reducer/fingerprint.ts';
import { draft, hour } from './evidence.ts';

const day = 24 * hour;

/** About every third payment is resolved, assigned or snoozed, some of them until the same time. */
export const reviewSome = (rows: readonly PaymentRow[]): EventDraft[] => {
  const now = Date.now();
  return rows.flatMap((row, index) => {
    const frame = { profileId: row.profileId, orderNumber: row.orderNumber };
    const facts = fingerprintOf(row);
    const until = now + Math.floor(index / 14) * 60_000 + day;
    return [
      ...(index % 3 === 0
        ? [draft('review.resolved', day + index, { reason: 'nothing-to-do', text: '', facts }, frame)]
        : []),
      ...(index % 5 === 0
        ? [draft('review.assigned', 1, { assignee: index % 2 === 0 ? 'Ada' : 'Grace' }, frame)]
        : []),
      ...(index % 7 === 0 ? [draft('review.snoozed', 2, { until, facts }, frame)] : []),
    ];
  });
};
