import { describe } from 'vitest';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { createPostgres } from './port/engine.ts';
import { portTests } from './port/port.ts';

describe.skipIf(isPostgresMissing)('the port of the payment log: PostgreSQL (needs PostgreSQL)', () =>
  portTests(createPostgres()),
);
