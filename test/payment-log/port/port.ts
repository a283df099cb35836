import { afterAll, beforeAll, describe } from 'vitest';
import { callbackTypesTests } from './callback-types.ts';
import { countTests } from './count.ts';
import { customerTests } from './customers.ts';
import type { Engine } from './engine.ts';
import { eventPageTests } from './event-page.ts';
import { inquiryTests } from './inquiries.ts';
import { movedTests } from './moved.ts';
import { overviewTests } from './overview.ts';
import { queueTests } from './queue.ts';
import { recheckTests } from './recheck.ts';
import { reviewListTests } from './review-lists.ts';
import { searchTests } from './search.ts';
import { totalsTests } from './totals.ts';

/** The questions of the port, which every engine answers alike. */
export const portTests = (engine: Engine): void => {
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop());

  describe('callback types', () => callbackTypesTests(engine));
  describe('count', () => countTests(engine));
  describe('customers', () => customerTests(engine));
  describe('pages of events', () => eventPageTests(engine));
  describe('inquiries', () => inquiryTests(engine));
  describe('movements', () => movedTests(engine));
  describe('the overview', () => overviewTests(engine));
  describe('the queue of payments to review', () => queueTests(engine));
  describe('the lists of the review page', () => reviewListTests(engine));
  describe('checks of paid payments', () => recheckTests(engine));
  describe('search', () => searchTests(engine));
  describe('totals', () => totalsTests(engine));
};
