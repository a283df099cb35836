import { sameId, spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Scan limit, events: inquiries are read only from the latest part of the log. */
const maxScannedEvents = 20_000;

const isLookUp = (event: Event): event is EventOf<'status.observed'> => event.kind === 'status.observed';

/**
 * Look-ups of a profile that found no payment, newest first, at most `limit`. A look-up whose order or payment id
 * later belonged to a payment is left out, unless `paymentIds` requests the inquiries about those ids.
 */
export const readInquiries = (database: LogDatabase): PaymentLogAnswers['inquiries'] => {
  const scanned = database
    .prepare<[], number | null>(
      `SELECT min(seq) FROM (SELECT seq FROM event ORDER BY seq DESC LIMIT ${maxScannedEvents})`,
    )
    .pluck();
  const unlisted = database
    .prepare<[from: number, profile: string], StoredEvent>(
      `${selectEvents} WHERE event.seq >= ? AND event.kind = 'status.observed' AND payment.profile_id = ?
         AND NOT EXISTS (SELECT 1 FROM listed WHERE listed.payment = event.payment)
       ORDER BY event.seq DESC`,
    )
    .raw();
  const isKnown = database
    .prepare<[string, string, string], number>(
      'SELECT 1 FROM payment_id WHERE payment_id IN (?, ?, ?) LIMIT 1',
    )
    .pluck();
  const reading = eventReading(database);
  return (profileId, limit, paymentIds) => {
    const found: EventOf<'status.observed'>[] = [];
    for (const row of unlisted.iterate(scanned.get() ?? 0, profileId)) {
      if (found.length === limit) break;
      const event = reading.event(row);
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
