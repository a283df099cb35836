import { msg, type Message, type MessageKey } from '../../../../shared/messages/message.ts';
import type { Problem } from './check-chain.ts';
import { isOlder, type LogDatabase } from '../store/database.ts';

/** Orphaned rows: the table, the statement that counts them, and their description. */
type OrphanCheck = [table: string, sql: string, key: Extract<MessageKey, `integrity.orphans.${string}`>];

const evidenceOrphans: OrphanCheck[] = [
  [
    'personal',
    'SELECT count(*) FROM personal WHERE event NOT IN (SELECT seq FROM event)',
    'integrity.orphans.personal',
  ],
  [
    'payment',
    'SELECT count(*) FROM payment p WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.payment = p.id)',
    'integrity.orphans.payment',
  ],
  [
    'shape',
    'SELECT count(*) FROM shape WHERE id NOT IN (SELECT shape FROM event)',
    'integrity.orphans.shape',
  ],
];

const listOrphans: OrphanCheck[] = [
  [
    'listed',
    'SELECT count(*) FROM listed WHERE payment NOT IN (SELECT id FROM payment) OR facet NOT IN (SELECT id FROM facet)',
    'integrity.orphans.listed',
  ],
  [
    'payment_flag',
    'SELECT count(*) FROM payment_flag WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.flag',
  ],
  [
    'payment_id',
    'SELECT count(*) FROM payment_id WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.payment-id',
  ],
  [
    'movement',
    'SELECT count(*) FROM movement WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.movement',
  ],
  [
    'review',
    'SELECT count(*) FROM review WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.review',
  ],
  [
    'customer_key',
    'SELECT count(*) FROM customer_key WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.customer-key',
  ],
  [
    'customer_join',
    'SELECT count(*) FROM customer_join WHERE payment NOT IN (SELECT payment FROM listed)',
    'integrity.orphans.customer-join',
  ],
  [
    'word',
    `SELECT count(*) FROM word w LEFT JOIN listed l ON l.payment = w.payment
     WHERE l.payment IS NULL OR instr(l.words, ' ' || w.word || ' ') = 0`,
    'integrity.orphans.word',
  ],
  [
    'day',
    `SELECT count(*) FROM day WHERE low > high OR low NOT IN (SELECT payment FROM listed)
       OR high NOT IN (SELECT payment FROM listed)`,
    'integrity.orphans.day',
  ],
];

/** Finds orphaned rows. Throws SQLite errors. */
export const checkOrphans = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const checkOrphanKind = (kind: Problem['kind'], orphans: readonly OrphanCheck[]): void => {
    for (const [table, sql, key] of orphans) {
      const count = database.prepare<[], number>(sql).pluck().get() ?? 0;
      if (count > 0)
        reportProblem({ kind, at: { kind: 'table', name: table }, message: msg(key, { count }) });
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
  const wrong = (message: Message): void =>
    reportProblem({ kind: 'projection', at: { kind: 'table', name: 'projection' }, message });
  const rows = database.prepare<[], number>('SELECT through FROM projection').pluck().all();
  const [through = 0] = rows;
  const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck().get() ?? 0;
  const listed = database
    .prepare<[], number>(
      `SELECT 1 FROM listed WHERE payment = (SELECT min(id) FROM payment WHERE order_number IS NOT NULL)`,
    )
    .pluck()
    .get();
  if (rows.length !== 1) wrong(msg('integrity.progress.rows', { count: rows.length }));
  else if (through < 0 || through > last) wrong(msg('integrity.progress.beyond', { through, last }));
  else if (through < projected) wrong(msg('integrity.progress.behind', { before: projected, through }));
  else if (through === 0 && listed !== undefined) wrong(msg('integrity.progress.not-begun'));
};
