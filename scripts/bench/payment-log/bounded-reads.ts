import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { paymentFilterSchema, type PaymentFilter } from '../../../shared/contract/contract.ts';
import { reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { reviewLists } from '../../../shared/review/review.ts';
import { percentile } from '../../load/percentile.ts';
import { atMost, type Row } from '../measure.ts';

/** Reads with a fixed limit, however large the log is: the review page, and the foot of the list. */

/** Limit of one read: the window shows the answer before anyone notices the wait. */
const limitMs = 50;
const rounds = 8;
/** Rows of a page to review, and pages of each list. */
const reviewRows = 200;
const pages = 3;
const profiles = ['hotel', null];
const day = 86_400_000;

/** Asks each question a few times and once before; milliseconds of all answers. */
const timesOf = async (questions: readonly (() => Promise<unknown>)[]): Promise<number[]> => {
  const times: number[] = [];
  for (const question of questions) {
    for (let round = -1; round < rounds; round += 1) {
      const startedAt = performance.now();
      await question();
      if (round >= 0) times.push(performance.now() - startedAt);
    }
  }
  return times;
};

/** The first pages of every list and of every cause. */
const reviewQuestions = async (log: PaymentLog): Promise<(() => Promise<unknown>)[]> => {
  const questions: (() => Promise<unknown>)[] = [];
  for (const profile of profiles) {
    for (const list of reviewLists) {
      let cursor: string | null = null;
      for (let page = 0; page < pages; page += 1) {
        const from: string | null = cursor;
        const read = (): Promise<{ next: string | null }> =>
          log.reconcile(profile, null, from, reviewRows, { list, agent: 'Ada' });
        questions.push(read);
        cursor = (await read()).next;
        if (cursor === null) break;
      }
    }
    for (const cause of reconciliationCauses)
      questions.push(() => log.reconcile(profile, cause, null, reviewRows, { list: 'all', agent: 'Ada' }));
  }
  return questions;
};

const footFilters = (lastAt: number): Partial<PaymentFilter>[] => [
  {},
  { profileId: 'hotel' },
  { states: ['declined'] },
  { states: ['chargeback'] },
  { from: lastAt - 30 * day, until: lastAt },
  { from: lastAt - 90 * day, agent: 'Ada' },
  { flags: ['sources-disagree'] },
  { words: 'nowak' },
  { words: 'zebra' },
  { words: 'qq' },
  { words: 'bicycle', currency: 'SEK', states: ['declined'] },
];

/** Rows for an open log of payments.ts; `lastAt`: milliseconds at which its last payment was created. */
export const boundedReads = async (log: PaymentLog, lastAt: number, of: string): Promise<Row[]> => {
  const review = await timesOf(await reviewQuestions(log));
  const foot = await timesOf(
    footFilters(lastAt).map(filter => () => log.totals(paymentFilterSchema.parse(filter))),
  );
  return [
    atMost(`a page to review ${of}, p95 / ${limitMs} (ms)`, percentile(review, 0.95), limitMs, 1),
    atMost(`count and sums below the list ${of}, p95 / ${limitMs} (ms)`, percentile(foot, 0.95), limitMs, 1),
  ];
};
