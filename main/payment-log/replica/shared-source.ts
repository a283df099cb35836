import { spellingsOfId } from '../../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { AmendedEvent } from '../answers.ts';
import type { Connection } from '../postgres/connection.ts';
import { eventReader } from '../postgres/stored-events.ts';
import { escapeText, unescapeText } from '../postgres/escape-text.ts';
import { maxText, type SourceEvent } from './check-foreign-event.ts';
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
// The limit inside makes the server look up one order after the other.
const selectSizesOfOrders = `SELECT ${sizeColumns} FROM unnest($1::text[], $2::text[]) AS o(number, profile)
  CROSS JOIN LATERAL (SELECT * FROM event WHERE order_number = o.number AND profile_id = o.profile AND recorded_at < $3
    LIMIT 100000) e`;
/** Limit of the orders of one payment id. */
const maxFound = 20;
const selectOrders = `SELECT DISTINCT f.profile_id AS "profileId", f.order_number AS "orderNumber" FROM (
    (SELECT profile_id, order_number FROM event WHERE order_number = $1 AND recorded_at < $2 LIMIT 1000)
    UNION ALL (SELECT profile_id, order_number FROM event WHERE payment_id = ANY ($3::text[]) AND recorded_at < $2 LIMIT 1000)
  ) f WHERE f.order_number IS NOT NULL LIMIT ${maxFound}`;

type SizeRow = { writer: number; writerSeq: number; recordedAt: number; hash: string; bytes: number };

export type SharedSource = ChainSource & {
  /** Those of these events that have no personal values in the shared log any longer. */
  erasedOf(named: readonly AmendedEvent[]): Promise<readonly AmendedEvent[]>;
  /** Notes there that the replica has carried out what was erased until `ago` milliseconds before now. */
  confirmErased(ago: number): Promise<void>;
  /** The events of these orders that were recorded before an instant, milliseconds; in parts, in any order. */
  eventsOf(orders: readonly PaymentKey[], before: number): AsyncIterable<readonly SourceEvent[]>;
  /** Orders with this number or this payment id that have events from before an instant, milliseconds. */
  ordersOf(numberOrId: string, before: number): Promise<readonly PaymentKey[]>;
};

/** The chains of the shared log. Parts of chains are those of other installations than `own`. */
export const sharedSource = async (opened: Connection, own: string): Promise<SharedSource> => {
  const connection: Connection = {
    ...opened,
    query: (text, values, options) => opened.query(text, values, { deadlineMs, ...options }),
  };
  const reader = eventReader(connection);
  const ids = new Map<string, number>();
  /** How many of these events one read takes, at least one. */
  const withinRead = <T extends { bytes: number }>(sizes: readonly T[]): T[] => {
    let bytes = 0;
    return sizes.filter(one => {
      const fits = bytes < maxRead;
      if (one.bytes <= maxText) bytes += one.bytes;
      return fits;
    });
  };
  /** Reads events by their places. */
  const readPlaces = async (rows: readonly SizeRow[]): Promise<SourceEvent[]> => {
    const stored = await reader.read(
      `JOIN unnest($1::integer[], $2::bigint[], $3::bigint[]) AS place(writer, seq, at)
         ON e.writer = place.writer AND e.writer_seq = place.seq AND e.recorded_at = place.at`,
      [rows.map(row => row.writer), rows.map(row => row.writerSeq), rows.map(row => row.recordedAt)],
      'places',
    );
    return stored.map(one => reader.chained(one));
  };
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
    firstSince: async (writer, since) => {
      const [found] = await connection.query<{ first: number | null }>(
        'SELECT min(writer_seq) AS first FROM event WHERE writer = $1 AND recorded_at >= $2',
        [ids.get(writer) ?? 0, since],
      );
      return found?.first ?? null;
    },
    read: async (writer, from, to) => {
      const id = ids.get(writer) ?? 0;
      const sizes = await connection.query<SizeRow>(selectSizes, [id, from, to], {
        name: 'sizes',
      });
      const within = withinRead(sizes);
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
    confirmErased: async ago => {
      await connection.query('SELECT replica_1($1, $2)', [own, Math.ceil(ago)], { name: 'confirm' });
    },
    eventsOf: async function* (orders, before) {
      let rest = await connection.query<SizeRow>(
        selectSizesOfOrders,
        [
          orders.map(({ orderNumber }) => escapeText(orderNumber)),
          orders.map(({ profileId }) => escapeText(profileId)),
          before,
        ],
        { name: 'sizes of orders' },
      );
      if (rest.length === 0) return;
      const names = new Map(
        (await connection.query<{ id: number; name: string }>('SELECT id, name FROM writer')).map(one => [
          one.id,
          one.name,
        ]),
      );
      while (rest.length > 0) {
        const within = withinRead(rest);
        rest = rest.slice(within.length);
        const isTooLarge = ({ bytes }: SizeRow): boolean => bytes > maxText;
        yield [
          ...(await readPlaces(within.filter(one => !isTooLarge(one)))),
          ...within.filter(isTooLarge).map(one => ({ ...one, writer: names.get(one.writer) ?? '' })),
        ];
      }
    },
    ordersOf: async (numberOrId, before) => {
      const found = await connection.query<PaymentKey>(selectOrders, [
        escapeText(numberOrId),
        before,
        spellingsOfId(numberOrId).map(escapeText),
      ]);
      return found.map(({ profileId, orderNumber }) => ({
        profileId: unescapeText(profileId),
        orderNumber: unescapeText(orderNumber),
      }));
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
