import type { Connection } from '../../main/payment-log/postgres/connection.ts';
import { paymentId } from '../../main/payment-log/postgres/list/payment-ids.ts';
import { createListWriter } from '../../main/payment-log/postgres/list/write-list.ts';
import { project, type Projected } from '../../main/payment-log/projection/project.ts';
import type { Event } from '../../shared/payments/evidence.ts';

/** Payments of one transaction. */
const batchSize = 2_000;
/** Limit of one statement, milliseconds: an index of a million payments takes minutes, and the machine may be busy. */
const deadlineMs = 30 * 60_000;

/** Removes the indexes of the list that enforce nothing; returns the statements that create them. */
const dropIndexes = async (connection: Connection): Promise<string[]> => {
  const indexes = await connection.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid IN ('listed'::regclass, 'searched'::regclass) AND NOT i.indisunique`,
  );
  for (const { name } of indexes) await connection.query(`DROP INDEX ${name}`);
  return indexes.map(({ definition }) => definition);
};

/**
 * Fills the list of an empty shared log with `count` payments, without their evidence. `eventsOf`: the events of each
 * payment, the oldest payment first. `onProjected`: called with a part of the payments and the index of its first.
 */
export const fillList = async (
  opened: Connection,
  count: number,
  eventsOf: (index: number) => readonly Event[],
  onProjected: (payments: readonly Projected[], first: number) => void = () => undefined,
): Promise<void> => {
  const connection: Connection = {
    ...opened,
    query: (text, values, options) => opened.query(text, values, { deadlineMs, ...options }),
  };
  const list = createListWriter(0);
  // An index is built in a tenth of the time that its entries take one by one.
  const indexes = await dropIndexes(connection);
  await connection.query('SET synchronous_commit = off');
  /** The previous transaction: the server writes it while the next payments are projected. */
  let writing = Promise.resolve();
  for (let first = 0; first < count; first += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - first) }, (_, at) => {
      const projected = project(eventsOf(first + at));
      if (!projected) throw new Error(`Payment ${first + at} is an inquiry.`);
      return { payment: paymentId(projected.firstAt, first + at, 0), projected };
    });
    await writing;
    writing = (async () => {
      await connection.query('BEGIN');
      await connection.query(
        'INSERT INTO payment (id, profile_id, order_number) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])',
        [
          rows.map(({ payment }) => payment),
          rows.map(({ projected }) => projected.profileId),
          rows.map(({ projected }) => projected.orderNumber),
        ],
      );
      await list.write(connection, rows, 0);
      await connection.query('COMMIT');
    })();
    // Reported at the next turn.
    writing.catch(() => undefined);
    onProjected(
      rows.map(({ projected }) => projected),
      first,
    );
  }
  await writing;
  await connection.query("SET maintenance_work_mem = '256MB'");
  for (const index of indexes) await connection.query(index);
  await connection.query('VACUUM ANALYZE');
};
