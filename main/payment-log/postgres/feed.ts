import type { Event } from '../../../shared/payments/evidence.ts';
import type { Connection } from './connection.ts';
import { eventReader } from './stored-events.ts';

/** Interval of reading the ends of the chains, milliseconds: alone, and while notifications arrive as well. */
const pollMs = 1_000;
const pollWithNotificationsMs = 5_000;
/** Notifications that arrive within this time cause one read, milliseconds. */
const gatherMs = 20;
/** Events of one request. */
const batchSize = 1_000;

type End = { id: number; name: string; seq: number; shown: number };

/**
 * The ends of the chains. `shown`: up to which event one is emitted. An event of the last seconds is emitted once the
 * list of payments shows it, so that a list that is read afterwards contains it.
 */
const selectEnds = `SELECT w.id, w.name, w.last_seq AS seq,
    CASE WHEN w.seen_at > clock_timestamp() - interval '2 seconds'
      THEN least(w.last_seq, coalesce(p.through, 0)) ELSE w.last_seq END AS shown
  FROM writer w LEFT JOIN projected p ON p.writer = w.id`;

export type Feed = { close(): void };

/**
 * Emits what other installations append, chain by chain, in the order of each chain, without a gap. The ends of the
 * chains say what is new; a notification only causes an earlier read. `from`: the number of each chain's last known
 * event, by writer; it is updated with what was emitted, so that a new feed continues there. Chains that it does not
 * contain are followed from their present end. `own`: the chain to leave out. `onFailure`: called once, with the
 * client's error; the feed has ended then.
 */
export const followChains = (
  connection: Connection,
  {
    from,
    own,
    channel,
    onEvents,
    onFailure,
  }: {
    from: Map<string, number>;
    own: string | null;
    /** Of notifications; null: only poll. */
    channel: string | null;
    onEvents: (events: readonly Event[]) => void;
    onFailure: (thrown: unknown) => void;
  },
): Feed => {
  let closed = false;
  const isClosed = (): boolean => closed;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let again = false;
  let isFirst = from.size === 0;

  const readOnce = async (reader: Awaited<ReturnType<typeof eventReader>>): Promise<void> => {
    const ends = await connection.query<End>(selectEnds, [], { name: 'ends' });
    for (const { id, name, seq, shown } of ends) {
      if (name === own) continue;
      const known = from.get(name) ?? (isFirst ? seq : 0);
      from.set(name, known);
      for (let after = known; after < shown && !isClosed();) {
        const stored = await reader.read(
          'WHERE e.writer = $1 AND e.writer_seq > $2 AND e.writer_seq <= $3 ORDER BY e.writer_seq LIMIT $4',
          [id, after, shown, batchSize],
          'after',
        );
        const last = stored.at(-1)?.row.writer_seq;
        if (last === undefined) break;
        after = last;
        from.set(name, after);
        const events: Event[] = [];
        for (const one of stored) {
          try {
            events.push(reader.event(one));
          } catch {
            // A damaged event is reported by the verification.
          }
        }
        if (!closed && events.length > 0) onEvents(events);
      }
      // After a failover an end may be behind; what is appended after it is new.
      if (seq < known) from.set(name, seq);
    }
    isFirst = false;
  };

  /** Whether the next read follows a notification: further ones do not postpone it. */
  let isSoon = false;
  const schedule = (milliseconds: number): void => {
    if (isSoon) return;
    isSoon = milliseconds === gatherMs;
    clearTimeout(timer);
    timer = setTimeout(() => void read(), milliseconds);
  };
  let reader: Awaited<ReturnType<typeof eventReader>> | null = null;
  const read = async (): Promise<void> => {
    if (closed) return;
    if (isReading) {
      again = true;
      return;
    }
    isReading = true;
    isSoon = false;
    again = false;
    try {
      reader ??= await eventReader(connection);
      await readOnce(reader);
    } catch (thrown) {
      if (!closed) {
        closed = true;
        onFailure(thrown);
      }
    }
    isReading = false;
    if (!closed) schedule(again ? gatherMs : channel === null ? pollMs : pollWithNotificationsMs);
  };

  connection.onNotification(() => {
    if (isReading) again = true;
    else schedule(gatherMs);
  });
  if (channel !== null)
    connection.query(`LISTEN ${channel}`).catch(() => {
      // The requests that follow report a lost connection.
    });
  void read();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
