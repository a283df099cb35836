import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';
import { readRow } from '../../projection/packed-row.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

const isNote = (event: Event): event is EventOf<'note.added'> => event.kind === 'note.added';

/** A refusal is about the request of its chain and order. */
const keyOf = ({
  writer,
  profileId,
  orderNumber,
  body,
}: EventOf<'operation.requested' | 'operation.refused'>) =>
  JSON.stringify([writer, profileId, orderNumber, body.intent]);

/** What was done in a period: active links and notes for a shift's handover, and operations. `now`: the clock, milliseconds. */
export const createShiftReader = (
  database: LogDatabase,
  now: () => number,
): Pick<PaymentLogAnswers, 'expiringSoon' | 'notesSince' | 'operationsSince'> => {
  const running = database
    .prepare<[now: number, profile: string | null, profile: string | null, limit: number], string>(
      `SELECT l."row" FROM listed l INDEXED BY listed_open CROSS JOIN facet f ON f.id = l.facet
       WHERE l.runs_out_at > ? AND (? IS NULL OR f.profile_id = ?) ORDER BY l.runs_out_at, l.payment LIMIT ?`,
    )
    .pluck();
  const notes = database
    .prepare<[], StoredEvent>(`${selectEvents} WHERE event.kind = 'note.added' ORDER BY event.seq DESC`)
    .raw();
  const operations = database
    .prepare<[], StoredEvent>(
      `${selectEvents} WHERE event.kind IN ('operation.requested', 'operation.refused') ORDER BY event.seq DESC`,
    )
    .raw();
  const reading = eventReading(database);
  return {
    operationsSince: since => {
      const requested: EventOf<'operation.requested'>[] = [];
      const refused = new Set<string>();
      for (const row of operations.iterate()) {
        if (row[9] < since) break;
        const event = reading.event(row);
        if (event.kind === 'operation.refused') refused.add(keyOf(event));
        else if (event.kind === 'operation.requested' && event.happenedAt >= since) requested.push(event);
      }
      return requested
        .filter(event => !refused.has(keyOf(event)))
        .toSorted((one, other) => one.happenedAt - other.happenedAt);
    },
    expiringSoon: (profileId, limit) => running.all(now(), profileId, profileId, limit).map(readRow),
    notesSince: (profileId, since, limit) => {
      const found: EventOf<'note.added'>[] = [];
      for (const row of notes.iterate()) {
        // Events are recorded in the order of their numbers, and none was recorded before it was written.
        if (row[9] < since || found.length === limit) break;
        const event = profileId === null || row[5] === profileId ? reading.event(row) : null;
        if (event && isNote(event) && event.happenedAt >= since) found.push(event);
      }
      return found.toSorted((one, other) => other.happenedAt - one.happenedAt);
    },
  };
};
