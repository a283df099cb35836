import { sameId, spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { Evidence } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';

const isLookUp = (event: Event): event is EventOf<'status.observed'> => event.kind === 'status.observed';

/**
 * Look-ups of a profile that found no payment, newest first, at most `limit`, from the latest part of the log. A look-up whose order or payment id
 * later belonged to a payment is left out, unless `paymentIds` requests the inquiries about those ids.
 */
export const readInquiries = (evidence: Evidence, list: LogDatabase): PaymentLogAnswers['inquiries'] => {
  const latest = evidence.latest("event.kind = 'status.observed' AND payment.profile_id = ?");
  const isListed = list
    .prepare<[string | null, string], number>(
      `SELECT 1 FROM payment p JOIN listed l ON l.payment = p.id WHERE p.order_number = ? AND p.profile_id = ?`,
    )
    .pluck();
  const isKnown = list
    .prepare<[string, string, string], number>(
      'SELECT 1 FROM payment_id WHERE payment_id IN (?, ?, ?) LIMIT 1',
    )
    .pluck();
  return (profileId, limit, paymentIds) => {
    const found: EventOf<'status.observed'>[] = [];
    for (const row of latest([profileId])) {
      if (found.length === limit) break;
      if (isListed.get(row[6], profileId) !== undefined) continue;
      const event = evidence.event(row);
      if (!isLookUp(event)) continue;
      const { paymentId } = event;
      const isWanted = paymentIds
        ? paymentId !== null && paymentIds.some(one => sameId(one, paymentId))
        : paymentId === null || isKnown.get(...spellingsOfId(paymentId)) === undefined;
      if (isWanted) found.push(event);
    }
    return found;
  };
};
