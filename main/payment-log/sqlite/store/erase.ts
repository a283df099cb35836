import type { EventDraft } from '../../../../shared/payments/evidence.ts';
import type { LogDatabase } from './database.ts';
import { uuidText } from '../../evidence/chain.ts';
import type { AmendedEvent, Erasure } from '../../answers.ts';

/** An erasure that this log records itself. */
type RecordedErasure = Exclude<Erasure, { reason: 'elsewhere' }>;

/** Batch size of one transaction, events: callbacks wait for no more. */
const batchSize = 100;

/** One payment's events that still hold personal data. */
export type Erasable = {
  payment: number;
  profileId: string;
  orderNumber: string | null;
  seqs: number[];
  ids: string[];
};

type HeldEvent = {
  seq: number;
  id: string;
  payment: number;
  profileId: string;
  orderNumber: string | null;
  recordedAt: number;
};

const columns = `SELECT p.event AS seq, lower(hex(e.id)) AS id, e.payment, o.profile_id AS profileId, o.order_number AS orderNumber,
  e.recorded_at AS recordedAt
  FROM personal p JOIN event e ON e.seq = p.event JOIN payment o ON o.id = e.payment`;

/**
 * Finds the next events to erase, oldest first, at most `batchSize`, grouped by payment. `now`: the clock,
 * milliseconds. `find` returns none when nothing is left. `erase` deletes their values and salts permanently
 * (secure_delete).
 */
export const eraser = (database: LogDatabase) => {
  const oldest = database.prepare<[], HeldEvent>(`${columns} ORDER BY p.event LIMIT ${batchSize}`);
  const lastRecorded = database
    .prepare<[], number>('SELECT recorded_at FROM event ORDER BY seq DESC LIMIT 1')
    .pluck();
  const oldestDespiteClock = database.prepare<{ before: number; now: number }, HeldEvent>(
    `${columns} WHERE e.recorded_at < @before OR e.recorded_at > @now AND coalesce(
       CASE WHEN e.happened_at <= @now THEN e.happened_at END,
       (SELECT n.happened_at FROM event n WHERE n.seq > e.seq AND n.happened_at <= @now ORDER BY n.seq LIMIT 1)
     ) < @before ORDER BY p.event LIMIT ${batchSize}`,
  );
  // Order by order: an erasure that was ended finds the others by the ones that are left.
  const ofOrders = database.prepare<[string, string], HeldEvent>(
    `SELECT e.seq, lower(hex(e.id)) AS id, e.payment, o.profile_id AS profileId, o.order_number AS orderNumber,
       e.recorded_at AS recordedAt
     FROM json_each(?) n CROSS JOIN payment o ON o.order_number = n.value AND o.profile_id = ?
     CROSS JOIN event e ON e.payment = o.id CROSS JOIN personal p ON p.event = e.seq
     ORDER BY n.key, e.seq LIMIT ${batchSize}`,
  );
  // A writer's number is never above the log's own, so the search begins at the event or just before it.
  const named = database.prepare<[number, string, number], HeldEvent>(
    `SELECT e.seq, lower(hex(e.id)) AS id, e.payment, o.profile_id AS profileId, o.order_number AS orderNumber,
       e.recorded_at AS recordedAt
     FROM event e JOIN writer w ON w.id = e.writer JOIN payment o ON o.id = e.payment
     WHERE e.seq >= ? AND w.name = ? AND e.writer_seq = ? ORDER BY e.seq LIMIT 1`,
  );
  const isHeld = database.prepare<[number], number>('SELECT 1 FROM personal WHERE event = ?').pluck();
  const noteAmendment = database.prepare<[number, string, number]>(
    'INSERT OR IGNORE INTO amended_elsewhere (event, writer, writer_seq) VALUES (?, ?, ?)',
  );
  const drop = database.prepare<[number]>('DELETE FROM personal WHERE event = ?');
  /**
   * Recording times only grow, so the oldest events come first. A recording time ahead of the clock comes from a
   * wrong clock. Such an event is as old as its own time states, or at least as old as the next event with a valid
   * time.
   */
  const oldestBefore = (before: number, now: number): HeldEvent[] =>
    (lastRecorded.get() ?? 0) > now
      ? oldestDespiteClock.all({ before, now })
      : oldest.all().filter(({ recordedAt }) => recordedAt < before);
  return {
    find: (erasure: RecordedErasure, now: number): Erasable[] => {
      const held =
        erasure.reason === 'request'
          ? ofOrders.all(JSON.stringify(erasure.orderNumbers), erasure.profileId)
          : oldestBefore(erasure.before, now);
      const found = new Map<number, Erasable>();
      for (const { seq, id, payment, profileId, orderNumber } of held) {
        const one = found.get(payment) ?? { payment, profileId, orderNumber, seqs: [], ids: [] };
        one.seqs.push(seq);
        one.ids.push(uuidText(id));
        found.set(payment, one);
      }
      return [...found.values()];
    },
    /** Erases events that other installations' amendments name; returns whether any held values. */
    eraseAmended: (events: readonly AmendedEvent[]): boolean => {
      let hasErased = false;
      for (const { writer, writerSeq, id, by } of events) {
        const event = named.get(writerSeq, writer, writerSeq);
        if (!event || uuidText(event.id) !== id || isHeld.get(event.seq) === undefined) continue;
        noteAmendment.run(event.seq, by.writer, by.writerSeq);
        drop.run(event.seq);
        hasErased = true;
      }
      return hasErased;
    },
    erase: (seqs: readonly number[]): void => {
      for (const seq of seqs) drop.run(seq);
    },
  };
};

/** The event that records what was erased, and why. */
export const amendment = (
  { profileId, orderNumber, ids }: Erasable,
  { reason, agent }: RecordedErasure,
  id: string,
  happenedAt: number,
): EventDraft => ({
  kind: 'amended',
  id,
  profileId,
  orderNumber,
  paymentId: null,
  happenedAt,
  agent,
  dedupeKey: null,
  body: { events: ids, reason },
});
