import { msg } from '../../../shared/messages/message.ts';
import type { LogDatabase } from '../store/database.ts';
import { schemaDifferences } from '../store/schema-differences.ts';
import type { Problem } from './check-chain.ts';

/**
 * Reports every difference; a missing object that can be recreated counts as part of the projection. Throws SQLite
 * errors.
 */
export const checkSchema = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const { foreign, missing } = schemaDifferences(database);
  for (const { at, difference } of foreign)
    reportProblem({ kind: 'schema', at, message: msg(`integrity.schema.${difference}`) });
  for (const { at } of missing)
    reportProblem({
      kind: 'projection',
      at,
      message: msg('integrity.schema.recreated'),
    });
};
