import type { ChainEnd } from '../answers.ts';
import type { Connection } from './connection.ts';

/** The end of a chain, the chain's number in this database, and the account that may extend it. */
export type MovedEnd = ChainEnd & { id: number; account: string };

/**
 * The ends of the chains that moved since an earlier call on the same log (`since`: what it returned as `next`), some
 * again perhaps, none left out; of all chains for null. Rejects with the client's errors.
 */
export const movedEnds = async (
  connection: Connection,
  since: string | null,
  deadlineMs?: number,
): Promise<{ ends: readonly MovedEnd[]; next: string }> => {
  // A transaction that has not finished yet has a number from 'next' on.
  const rows = await connection.query<
    Omit<MovedEnd, 'id' | 'hash'> & { id: number | null; hash: Buffer; next: string }
  >(
    `SELECT s.next, w.id, w.name AS writer, w.last_seq AS seq, w.last_hash AS hash, w.role AS account
     FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS next) s
     LEFT JOIN writer w ON w.moved >= $1::xid8 ORDER BY w.id`,
    [since ?? '0'],
    { name: 'ends', ...(deadlineMs === undefined ? {} : { deadlineMs }) },
  );
  return {
    ends: rows.flatMap(({ id, writer, seq, hash, account }) =>
      id === null ? [] : [{ id, writer, seq, hash: hash.toString('hex'), account }],
    ),
    next: rows[0]?.next ?? '0',
  };
};
