import { msg, type MessageKey } from '../../../../shared/messages/message.ts';
import type { LogDatabase } from '../store/database.ts';
import type { Problem } from './check-chain.ts';

/** Orphaned rows: the table, the statement that counts them, and their description. */
type OrphanCheck = [table: string, sql: string, key: Extract<MessageKey, `integrity.orphans.${string}`>];

const orphans: OrphanCheck[] = [
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

/** Finds orphaned rows. Throws SQLite errors. */
export const checkOrphans = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  for (const [table, sql, key] of orphans) {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0;
    if (count > 0)
      reportProblem({ kind: 'chain', at: { kind: 'table', name: table }, message: msg(key, { count }) });
  }
};
