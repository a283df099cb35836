import { project, projectionVersion } from '../../projection/project.ts';
import type { Connection } from '../connection.ts';
import type { EventReader } from '../stored-events.ts';
import { keyOf, readEvidence, type ListedOrder } from './payment-evidence.ts';
import { paymentId } from './payment-ids.ts';
import type { ListedPayment, ListWriter } from './write-list.ts';

/** Limits of one transaction: payments, and events of the chain that it covers. */
const maxPayments = 64;
const maxEvents = 512;
/** Limit of ids tried for one payment. */
const maxAttempts = 16;

/**
 * `through`: the chain is projected up to this event. `busy`: another process projects it at the moment. `newer`: a
 * newer program writes the list, this one does not.
 */
export type ProjectedStep =
  | { state: 'done' | 'more'; through: number }
  | { state: 'busy' }
  | { state: 'newer' };

type Touched = { seq: number; order: string | null; profile: string; recordedAt: number };
type Order = { order: string; profile: string; seq: number; recordedAt: number };
/** The payments that the next events of a chain name, and the last of these events. */
const nextOrders = async (
  connection: Connection,
  writer: number,
  after: number,
): Promise<{ orders: Order[]; last: number; isFull: boolean }> => {
  const touched = await connection.query<Touched>(
    `SELECT writer_seq AS seq, order_number AS order, profile_id AS profile, recorded_at AS "recordedAt" FROM event
     WHERE writer = $1 AND writer_seq > $2 ORDER BY writer_seq LIMIT ${maxEvents}`,
    [writer, after],
    { name: 'project-next' },
  );
  const orders = new Map<string, Order>();
  let last = after;
  for (const { seq, order, profile, recordedAt } of touched) {
    if (order !== null) {
      const one = { order, profile, seq, recordedAt };
      if (!orders.has(keyOf(one))) {
        if (orders.size === maxPayments) return { orders: [...orders.values()], last, isFull: true };
        orders.set(keyOf(one), one);
      }
    }
    last = seq;
  }
  return { orders: [...orders.values()], last, isFull: touched.length === maxEvents };
};

const insertPayments = `INSERT INTO payment (id, profile_id, order_number)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`;

const selectPayments = `SELECT p.id, p.order_number AS order, p.profile_id AS profile
  FROM unnest($1::text[], $2::text[]) AS k(o, f) JOIN payment p ON p.order_number = k.o AND p.profile_id = k.f`;

/** The ids of these orders; missing ones are inserted. Their rows are locked until the end of the transaction. */
const lockPayments = async (connection: Connection, orders: readonly Order[]): Promise<ListedOrder[]> => {
  const keys = [orders.map(({ order }) => order), orders.map(({ profile }) => profile)];
  let known = await connection.query<ListedOrder>(selectPayments, keys, { name: 'project-known' });
  for (let attempt = 0; known.length < orders.length && attempt < maxAttempts; attempt += 1) {
    const found = new Set(known.map(keyOf));
    // In one order, so that two processes do not wait for each other.
    const missing = orders
      .filter(one => !found.has(keyOf(one)))
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await connection.query(
      insertPayments,
      [
        missing.map(({ recordedAt, seq }) => paymentId(recordedAt, seq, attempt)),
        missing.map(({ profile }) => profile),
        missing.map(({ order }) => order),
      ],
      { name: 'project-insert' },
    );
    known = await connection.query<ListedOrder>(selectPayments, keys, { name: 'project-known' });
  }
  await connection.query(
    'SELECT 1 FROM payment WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE',
    [known.map(({ id }) => id)],
    { name: 'project-lock' },
  );
  return known;
};

/**
 * Projects the payments that the next events of a chain name, in one transaction. A payment is projected from all its
 * events while its row is locked, so the last process to have the lock has read everything, in any order of events.
 * Rejects with the client's errors; the transaction is rolled back then.
 */
export const projectNext = async (
  connection: Connection,
  reader: EventReader,
  writer: number,
  list: ListWriter,
  channel: string,
): Promise<ProjectedStep> => {
  await connection.query('BEGIN');
  try {
    const [place] = await connection.query<{ through: number; version: number; generation: number }>(
      `SELECT p.through, l.version, l.generation FROM projected p CROSS JOIN list l
       WHERE p.writer = $1 FOR UPDATE OF p SKIP LOCKED`,
      [writer],
      { name: 'project-place' },
    );
    if (!place || place.version > projectionVersion) {
      await connection.query('ROLLBACK');
      return { state: place ? 'newer' : 'busy' };
    }
    const { orders, last, isFull } = await nextOrders(connection, writer, place.through);
    if (last === place.through) {
      await connection.query('ROLLBACK');
      return { state: 'done', through: last };
    }
    if (orders.length > 0) {
      const payments = await lockPayments(connection, orders);
      const evidence = await readEvidence(reader, payments);
      const rows = payments
        .toSorted((one, other) => one.id - other.id)
        .flatMap((one): ListedPayment[] => {
          const projected = project(evidence.get(keyOf(one))?.events ?? []);
          return projected ? [{ payment: one.id, projected }] : [];
        });
      await list.write(connection, rows, place.generation);
    }
    await connection.query(
      'UPDATE projected SET through = $2, moved_at = clock_timestamp() WHERE writer = $1',
      [writer, last],
      { name: 'project-through' },
    );
    // An installation that receives it finds the change in the list.
    await connection.query(`NOTIFY ${channel}; COMMIT`);
    return { state: isFull ? 'more' : 'done', through: last };
  } catch (thrown) {
    list.reset();
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
};
