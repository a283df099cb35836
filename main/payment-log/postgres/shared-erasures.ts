import { ok, type Result } from '../../../shared/errors.ts';
import type { AmendedEvent } from '../answers.ts';
import type { Connection } from './connection.ts';
import { escapeText, unescapeText } from './escape-text.ts';

/** An event of the shared log that still has personal values. */
export type ErasableEvent = { id: string; profileId: string; orderNumber: string | null };
/** `requestedAt`: when a person had the values of its order erased, milliseconds. */
export type RequestedEvent = ErasableEvent & { requestedAt: number };

/** A position in the walk through all chains; see `olderThan`. */
export type WalkPosition = { writer: number; writerSeq: number };

/**
 * Personal values in the shared log: what is to be erased, and what the journals still have to. They are erased by an
 * amendment that is appended; see `erase` in the schema. Errors: as every read of the shared log.
 */
export type SharedErasures = ReturnType<typeof sharedErasures>;

type Run = <T>(work: (connection: Connection) => Promise<T>) => Promise<Result<T>>;

/** Deadline of a read that may pass over many events without personal values. */
const walkDeadlineMs = 60_000;

type Row = { id: string; profileId: string; orderNumber: string | null };

const erasable = ({ id, profileId, orderNumber }: Row): ErasableEvent => ({
  id,
  profileId: unescapeText(profileId),
  orderNumber: orderNumber === null ? null : unescapeText(orderNumber),
});

const columns = 'e.id, e.profile_id AS "profileId", e.order_number AS "orderNumber"';
const withPersonal = `event e JOIN personal p
  ON p.writer = e.writer AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at`;
const notOwn = (parameter: number): string =>
  `e.writer IS DISTINCT FROM (SELECT id FROM writer WHERE name = $${parameter})`;

/** `run`: executes on a connection and turns its errors into results. */
export const sharedErasures = (run: Run) => ({
  /** The events of orders in other chains than `own` that have personal values. */
  ofOrders: (
    profileId: string,
    orderNumbers: readonly string[],
    own: string,
  ): Promise<Result<readonly ErasableEvent[]>> =>
    run(async connection =>
      (
        await connection.query<Row>(
          `SELECT ${columns} FROM ${withPersonal}
           WHERE e.order_number = ANY ($1) AND e.profile_id = $2 AND ${notOwn(3)}`,
          [orderNumbers.map(escapeText), escapeText(profileId), own],
        )
      ).map(erasable),
    ),
  /** Events that are older than the erasure that a person requested for their order: they arrived later. */
  requested: (own: string, limit: number): Promise<Result<readonly RequestedEvent[]>> =>
    run(async connection =>
      (
        await connection.query<Row & { requestedAt: number }>(
          `SELECT r.requested_at AS "requestedAt", ${columns} FROM erasure_request r
             JOIN event e ON e.order_number = r.order_number AND e.profile_id = r.profile_id
              AND e.recorded_at < r.requested_at
             JOIN personal p ON p.writer = e.writer AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at
           WHERE ${notOwn(1)} LIMIT $2`,
          [own, limit],
          { deadlineMs: walkDeadlineMs },
        )
      ).map(row => ({ ...erasable(row), requestedAt: row.requestedAt })),
    ),
  /**
   * Events of other chains than `own` recorded before an instant (milliseconds), at most `limit`, after `from` (null: from
   * the start). `next`: the position after them; null at the end.
   */
  olderThan: (
    before: number,
    own: string,
    from: WalkPosition | null,
    limit: number,
  ): Promise<Result<{ events: readonly ErasableEvent[]; next: WalkPosition | null }>> =>
    run(async connection => {
      // Chain by chain along the primary key, so that no batch passes over what the ones before it deleted.
      const [writer] = await connection.query<{ id: number }>(
        'SELECT id FROM writer WHERE name <> $1 AND id >= $2 ORDER BY id LIMIT 1',
        [own, from?.writer ?? 0],
      );
      if (!writer) return { events: [], next: null };
      const after = from?.writer === writer.id ? from.writerSeq : 0;
      const rows = await connection.query<Row & { seq: number }>(
        `SELECT p.writer_seq AS seq, ${columns} FROM ${withPersonal}
         WHERE p.writer = $1 AND p.writer_seq > $2 AND p.recorded_at < $3 ORDER BY p.writer_seq LIMIT $4`,
        [writer.id, after, before, limit],
        { deadlineMs: walkDeadlineMs },
      );
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        events: rows.map(erasable),
        next: last ? { writer: writer.id, writerSeq: last.seq } : { writer: writer.id + 1, writerSeq: 0 },
      };
    }),
  /** Events of a chain whose values were erased here, and not yet in the journal of the chain; at most `limit`. */
  pending: (writer: string, limit: number): Promise<Result<readonly AmendedEvent[]>> =>
    run(async connection =>
      (
        await connection.query<{ seq: number; id: string; by: string; bySeq: number }>(
          `SELECT e.writer_seq AS seq, e.id, b.name AS by, e.by_seq AS "bySeq"
           FROM erased e JOIN writer b ON b.id = e.by_writer
           WHERE e.writer = (SELECT id FROM writer WHERE name = $1) ORDER BY e.writer_seq LIMIT $2`,
          [writer, limit],
        )
      ).map(({ seq, id, by, bySeq }) => ({
        writer,
        writerSeq: seq,
        id,
        by: { writer: by, writerSeq: bySeq },
      })),
    ),
  /** The journal of this chain has erased them. */
  carriedOut: async (writer: string, numbers: readonly number[]): Promise<Result<undefined>> => {
    const done = await run(connection =>
      connection.query('SELECT erased_1($1, $2::bigint[])', [writer, [...numbers]]),
    );
    return done.ok ? ok(undefined) : done;
  },
  /** Creates the partitions of the months to come, if they are missing. */
  createMonths: async (): Promise<Result<undefined>> => {
    const done = await run(connection => connection.query('SELECT months_1()'));
    return done.ok ? ok(undefined) : done;
  },
  /**
   * Drops one month of personal values without any, older than the rule says. Returns its table; null if there is none;
   * `busy` while others use them.
   */
  dropMonth: (): Promise<Result<string | null>> =>
    run(
      async connection =>
        (await connection.query<{ part: string | null }>('SELECT keep_1() AS part'))[0]?.part ?? null,
    ),
});
