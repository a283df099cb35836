import { chainsSchema } from './0001-chains.ts';
import { peopleSchema } from './0003-people.ts';
import { desksSchema } from './0004-desks.ts';
import { headsSchema } from './0005-heads.ts';
import { noListSchema } from './0006-no-list.ts';
import { limitsSchema } from './0007-limits.ts';
import { independenceSchema } from './0008-independence.ts';
import { viewsSchema } from './0009-views.ts';
import { operationsSchema } from './0010-operations.ts';

/** The schema versions and what creates each one, in order. Version 2 was a list that version 6 removes. */
export const schemaVersions: readonly { version: number; sql: string }[] = [
  { version: 1, sql: chainsSchema },
  { version: 3, sql: peopleSchema },
  { version: 4, sql: desksSchema },
  { version: 5, sql: headsSchema },
  { version: 6, sql: noListSchema },
  { version: 7, sql: limitsSchema },
  { version: 8, sql: independenceSchema },
  { version: 9, sql: viewsSchema },
  { version: 10, sql: operationsSchema },
];

/** The schema version that this program knows. */
export const knownVersion = 10;

/**
 * The lowest schema version of a shared log with which a console of this program works: it ships, lists and shares people.
 * Before version 4 it does not show who else looks at a payment, and before version 5 its signed heads have no copy there,
 * and before version 9 saved views are those of each console. Operations after the payment need version 10.
 */
export const neededVersion = 3;
