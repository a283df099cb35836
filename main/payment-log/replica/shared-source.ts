import type { AmendedEvent } from '../answers.ts';
import type { Connection } from '../postgres/connection.ts';
import { eventReader } from '../postgres/stored-events.ts';
import { maxText, type OversizeEvent, type SourceEvent } from './check-foreign-event.ts';
import type { ChainSource } from './copy-chains.ts';

/** Deadline of a read, milliseconds: while a part is stored, the answer to the next read waits on this thread. */
const deadlineMs = 20_000;
/** That of the ends, which are read first: a line that is silent is noticed by it. */
const endsDeadlineMs = 5_000;
/** Limit of one read, bytes: another installation may have written events of any size. */
const maxRead = 8 * 1024 * 1024;

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
/** The size of each event of a part of a chain, with its shape and its personal values; texts are not read for it. */
const selectSizes = `SELECT e.writer_seq AS "writerSeq", e.recorded_at AS "recordedAt",
    encode(substr(e.hash, 1, 32), 'hex') AS hash,
    (${textBytes} + coalesce((SELECT octet_length(s.text) FROM shape s WHERE s.id = e.shape), 0)
      + coalesce((SELECT octet_length(p."values") + octet_length(p.salt) FROM personal p WHERE p.writer = e.writer
        AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at), 0))::float8 AS bytes
  FROM event e WHERE e.writer = $1 AND e.writer_seq >= $2 AND e.writer_seq <= $3 ORDER BY e.writer_seq`;

export type SharedSource = ChainSource & {
  /** Those of these events that have no personal values in the shared log any longer. */
  erasedOf(named: readonly AmendedEvent[]): Promise<readonly AmendedEvent[]>;
};

/** The chains of the shared log, but for that of this installation. */
export const sharedSource = async (opened: Connection, own: string): Promise<SharedSource> => {
  const connection: Connection = {
    ...opened,
    query: (text, values, options) => opened.query(text, values, { deadlineMs, ...options }),
  };
  const reader = await eventReader(connection);
  const ids = new Map<string, number>();
  return {
    ends: async () => {
      const ends = await connection.query<{ id: number; writer: string; seq: number }>(
        'SELECT id, name AS writer, last_seq AS seq FROM writer WHERE name <> $1 AND last_seq > 0',
        [own],
        { name: 'others', deadlineMs: endsDeadlineMs },
      );
      for (const { id, writer } of ends) ids.set(writer, id);
      return ends;
    },
    read: async (writer, from, to) => {
      const id = ids.get(writer) ?? 0;
      const sizes = await connection.query<Omit<OversizeEvent, 'writer'>>(selectSizes, [id, from, to], {
        name: 'sizes',
      });
      let bytes = 0;
      const within = sizes.filter(one => {
        const fits = bytes < maxRead;
        if (one.bytes <= maxText) bytes += one.bytes;
        return fits;
      });
      const events = new Map<number, SourceEvent>(
        within.filter(one => one.bytes > maxText).map(one => [one.writerSeq, { ...one, writer }]),
      );
      const stored = await reader.read(
        `WHERE e.writer = $1 AND e.writer_seq >= $2 AND e.writer_seq <= $3 AND e.writer_seq <> ALL ($4::bigint[])
         ORDER BY e.writer_seq`,
        [id, from, within.at(-1)?.writerSeq ?? 0, [...events.keys()]],
        'range',
      );
      for (const one of stored) events.set(one.row.writer_seq, reader.chained(one));
      return [...events.values()].toSorted((one, other) => one.writerSeq - other.writerSeq);
    },
    erasedOf: async named => {
      const still = await connection.query<{ at: number }>(
        `SELECT n.at::int AS at FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS n(writer, seq, at)
           JOIN writer w ON w.name = n.writer JOIN event e ON e.writer = w.id AND e.writer_seq = n.seq
           JOIN LATERAL (SELECT 1 FROM personal p WHERE p.writer = e.writer AND p.writer_seq = e.writer_seq
             AND p.recorded_at = e.recorded_at LIMIT 1) p ON true`,
        [named.map(({ writer }) => writer), named.map(({ writerSeq }) => writerSeq)],
      );
      const kept = new Set(still.map(({ at }) => at - 1));
      return named.filter((_, at) => !kept.has(at));
    },
  };
};
