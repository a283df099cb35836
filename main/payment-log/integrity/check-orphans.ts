import type { Problem } from './check-chain.ts';
import { isOlder, type LogDatabase } from '../store/database.ts';

/** Orphaned rows: the table, the statement that counts them, and their description. */
const evidenceOrphans: [table: string, sql: string, what: string][] = [
  [
    'personal',
    'SELECT count(*) FROM personal WHERE event NOT IN (SELECT seq FROM event)',
    'set(s) of personal details belong to no event: they would never be erased.',
  ],
  [
    'payment',
    'SELECT count(*) FROM payment p WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.payment = p.id)',
    'order(s) have no event.',
  ],
  [
    'shape',
    'SELECT count(*) FROM shape WHERE id NOT IN (SELECT shape FROM event)',
    'shape(s) belong to no event.',
  ],
];

const listOrphans: [table: string, sql: string, what: string][] = [
  [
    'listed',
    'SELECT count(*) FROM listed WHERE payment NOT IN (SELECT id FROM payment) OR facet NOT IN (SELECT id FROM facet)',
    'row(s) of the list belong to no order.',
  ],
  [
    'payment_flag',
    'SELECT count(*) FROM payment_flag WHERE payment NOT IN (SELECT payment FROM listed)',
    'flag(s) belong to no row of the list.',
  ],
  [
    'payment_id',
    'SELECT count(*) FROM payment_id WHERE payment NOT IN (SELECT payment FROM listed)',
    'payment id(s) belong to no row of the list.',
  ],
  [
    'day',
    `SELECT count(*) FROM day WHERE low > high OR low NOT IN (SELECT payment FROM listed)
       OR high NOT IN (SELECT payment FROM listed)`,
    'day(s) span payments that are not in the list.',
  ],
];

/** Finds orphaned rows. Throws SQLite errors. */
export const checkOrphans = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const checkOrphanKind = (kind: Problem['kind'], orphans: typeof evidenceOrphans): void => {
    for (const [table, sql, what] of orphans) {
      const count = database.prepare<[], number>(sql).pluck().get() ?? 0;
      if (count > 0) reportProblem({ kind, at: `table ${table}`, message: `${count} ${what}` });
    }
  };
  checkOrphanKind('chain', evidenceOrphans);
  if (!isOlder(database)) checkOrphanKind('projection', listOrphans);
};

/**
 * Checks the record of the projection's progress: one row, not beyond the last event, not reset while the list has
 * rows, and not behind `projected`, the progress known to the running console (0 if unknown). Throws SQLite errors.
 */
export const checkThrough = (
  database: LogDatabase,
  projected: number,
  reportProblem: (problem: Problem) => void,
): void => {
  if (isOlder(database)) return;
  const wrong = (message: string): void =>
    reportProblem({ kind: 'projection', at: 'table projection', message });
  const rows = database.prepare<[], number>('SELECT through FROM projection').pluck().all();
  const [through = 0] = rows;
  const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck().get() ?? 0;
  const listed = database
    .prepare<[], number>(
      `SELECT 1 FROM listed WHERE payment = (SELECT min(id) FROM payment WHERE order_number IS NOT NULL)`,
    )
    .pluck()
    .get();
  if (rows.length !== 1) wrong(`It holds ${rows.length} rows where it should hold one.`);
  else if (through < 0 || through > last)
    wrong(`The list claims to be as far as event ${through}, but the last event is ${last}.`);
  else if (through < projected)
    wrong(`The list was as far as event ${projected}, and claims to be as far as ${through} alone.`);
  else if (through === 0 && listed !== undefined)
    wrong('The list has rows but counts as not begun. It is rebuilt when the payment log is opened.');
};
