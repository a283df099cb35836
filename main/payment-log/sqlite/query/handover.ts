import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { Evidence } from '../list/merged-evidence.ts';

const isNote = (event: Event): event is EventOf<'note.added'> => event.kind === 'note.added';

/** A refusal is about the request of its chain and order. */
const keyOf = ({
  writer,
  profileId,
  orderNumber,
  body,
}: EventOf<'operation.requested' | 'operation.refused'>) =>
  JSON.stringify([writer, profileId, orderNumber, body.intent]);

/** Notes of all installations, and the operations of this one. */
export const createShiftReader = (
  evidence: Evidence,
): Pick<PaymentLogAnswers, 'notesSince' | 'operationsSince'> => {
  const notes = evidence.newest("event.kind = 'note.added'");
  // What the others sent, the shared log counts.
  const operations = evidence.newestOwn("event.kind IN ('operation.requested', 'operation.refused')");
  return {
    operationsSince: since => {
      const requested: EventOf<'operation.requested'>[] = [];
      const refused = new Set<string>();
      for (const row of operations()) {
        if (row[19] < since) break;
        const event = evidence.event(row);
        if (event.kind === 'operation.refused') refused.add(keyOf(event));
        else if (event.kind === 'operation.requested' && event.happenedAt >= since) requested.push(event);
      }
      return requested
        .filter(event => !refused.has(keyOf(event)))
        .toSorted((one, other) => one.happenedAt - other.happenedAt);
    },
    notesSince: (profileId, since, limit) => {
      const found: EventOf<'note.added'>[] = [];
      for (const row of notes([])) {
        // No event was recorded before it was written.
        if (row[19] < since || found.length === limit) break;
        const event = profileId === null || row[5] === profileId ? evidence.event(row) : null;
        if (event && isNote(event) && event.happenedAt >= since) found.push(event);
      }
      return found.toSorted((one, other) => other.happenedAt - one.happenedAt);
    },
  };
};

/** Payments with an active link, the first to expire first. `now`: the clock, milliseconds. */
export const expiringSoon = (list: LogDatabase, now: () => number): PaymentLogAnswers['expiringSoon'] => {
  const running = list
    .prepare<[now: number, profile: string | null, profile: string | null, limit: number], string>(
      `SELECT l."row" FROM listed l INDEXED BY listed_open CROSS JOIN facet f ON f.id = l.facet
       WHERE l.runs_out_at > ? AND (? IS NULL OR f.profile_id = ?) ORDER BY l.runs_out_at, l.payment LIMIT ?`,
    )
    .pluck();
  return (profileId, limit) => running.all(now(), profileId, profileId, limit).map(readRow);
};
