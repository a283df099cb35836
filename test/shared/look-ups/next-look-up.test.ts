import { expect, test } from 'vitest';
import { lookUpEvidenceOf, nextLookUp, type LookUpWishes } from '../../../shared/look-ups/next-look-up.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { reconcile } from '../../../shared/reports/reconcile.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  accepted,
  asEvent,
  callback,
  draft,
  lookUp,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationRequested,
  operationUnanswered,
} from '../../../tools/evidence/operation-evidence.ts';

/** Whether a payment still wants a look-up, when, and by which id: one table over the evidence. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const off: LookUpWishes = { automatic: false, watch: false, recheckDays: [], byOrder: true };
const automatic = { ...off, automatic: true };
const watch = { ...automatic, watch: true };

/** The look-ups of a payment, each answered with `status` at once, in milliseconds after the start. */
const lookUpsOf = (
  drafts: readonly EventDraft[],
  wishes: LookUpWishes,
  status: string,
  most = 8,
): [string, number][] => {
  const events = drafts.map(asEvent);
  const sent: [string, number][] = [];
  let now = Math.max(...events.map(({ happenedAt }) => happenedAt));
  while (sent.length < most) {
    const next = nextLookUp(reducePayment(events), lookUpEvidenceOf(events), wishes, now);
    if (next === null) break;
    now = Math.max(now, next.at);
    sent.push([next.reason, now - start]);
    events.push(asEvent(lookUp(now - start, status)));
  }
  return sent;
};

const link = [requested(), accepted()];
const paid = [...link, callback(minute, 'sale', 'success')];
const reported = (type: string, status = 'success') => [...paid, callback(hour, type, status)];
const after = (base: number, ...delays: number[]) => delays.map(delay => ['operation', base + delay]);

test.each([
  [
    'a payment whose callback says paid is confirmed at once',
    paid,
    automatic,
    'settled',
    [['confirm', minute + 1_500]],
  ],
  [
    'while the answer is not final it is asked for at growing intervals, for a day',
    paid,
    automatic,
    'pending',
    [1_500, 10_000, minute, 5 * minute, 10 * minute, hour, 6 * hour, day].map((delay, index) => [
      index < 4 ? 'confirm' : 'stalled',
      minute + delay,
    ]),
  ],
  ['nothing is asked if the settings exclude it', paid, off, 'settled', []],
  [
    'a part that a callback reported cannot be proven: it is asked for until a week has passed',
    reported('refund'),
    off,
    'settled',
    after(hour, 15 * second, hour, day, 7 * day),
  ],
  ['a whole refund is proven by one look-up', reported('refund'), off, 'refund', after(hour, 15 * second)],
  [
    'a reported cancellation is proven by one look-up',
    reported('void'),
    off,
    'void',
    after(hour, 15 * second),
  ],
  [
    'a reported reversal is proven by one look-up',
    reported('reversal'),
    off,
    'reversal',
    after(hour, 15 * second),
  ],
  [
    'a reported chargeback is proven by one look-up',
    reported('chargeback'),
    off,
    'chargeback',
    after(hour, 15 * second),
  ],
  [
    'a collected amount is proven by one look-up, although only a callback reported it',
    [
      ...link,
      callback(minute, 'sale', 'waiting'),
      operationRequested(minute, { operation: 'capture' }),
      callback(hour, 'capture', 'success'),
    ],
    off,
    'settled',
    after(hour, 15 * second),
  ],
  [
    'a refund that a callback calls failed is asked for as well',
    reported('refund', 'fail'),
    off,
    'refund',
    after(hour, 15 * second),
  ],
  [
    'an operation without an answer is asked for until it is proven',
    [...paid, operationRequested(hour), operationUnanswered(hour + second)],
    off,
    'refund',
    after(hour + second, 15 * second),
  ],
  [
    'an accepted operation without a result is asked for until a week has passed',
    [...paid, operationRequested(hour), operationAnswered(hour + second)],
    off,
    'pending',
    after(hour + second, 15 * second, hour, day, 7 * day),
  ],
  [
    'an operation that a callback ended is asked for as well',
    [
      ...paid,
      operationRequested(hour),
      operationAnswered(hour + second),
      callback(hour + minute, 'refund', 'success'),
    ],
    off,
    'refund',
    after(hour + minute, 15 * second),
  ],
  [
    'an open link is not asked for while callbacks come',
    link,
    automatic,
    'prepare',
    [['expired', hour + 5_500]],
  ],
  [
    'a link that expired is asked for once',
    [...link, callback(minute, '3ds', 'success')],
    { ...automatic, byOrder: false },
    '3ds',
    [['expired', hour + 5_500]],
  ],
  [
    'a link that expired is not asked for without a payment id, if the provider answers no order numbers',
    link,
    { ...automatic, byOrder: false },
    'prepare',
    [],
  ],
  [
    'a paid payment is asked for again on the chosen days',
    [...paid, lookUp(2 * minute, 'settled')],
    { ...off, recheckDays: [1, 7] },
    'settled',
    [
      ['recheck', minute + day],
      ['recheck', minute + 7 * day],
    ],
  ],
] as const)('%s', (_, drafts, wishes, status, expected) => {
  expect(lookUpsOf(drafts, wishes, status)).toEqual(expected);
});

