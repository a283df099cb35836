import { msg } from '../../../../shared/messages/message.ts';
import type { LogDatabase } from '../store/database.ts';
import { schemaDifferences } from '../store/schema-differences.ts';
import type { Problem } from './check-chain.ts';

/**
 * Reports every difference; a missing object that can be recreated counts as part of the projection. Throws SQLite
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
      kind: 'projection',
      at: { kind: type, name },
      message: msg('integrity.schema.recreated'),
    });
};
