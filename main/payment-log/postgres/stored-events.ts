import type { Event } from '../../../shared/payments/evidence.ts';
import type { ChainedEvent, EventHeader } from '../answers.ts';
import { decodeBody, readShape, type Shape } from '../evidence/body-codec.ts';
import type { CheckedEvent } from '../evidence/check-event.ts';
import { eventOf } from '../evidence/chain.ts';
import type { Connection, Value } from './connection.ts';
import { unescapeText } from './escape-text.ts';

type Row = {
  writer: number;
  writer_seq: number;
  id: string;
  profile_id: string;
  order_number: string | null;
  payment_id: string | null;
  happened_at: number;
  recorded_at: number;
  agent: string;
  kind: string;
  dedupe_key: string | null;
  shape: string;
  values: string;
  personal: Buffer | null;
  hash: Buffer;
  salt: Buffer | null;
  personal_values: string | null;
};

const columns = `e.writer, e.writer_seq, e.id, e.profile_id, e.order_number, e.payment_id, e.happened_at, e.recorded_at,
  e.agent, e.kind, e.dedupe_key, e.shape, e."values", e.personal, e.hash`;

/**
 * Selects events with their personal values; append a WHERE, an ORDER BY or a LIMIT. The limit inside makes the server
 * look them up one by one: a join of the whole tables takes seconds.
 */
const withPersonal = `SELECT ${columns}, p.salt, p."values" AS personal_values FROM event e
  LEFT JOIN LATERAL (SELECT salt, "values" FROM personal o WHERE o.writer = e.writer AND o.writer_seq = e.writer_seq
    AND o.recorded_at = e.recorded_at LIMIT 1) p ON true`;

/** A stored event, not decoded yet. */
export type SharedEvent = { row: Row; writer: string };

/** Reads events over one connection. Every function rejects with the client's errors. */
export type EventReader = ReturnType<typeof eventReader>;

const textOrNull = (text: string | null): string | null => (text === null ? null : unescapeText(text));

const headerOf = ({ row, writer }: SharedEvent): EventHeader => ({
  writer,
  writerSeq: row.writer_seq,
  id: row.id,
  profileId: unescapeText(row.profile_id),
  orderNumber: textOrNull(row.order_number),
  paymentId: textOrNull(row.payment_id),
  happenedAt: row.happened_at,
  recordedAt: row.recorded_at,
  agent: unescapeText(row.agent),
  kind: unescapeText(row.kind),
  dedupeKey: textOrNull(row.dedupe_key),
});

const personalOf = ({ row }: SharedEvent): { salt: string; values: string } | null =>
  row.salt === null || row.personal_values === null
    ? null
    : { salt: row.salt.toString('hex'), values: row.personal_values };

export const eventReader = (connection: Connection) => {
  const shapes = new Map<string, { text: string; parts: Shape }>();
  const writers = new Map<number, string>();

  /** Shapes and names never change: each is read once. */
  const load = async (rows: readonly Row[]): Promise<void> => {
    const missing = [...new Set(rows.map(({ shape }) => shape))].filter(id => !shapes.has(id));
    if (missing.length > 0) {
      const found = await connection.query<{ id: string; text: string }>(
        'SELECT id, text FROM shape WHERE id = ANY ($1::uuid[])',
        [missing],
      );
      for (const { id, text } of found) shapes.set(id, { text, parts: readShape(text) });
    }
    if (rows.some(({ writer }) => !writers.has(writer))) {
      const found = await connection.query<{ id: number; name: string }>('SELECT id, name FROM writer');
      for (const { id, name } of found) writers.set(id, name);
    }
  };

  const bodyOf = ({ row }: SharedEvent): string =>
    decodeBody(shapes.get(row.shape)?.parts ?? [], row.values, {
      orderNumber: textOrNull(row.order_number),
      paymentId: textOrNull(row.payment_id),
    });

  return {
    /** `where`: conditions on `e`, the event, and what follows them. */
    read: async (where: string, values: readonly Value[], name?: string): Promise<SharedEvent[]> => {
      const rows = await connection.query<Row>(
        `${withPersonal} ${where}`,
        values,
        name === undefined ? {} : { name },
      );
      await load(rows);
      return rows.map(row => ({ row, writer: writers.get(row.writer) ?? '' }));
    },
    /** An event with everything that its link depends on; an unreadable body is null. */
    checked: (event: SharedEvent): CheckedEvent => {
      let body: string | null = null;
      try {
        body = bodyOf(event);
      } catch {
        // An unreadable body matches no hash.
      }
      return {
        header: headerOf(event),
        body,
        digest: event.row.personal?.toString('hex') ?? null,
        personal: personalOf(event),
        hash: event.row.hash.toString('hex'),
      };
    },
    chained: (event: SharedEvent): ChainedEvent => ({
      ...headerOf(event),
      shape: shapes.get(event.row.shape)?.text ?? '',
      values: event.row.values,
      personal: personalOf(event),
      digest: event.row.personal?.toString('hex') ?? null,
      hash: event.row.hash.toString('hex'),
    }),
    /** Personal values that were erased read as ''. Throws a SyntaxError if the event was damaged. */
    event: (event: SharedEvent): Event =>
      eventOf(headerOf(event), bodyOf(event), personalOf(event)?.values ?? null),
  };
};