test('an open link without callbacks is asked for after 20 seconds, then at growing pauses, and once after it expired', () => {
  const found = lookUpsOf(link, watch, 'prepare', 40);
  const times = found.map(([, at]) => (at - 500) / second);
  const pauses = times.map((at, index) => at - (times[index - 1] ?? 0));
  expect(times.slice(0, 5)).toEqual([20, 40, 60, 90, 135]);
  expect(pauses.slice(0, -1).toSorted((one, other) => one - other)).toEqual(pauses.slice(0, -1));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(600);
  expect(found.filter(([reason]) => reason === 'watch').length).toBeLessThan(16);
  expect(found.at(-1)).toEqual(['expired', hour + 5_500]);
});

test('a redirect without a sale is looked up by its payment id', () => {
  const events = [
    ...link,
    callback(minute, 'redirect', 'success'),
    callback(2 * minute, '3ds', 'success'),
  ].map(asEvent);
  const next = nextLookUp(reducePayment(events), lookUpEvidenceOf(events), automatic, start + 50 * minute);
  expect(next).toEqual({ reason: 'stalled', at: start + 2 * minute, paymentId: payer });
});

test('a look-up that a person asked for counts, one without an answer does not', () => {
  const next = (...more: EventDraft[]) => {
    const events = [...paid, ...more].map(asEvent);
    return nextLookUp(reducePayment(events), lookUpEvidenceOf(events), automatic, start + minute)?.at;
  };
  const failed = draft('status.observed', 2 * minute, {
    asked: { by: 'payment-id', value: payer },
    answers: [],
    problem: { code: 'gateway.timeout', message: 'no answer' },
    answer: null,
    requestedBy: 'person',
  });
  expect(next()).toBe(start + minute + 1_500);
  expect(next(failed)).toBe(start + minute + 1_500);
  expect(next(lookUp(2 * minute, 'pending'))).toBe(start + 6 * minute);
});

test('a charge without an answer is asked for by its order number, else by a known payment id, else a person is', () => {
  const charge = [
    operationRequested(0, {
      operation: 'recurring',
      charge: { firstPaymentId: payer, description: 'May', consent: 'by phone' },
    }),
    operationUnanswered(second),
  ];
  const next = (drafts: readonly EventDraft[], byOrder: boolean) => {
    const events = drafts.map(asEvent);
    return nextLookUp(reducePayment(events), lookUpEvidenceOf(events), { ...off, byOrder }, start);
  };
  expect(next(charge, true)).toEqual({ reason: 'operation', at: start + 16 * second, paymentId: null });
  expect(next(charge, false)).toBeNull();
  const causes = reconcile(rowOf(reducePayment(charge.map(asEvent))), start + 60 * minute).map(
    ({ cause }) => cause,
  );
  expect(causes).not.toEqual([]);
  const known = [...charge, callback(2 * second, 'recurring', 'waiting')];
  expect(next(known, false)).toMatchObject({ reason: 'operation', paymentId: payer });
});
