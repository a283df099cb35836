import { msg } from '../../../../shared/messages/message.ts';
import type { LogDatabase } from '../store/database.ts';
import { schemaDifferences } from '../store/schema-differences.ts';
import type { Problem } from './check-chain.ts';

/**
 * Reports every difference; a missing index or trigger is created again at the next start. Throws SQLite
 * errors.
 */
export const checkSchema = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const { foreign, missing } = schemaDifferences(database);
  for (const { type, name, difference } of foreign)
    reportProblem({
      kind: 'schema',
      at: { kind: type, name },
      message: msg(`integrity.schema.${difference}`),
    });
  for (const { type, name } of missing)
    reportProblem({
      kind: 'index',
      at: { kind: type, name },
      message: msg('integrity.schema.recreated'),
    });
};
