import { afterAll, beforeAll, describe } from 'vitest';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { callbackTypesTests } from './port/callback-types.ts';
import { countTests } from './port/count.ts';
import { createPostgres } from './port/engine.ts';
import { eventPageTests } from './port/event-page.ts';
import { inquiryTests } from './port/inquiries.ts';
import { movedTests } from './port/moved.ts';
import { recheckTests } from './port/recheck.ts';
import { searchTests } from './port/search.ts';
import { totalsTests } from './port/totals.ts';

describe.skipIf(isPostgresMissing)('the port of the payment log: PostgreSQL (needs PostgreSQL)', () => {
  const engine = createPostgres();
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop());

  describe('callback types', () => callbackTypesTests(engine));
  describe('count', () => countTests(engine));
  describe('pages of events', () => eventPageTests(engine));
  describe('inquiries', () => inquiryTests(engine));
  describe('movements', () => movedTests(engine));
  describe('checks of paid payments', () => recheckTests(engine));
  describe('search', () => searchTests(engine));
  describe('totals', () => totalsTests(engine));
});
