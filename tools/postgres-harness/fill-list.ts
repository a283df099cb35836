import type { Connection } from '../../main/payment-log/postgres/connection.ts';
import { paymentId } from '../../main/payment-log/postgres/list/payment-ids.ts';
import { createListWriter } from '../../main/payment-log/postgres/list/write-list.ts';
import { project } from '../../main/payment-log/projection/project.ts';
import type { Event } from '../../shared/payments/evidence.ts';

/** Payments of one transaction. */
const batchSize = 500;

/**
 * Fills the list of an empty shared log with `count` payments, without their evidence. `eventsOf`: the events of each
 * payment, the oldest payment first.
 */
export const fillList = async (
  connection: Connection,
  count: number,
  eventsOf: (index: number) => readonly Event[],
): Promise<void> => {
  const list = createListWriter(0);
  for (let first = 0; first < count; first += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - first) }, (_, at) => {
      const projected = project(eventsOf(first + at));
      if (!projected) throw new Error(`Payment ${first + at} is an inquiry.`);
      return { payment: paymentId(projected.firstAt, first + at, 0), projected };
    });
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
  }
  await connection.query('VACUUM ANALYZE', [], { deadlineMs: 10 * 60_000 });
};
