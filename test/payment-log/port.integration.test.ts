import { describe } from 'vitest';
import { callbackTypesTests } from './port/callback-types.ts';
import { countTests } from './port/count.ts';
import { customerTests } from './port/customers.ts';
import { eventPageTests } from './port/event-page.ts';
import { inquiryTests } from './port/inquiries.ts';
import { movedTests } from './port/moved.ts';
import { overviewTests } from './port/overview.ts';
import { queueTests } from './port/queue.ts';
import { recheckTests } from './port/recheck.ts';
import { reviewListTests } from './port/review-lists.ts';
import { searchTests } from './port/search.ts';
import { totalsTests } from './port/totals.ts';

/** What the payment log answers. */

describe('callback types', () => callbackTypesTests());
describe('count', () => countTests());
describe('customers', () => customerTests());
describe('pages of events', () => eventPageTests());
describe('inquiries', () => inquiryTests());
describe('movements', () => movedTests());
describe('the overview', () => overviewTests());
describe('the queue of payments to review', () => queueTests());
describe('the lists of the review page', () => reviewListTests());
describe('checks of paid payments', () => recheckTests());
describe('search', () => searchTests());
describe('totals', () => totalsTests());
