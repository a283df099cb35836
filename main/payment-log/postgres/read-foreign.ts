import type { Event } from '../../../shared/payments/evidence.ts';
import { chainStart, createDeliveryCounter } from '../evidence/chain.ts';
import { foreignEventCheck, maxBytes, type SourceEvent } from '../evidence/check-foreign-event.ts';
import type { Connection } from './connection.ts';
import { escapeText } from './escape-text.ts';
import { eventReader } from './stored-events.ts';

/** Limit of one read, bytes: another installation may have written events of any size. */
const maxRead = 8 * 1024 * 1024;
/** Limit of what one account adds to an order, events. */
const maxOfOrder = 2_000;

const textBytes = [
  'profile_id',
  'order_number',
  'payment_id',
  'agent',
  'kind',
  'dedupe_key',
  '"values"',
  'personal',
  'hash',
]
  .map(column => `coalesce(octet_length(e.${column}), 0)`)
  .join(' + ');
/** The size of an event, with its shape and its personal values; texts are not read for it. */
const bytes = `(${textBytes} + coalesce((SELECT octet_length(s.text) FROM shape s WHERE s.id = e.shape), 0)
    + coalesce((SELECT octet_length(p."values") + octet_length(p.salt) FROM personal p WHERE p.writer = e.writer
      AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at), 0))::float8`;
const chain = '(SELECT id FROM writer WHERE name = $1)';
const selectSizes = `SELECT e.writer_seq AS "writerSeq", e.recorded_at AS "recordedAt",
    encode(substr(e.hash, 1, 32), 'hex') AS hash, ${bytes} AS bytes
  FROM event e WHERE e.writer = ${chain} AND e.writer_seq >= $2 AND e.writer_seq <= $3 ORDER BY e.writer_seq`;
/** The events of an order that one account may add, each with the link of the event before it. */
const selectOrder = `SELECT writer, number, link FROM (
    SELECT e.writer, e.writer_seq AS number, row_number() OVER account AS place, sum(${bytes}) OVER account AS bytes,
      (SELECT encode(b.hash, 'hex') FROM event b WHERE b.writer = e.writer AND b.writer_seq = e.writer_seq - 1 LIMIT 1)
        AS link
    FROM event e JOIN writer w ON w.id = e.writer
    WHERE e.order_number = $1 AND e.profile_id = $2 AND ${bytes} <= ${maxBytes}
    WINDOW account AS (PARTITION BY w.role ORDER BY e.writer, e.writer_seq)) sized
  WHERE place <= ${maxOfOrder} AND bytes <= ${maxRead}`;

/** Reads events of other installations, within limits. Every function rejects with the client's errors. */
export type ForeignReader = ReturnType<typeof foreignReader>;

/** A reader of one connection: it remembers the shapes that it has read. */
export const foreignReader = (connection: Connection) => {
  const reader = eventReader(connection);
  const check = foreignEventCheck();
  return {
    /** The events of a chain from one number to another, unchecked; fewer if they are large. */
    range: async (writer: string, from: number, to: number): Promise<SourceEvent[]> => {
      type Size = { writerSeq: number; recordedAt: number; hash: string; bytes: number };
      const sizes = await connection.query<Size>(selectSizes, [writer, from, to], { name: 'sizes' });
      let read = 0;
      // At least one.
      const within = sizes.filter(one => {
        const fits = read < maxRead;
        if (one.bytes <= maxBytes) read += one.bytes;
        return fits;
      });
      const events = new Map<number, SourceEvent>(
        within.filter(one => one.bytes > maxBytes).map(one => [one.writerSeq, { ...one, writer }]),
      );
      const stored = await reader.read(
        `WHERE e.writer = ${chain} AND e.writer_seq >= $2 AND e.writer_seq <= $3
         AND e.writer_seq <> ALL ($4::bigint[]) ORDER BY e.writer_seq`,
        [writer, from, within.at(-1)?.writerSeq ?? 0, [...events.keys()]],
        'range',
      );
      for (const one of stored) events.set(one.row.writer_seq, reader.chained(one));
      return [...events.values()].toSorted((one, other) => one.writerSeq - other.writerSeq);
    },
    /** The events of an order that pass the check of a list, and count. */
    order: async (profileId: string, orderNumber: string): Promise<Event[]> => {
      const order = [escapeText(orderNumber), escapeText(profileId)];
      type Place = { writer: number; number: number; link: string | null };
      const places = await connection.query<Place>(selectOrder, order);
      const links = new Map(places.map(one => [`${one.writer} ${one.number}`, one.link ?? chainStart]));
      const stored = await reader.read(
        `WHERE e.order_number = $1 AND e.profile_id = $2
         AND (e.writer, e.writer_seq) IN (SELECT * FROM unnest($3::integer[], $4::bigint[]))
         ORDER BY e.recorded_at, e.writer, e.writer_seq`,
        [...order, places.map(({ writer }) => writer), places.map(({ number }) => number)],
      );
      const counts = createDeliveryCounter();
      return stored.flatMap(one => {
        const link = links.get(`${one.row.writer} ${one.row.writer_seq}`) ?? null;
        const checked = check(reader.chained(one), link);
        return checked.problem === null && counts(checked.event.dedupeKey) ? [checked.event] : [];
      });
    },
  };
};
