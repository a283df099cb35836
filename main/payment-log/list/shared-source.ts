import type { AmendedEvent } from '../answers.ts';
import type { Connection } from '../postgres/connection.ts';
import { movedEnds } from '../postgres/moved-ends.ts';
import { eventReader } from '../postgres/stored-events.ts';
import { maxBytes, type SourceEvent } from '../sqlite/list/check-foreign-event.ts';
import type { ChainSource } from './copy-chains.ts';

/** Deadline of a read: while a part is stored, the answer to the next read waits on this thread. */
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
/** The size of an event, with its shape and its personal values; texts are not read for it. */
const sizeColumns = `e.writer, e.writer_seq AS "writerSeq", e.recorded_at AS "recordedAt",
    encode(substr(e.hash, 1, 32), 'hex') AS hash,
    (${textBytes} + coalesce((SELECT octet_length(s.text) FROM shape s WHERE s.id = e.shape), 0)
      + coalesce((SELECT octet_length(p."values") + octet_length(p.salt) FROM personal p WHERE p.writer = e.writer
        AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at), 0))::float8 AS bytes`;
const selectSizes = `SELECT ${sizeColumns}
  FROM event e WHERE e.writer = $1 AND e.writer_seq >= $2 AND e.writer_seq <= $3 ORDER BY e.writer_seq`;

type SizeRow = { writer: number; writerSeq: number; recordedAt: number; hash: string; bytes: number };

export type SharedSource = ChainSource & {
  /** Those of these events that have no personal values in the shared log any longer. */
  erasedOf(named: readonly AmendedEvent[]): Promise<readonly AmendedEvent[]>;
  /** Notes there that this installation's list has carried out what was erased until `ago` milliseconds before now; false
   * before this installation's chain is known there. */
  confirmErased(ago: number): Promise<boolean>;
};

/** The chains of the shared log. Parts of chains are those of other installations than `own`. */
export const sharedSource = (opened: Connection, own: string): SharedSource => {
  const connection: Connection = {
    ...opened,
    query: (text, values, options) => opened.query(text, values, { deadlineMs, ...options }),
  };
  const reader = eventReader(connection);
  const ids = new Map<string, number>();
  /** Up to where the ends are known. */
  let since: string | null = null;
  /** How many of these events one read takes, at least one. */
  const withinRead = <T extends { bytes: number }>(sizes: readonly T[]): T[] => {
    let bytes = 0;
    return sizes.filter(one => {
      const fits = bytes < maxRead;
      if (one.bytes <= maxBytes) bytes += one.bytes;
      return fits;
    });
  };
  return {
    ends: async () => {
      const moved = await movedEnds(connection, since, endsDeadlineMs);
      since = moved.next;
      const others = moved.ends.filter(({ writer, seq }) => writer !== own && seq > 0);
      for (const { id, writer } of others) ids.set(writer, id);
      return others;
    },
    read: async (writer, from, to) => {
      const id = ids.get(writer) ?? 0;
      const sizes = await connection.query<SizeRow>(selectSizes, [id, from, to], {
        name: 'sizes',
      });
      const within = withinRead(sizes);
      const events = new Map<number, SourceEvent>(
        within.filter(one => one.bytes > maxBytes).map(one => [one.writerSeq, { ...one, writer }]),
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
    confirmErased: async ago => {
      const [answer] = await connection.query<{ done: boolean }>(
        'SELECT replica_1($1, $2) AS done',
        [own, Math.ceil(ago)],
        { name: 'confirm' },
      );
      return answer?.done === true;
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
