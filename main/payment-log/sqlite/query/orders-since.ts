import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';

/** The orders of a profile with events after a position in their chain; of an unknown chain, recorded after an instant. */
export const ordersSince = (database: LogDatabase): PaymentLogAnswers['ordersSince'] => {
  const writers = database.prepare<[], { id: number; name: string }>('SELECT id, name FROM writer');
  // A writer's number is never above the log's own, so the search begins at the event or just before it.
  const orders = database
    .prepare<[number, number, number, number, string], string>(
      `SELECT DISTINCT o.order_number FROM event e JOIN payment o ON o.id = e.payment
       WHERE e.seq > ? AND e.writer = ? AND e.writer_seq > ? AND e.recorded_at > ? AND o.profile_id = ?
         AND o.order_number IS NOT NULL`,
    )
    .pluck();
  return (profileId, positions, since) => {
    const found = writers.all().flatMap(({ id, name }) => {
      const last = positions[name];
      return orders.all(last ?? 0, id, last ?? 0, last === undefined ? since : -1, profileId);
    });
    return [...new Set(found)];
  };
};
