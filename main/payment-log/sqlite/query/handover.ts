import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentRow } from '../../../../shared/payments/payment.ts';
import type { LogDatabase } from '../store/database.ts';
import { readRow } from '../../projection/packed-row.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** The content of a shift handover: active links, and the notes of the shift. */
export type ShiftReader = {
  /** Payments with an active link, the first to expire first. `profileId`: null for all; `now`: milliseconds. */
  expiringSoon(profileId: string | null, limit: number, now: number): PaymentRow[];
  /** Notes written since an instant (milliseconds) by the writer's clock, the latest first. */
  notesSince(profileId: string | null, since: number, limit: number): EventOf<'note.added'>[];
};

const isNote = (event: Event): event is EventOf<'note.added'> => event.kind === 'note.added';

export const createShiftReader = (database: LogDatabase): ShiftReader => {
  const running = database
    .prepare<[now: number, profile: string | null, profile: string | null, limit: number], string>(
      `SELECT l."row" FROM listed l INDEXED BY listed_open CROSS JOIN facet f ON f.id = l.facet
       WHERE l.runs_out_at > ? AND (? IS NULL OR f.profile_id = ?) ORDER BY l.runs_out_at, l.payment LIMIT ?`,
    )
    .pluck();
  const notes = database
    .prepare<[], StoredEvent>(`${selectEvents} WHERE event.kind = 'note.added' ORDER BY event.seq DESC`)
    .raw();
  const reading = eventReading(database);
  return {
    expiringSoon: (profileId, limit, now) => running.all(now, profileId, profileId, limit).map(readRow),
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
