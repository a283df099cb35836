import { describe, expect, test } from 'vitest';
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
  idempotencyKey,
  lookUp,
  otherPayer,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationRequested,
  operationUnanswered,
} from '../../../tools/evidence/operation-evidence.ts';
import { tableOf } from '../../../tools/app-harness/table.ts';

/** Whether a payment still wants a look-up, when, and by which id: one table over the evidence. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const off: LookUpWishes = { automatic: false, watch: false, recheckDays: [], byOrder: true };
const automatic = { ...off, automatic: true };
const watch = { ...automatic, watch: true };
const wishes = {
  off,
  automatic,
  'by id': { ...automatic, byOrder: false },
  recheck: { ...off, recheckDays: [1, 7] },
};

/** The look-ups of a payment, each answered with `status` at once, in milliseconds after the start. */
const lookUpsOf = (
  drafts: readonly EventDraft[],
  wished: LookUpWishes,
  status: string,
  most = 8,
): [string, number][] => {
  const events = drafts.map(asEvent);
  const sent: [string, number][] = [];
  let now = Math.max(...events.map(({ happenedAt }) => happenedAt));
  while (sent.length < most) {
    const next = nextLookUp(reducePayment(events), lookUpEvidenceOf(events), wished, now);
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
const histories = {
  link,
  paid,
  refund: reported('refund'),
  'failed refund': reported('refund', 'fail'),
  void: reported('void'),
  reversal: reported('reversal'),
  chargeback: reported('chargeback'),
  capture: [
    ...link,
    callback(minute, 'sale', 'waiting'),
    operationRequested(minute, { operation: 'capture' }),
    callback(hour, 'capture', 'success'),
  ],
  unanswered: [...paid, operationRequested(hour), operationUnanswered(hour + second)],
  accepted: [...paid, operationRequested(hour), operationAnswered(hour + second)],
  ended: [
    ...paid,
    operationRequested(hour),
    operationAnswered(hour + second),
    callback(hour + minute, 'refund', 'success'),
  ],
  check: [...link, callback(minute, '3ds', 'success')],
  settled: [...paid, lookUp(2 * minute, 'settled')],
};

const units = { s: second, m: minute, h: hour, d: day };
/** Milliseconds of a sum such as `1h+15s`. */
const timeOf = (text: string): number =>
  text
    .split('+')
    .reduce((sum, part) => sum + Number(part.slice(0, -1)) * units[part.at(-1) as keyof typeof units], 0);

/** Statement | history | wishes | the answer to each look-up | the look-ups, each with its time after the start. */
const table = `
  a payment whose callback says paid is confirmed at once | paid | automatic | settled | confirm 1m+1.5s
  while the answer is not final it is asked for at growing intervals, for a day | paid | automatic | pending | confirm 1m+1.5s, confirm 1m+10s, confirm 1m+1m, confirm 1m+5m, stalled 1m+10m, stalled 1m+1h, stalled 1m+6h, stalled 1m+1d
  nothing is asked if the settings exclude it | paid | off | settled |
  a part that a callback reported cannot be proven: it is asked for until a week has passed | refund | off | settled | operation 1h+15s, operation 1h+1h, operation 1h+1d, operation 1h+7d
  a whole refund is proven by one look-up | refund | off | refund | operation 1h+15s
  a reported cancellation is proven by one look-up | void | off | void | operation 1h+15s
  a reported reversal is proven by one look-up | reversal | off | reversal | operation 1h+15s
  a reported chargeback is proven by one look-up | chargeback | off | chargeback | operation 1h+15s
  a collected amount is proven by one look-up, although only a callback reported it | capture | off | settled | operation 1h+15s
  a refund that a callback calls failed is asked for as well | failed refund | off | refund | operation 1h+15s
  an operation without an answer is asked for until it is proven | unanswered | off | refund | operation 1h+1s+15s
  an accepted operation without a result is asked for until a week has passed | accepted | off | pending | operation 1h+1s+15s, operation 1h+1s+1h, operation 1h+1s+1d, operation 1h+1s+7d
  an operation that a callback ended is asked for as well | ended | off | refund | operation 1h+1m+15s
  an open link is not asked for while callbacks come | link | automatic | prepare | expired 1h+5.5s
  a link that expired is asked for once | check | by id | 3ds | expired 1h+5.5s
  a link that expired is not asked for without a payment id, if the provider answers no order numbers | link | by id | prepare |
  a paid payment is asked for again on the chosen days | settled | recheck | settled | recheck 1m+1d, recheck 1m+7d`;

test.each(tableOf(table))('%s', (_, history, wished, status = '', sent = '') => {
  const drafts = histories[history as keyof typeof histories];
  expect(lookUpsOf(drafts, wishes[wished as keyof typeof wishes], status)).toEqual(
    sent.split(', ').flatMap(one => {
      const [reason = '', at = ''] = one.split(' ');
      return reason === '' ? [] : [[reason, timeOf(at)]];
    }),
  );
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

describe('an order of which nothing is paid', () => {
  const link2 = '0b8e5c1d-3e0a-4a43-9a55-9f1f0c1f2a02';
  const after = (drafts: readonly EventDraft[], wished: LookUpWishes, now = 2 * minute) => {
    const events = [...link, ...drafts].map(asEvent);
    return nextLookUp(reducePayment(events), lookUpEvidenceOf(events), wished, start + now);
  };
  const expired = { reason: 'expired', at: start + hour + 5_500, paymentId: null };

  test.each([
    ['decline', null],
    ['3ds', payer],
    ['redirect', payer],
  ])(
    'is asked for by its number at the end after an answer "%s", since another attempt has another id, until then about %s',
    (status, paymentId) => {
      const answered = [lookUp(minute, status)];
      expect(after(answered, watch)).toMatchObject({ reason: 'watch', paymentId });
      expect(after(answered, automatic)).toEqual(expired);
      expect(after(answered, { ...automatic, byOrder: false })).toEqual({ ...expired, paymentId: payer });
      expect(after([...answered, lookUp(hour + minute, status)], automatic, 2 * hour)?.reason).not.toBe(
        'expired',
      );
    },
  );

  test('is asked for although its link was withdrawn, since the gateway cannot cancel it', () => {
    const withdrawn = draft('link.withdrawn', 2 * minute, { idempotencyKey, reason: 'replaced', text: '' });
    expect(after([lookUp(minute, 'decline'), withdrawn], automatic, 3 * minute)).toEqual(expired);
  });

  test('is asked for by each id without a result as well, if there are several, once', () => {
    const pages = [payer, otherPayer].map((id, at) => callback(minute + at, 'redirect', 'success', { id }));
    const asked = [...pages, lookUp(hour + minute, 'prepare', { paymentId: otherPayer })];
    expect(after(asked, automatic, 2 * hour)).toEqual({ ...expired, paymentId: payer });
    const both = [...asked, lookUp(hour + 2 * minute, 'prepare')];
    expect(after(both, automatic, 2 * hour)).toBeNull();
  });

  test('is asked for as long as another link of a paid order can be paid', () => {
    const again = [requested(2, { idempotencyKey: link2 }), accepted(3, { idempotencyKey: link2 })];
    const once = [...again, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];
    expect(after(once, watch, 3 * minute)).toMatchObject({ reason: 'watch', paymentId: null });
    expect(after(once, automatic, 3 * minute)).toMatchObject({ reason: 'expired', paymentId: null });
  });
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
