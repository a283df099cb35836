import type { Connection, Value } from '../connection.ts';
import { epoch, perMillisecond } from './payment-ids.ts';

/**
 * The position of a page of events is a number: the time of recording, and how many events of that millisecond, of the
 * same list, are still to come. It stays valid while other installations ship events.
 */

/** An event; a page contains those recorded before it, in the order of recording, writer and number. */
export type Boundary = { recordedAt: number; writer: number; writerSeq: number };

const afterAll: Boundary = { recordedAt: Number.MAX_SAFE_INTEGER, writer: 0, writerSeq: 0 };

/** The boundary of a position; null: after all events. `condition`: selects the list's events, with `values`. */
export const boundaryOf = async (
  connection: Connection,
  position: number | null,
  condition: string,
  values: readonly Value[],
): Promise<Boundary> => {
  if (position === null) return afterAll;
  const recordedAt = epoch + Math.floor(position / perMillisecond);
  const left = position % perMillisecond;
  const at = values.length;
  const [first] =
    left === 0
      ? []
      : await connection.query<{ writer: number; seq: number }>(
          `SELECT e.writer, e.writer_seq AS seq FROM event e WHERE ${condition} AND e.recorded_at = $${at + 1}
           ORDER BY e.writer, e.writer_seq OFFSET $${at + 2} LIMIT 1`,
          [...values, recordedAt, left],
        );
  if (first) return { recordedAt, writer: first.writer, writerSeq: first.seq };
  return { recordedAt: left === 0 ? recordedAt : recordedAt + 1, writer: 0, writerSeq: 0 };
};

/** The position of the page that ends before an event. */
export const positionBefore = async (
  connection: Connection,
  { recordedAt, writer, writerSeq }: Boundary,
  condition: string,
  values: readonly Value[],
): Promise<number> => {
  const at = values.length;
  const [left] = await connection.query<{ n: number }>(
    `SELECT count(*) AS n FROM event e WHERE ${condition} AND e.recorded_at = $${at + 1}
       AND (e.writer, e.writer_seq) < ($${at + 2}::int, $${at + 3}::bigint)`,
    [...values, recordedAt, writer, writerSeq],
  );
  return Math.max(0, recordedAt - epoch) * perMillisecond + Math.min(left?.n ?? 0, perMillisecond - 1);
};
