import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import { nextLookUp } from '../../../shared/look-ups/next-look-up.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { reconcile } from '../../../shared/reports/reconcile.ts';
import {
  accepted,
  asEvent,
  callback,
  draft,
  hour,
  idempotencyKey,
  lookUp,
  order,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { operationRequested, operationUnanswered } from '../../../tools/evidence/operation-evidence.ts';
import { flag, flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';
import { booksOf, drafts, fatesOf, summary } from '../../../tools/evidence/evidence-line.ts';

/** The books of a payment: what an entry says, its day and its amount, and what a balance makes of the movements. */

const day = 24 * hour;
const other = { idempotencyKey: '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002' };

test('an entry has the day of the evidence that made it, and the date and references of the provider beside it', () => {
  const sale = callback(40 * day, 'sale', 'success', { date: '2026-10-31 23:59:00' });
  expect(reduce(...raised, sale, lookUp(41 * day, 'settled')).entries).toEqual([
    {
      kind: 'paid',
      at: start + 40 * day,
      amount: '123.40',
      currency: 'EUR',
      isCounter: false,
      paymentId: payer,
      rrn: '123456789012',
      approvalCode: 'A1B2C3',
      statedDate: '2026-10-31 23:59:00',
    },
  ]);
});

test('an entry of a counter-movement has the day on which it became known', () => {
  const payment = reduce(...drafts('sale =settled void =settled'));
  expect(payment.entries.map(({ at, isCounter }) => [(at - start) / minute, isCounter])).toEqual([
    [20, false],
    [60, false],
    [80, true],
  ]);
});

test('an entry of a cancellation that was reported before its payment has the currency of the payment', () => {
  for (const line of ['void sale', '=void sale', 'reversal =settled'])
    expect(reduce(...drafts(line)).entries.map(({ currency }) => currency)).not.toContain(null);
});

test('an entry stays when staff later create a link with another amount or another description', () => {
  const paid = drafts('sale =settled');
  const link = [
    requested(2 * hour, { ...other, amount: '50.00', description: 'Red chair' }),
    accepted(2 * hour + 1, other),
  ];
  const [before, after] = [reduce(...paid), reduce(...paid, ...link)];
  expect([after.entries, after.state, after.paidAt, after.flags.length]).toEqual([
    before.entries,
    'paid-confirmed',
    before.paidAt,
    1,
  ]);
  // The same where nothing had been requested here.
  const foreign = drafts('sale =settled', []);
  expect(reduce(...foreign, ...link).entries).toEqual(reduce(...foreign).entries);
});

test('an entry has the amount of the report, else of an answer, else of what was asked for', () => {
  const cameIn = (...drafts: EventDraft[]) => booksOf(reduce(...drafts));
  const of = (amount: string | null) => ({ order: { ...order, amount } });
  expect(cameIn(callback(1, 'sale', 'success', { order_amount: '123.400' }))).toBe('+123.400');
  expect(cameIn(...raised, lookUp(minute, 'settled', of(null)))).toBe('+123.40');
  expect(cameIn(lookUp(minute, 'settled', of(null)))).toBe('+?');
  expect(cameIn(lookUp(minute, 'refund'))).toBe('+123.40 -123.40');
  expect(cameIn(lookUp(minute, 'refund', of(null)))).toBe('+? -?');
});

test('a payment has the amount that came as its paid amount, and what was asked for beside it', () => {
  expect(reduce(...drafts('sale(126.00) =settled(126.00)'))).toMatchObject({
    amount: '123.40',
    paidAmount: '126.00',
    paidCurrency: 'EUR',
    attempts: [{ outcome: 'paid' }],
  });
});

const long = 'A blue chair with four legs & a cushion, delivered to your house';
test.each([
  ['escaped', long.replace('&', '&amp;')],
  ['in numeric escapes', long.replace('&', '&#38;')],
  ['with other white space', `  ${long.replaceAll(' ', '  ')}`],
  ['cut at its end', long.slice(0, 40)],
])('a description that comes back %s is the same', (_, theirs) => {
  const payment = reduce(
    requested(0, { description: long }),
    accepted(),
    callback(minute, 'sale', 'success', { order_description: theirs }),
    lookUp(hour, 'settled', { order: { ...order, description: theirs } }),
  );
  expect([payment.state, flagsOf(payment)]).toEqual(['paid-confirmed', []]);
});

test('a description of other words is flagged', () => {
  const sale = callback(minute, 'sale', 'success', { order_description: 'Green chair' });
  expect(flag(reduce(...raised, sale), 'description-differs')).toMatchObject({ theirs: 'Green chair' });
});

const held = [requested(0, { request: '{"auth":"Y","hash":"•••"}' }), accepted()];
test.each(['sale(status=pending)', '=pending', 'sale(status=pending) =pending'])(
  'money that is held first is in no book, and can be collected: %s',
  line => {
    const payment = reduce(...drafts(line, held));
    expect([booksOf(payment), payment.attempts.map(({ outcome }) => outcome)]).toEqual(['', ['held']]);
  },
);

test.each([
  ['sale(status=pending) capture!(100.00) >accepted capture', 'paid-unconfirmed | +100.00'],
  ['sale(status=pending) capture!(100.00) >accepted =settled(100.00)', 'paid-confirmed | +100.00'],
  ['sale(status=pending) =pending void', 'voided'],
])('money that is held first is paid when it is collected, with what was collected: %s', (line, expected) => {
  expect(summary(line, held).startsWith(expected)).toBe(true);
});

test.each([
  ['sale =settled refund!(20.00)', '20.00', '103.40'],
  ['sale =settled refund:waiting', '123.40', '0.00'],
  ['sale =settled void:waiting', '123.40', '0.00'],
  ['sale =settled refund!(20.00) >accepted refund', '0.00', '103.40'],
  ['sale =settled refund! >accepted =settled', '0.00', '123.40'],
])('what is on its way is not left, requested here or elsewhere: %s', (line, onTheWay, remaining) => {
  expect(balanceOf(reduce(...drafts(line)), payer)).toMatchObject({ onTheWay, remaining });
});

test('what is on its way for more than an hour is in the list of what is to be reviewed, by the clock alone', () => {
  const payment = reduce(...drafts('sale =settled refund!(20.00) >accepted'));
  expect(payment.pendingSince).toBe(start + 80 * minute);
  const causesAt = (minutes: number) =>
    reconcile(rowOf(payment), start + minutes * minute).map(({ cause }) => cause);
  expect(causesAt(139)).not.toContain('operation-overdue');
  expect(causesAt(141)).toContain('operation-overdue');
});

test('nothing is left once a look-up says that all went back, though two sizes are unknown', () => {
  expect(balanceOf(reduce(...drafts('sale =settled refund refund =refund')), payer)).toMatchObject({
    hasUnknownPart: false,
    remaining: '0.00',
  });
});

const link = drafts('sale =settled').map(asEvent);
const refund = (at: number) => ({
  ...asEvent(callback(at, 'refund', 'success', { date: 'R', rrn: 'R' })),
  writer: 'other',
  writerSeq: 1,
});
const asked = asEvent(operationRequested(hour, { amount: '10.00' }));

test('a callback that another installation received ends a request that is up to five seconds younger, as clocks differ', () => {
  expect(fatesOf(reducePayment([...link, asked, refund(hour - 4_000)]))).toBe(
    'paid proven, refund 10.00 reported',
  );
  expect(fatesOf(reducePayment([...link, asked, refund(hour - 6_000)]))).toBe(
    'paid proven, refund ? reported, refund 10.00 requested',
  );
});

test('a payment without an id is looked up by its order number', () => {
  const payment = reduce(...raised, callback(minute, 'sale', 'success', { id: '' }));
  expect(payment.movements).toMatchObject([{ kind: 'paid', paymentId: '' }]);
  expect(lookUpKeyOf(payment)).toEqual({ by: 'order-number', value: order.number });
  const wishes = { automatic: true, watch: true, recheckDays: [], byOrder: true };
  expect(nextLookUp(payment, { askedAt: null, observed: [] }, wishes, start + minute)?.paymentId).toBe(null);
});

test('what was carried out in the end has no reason of an earlier failure', () => {
  const answered = [operationRequested(hour), operationUnanswered(hour + 1_000)];
  const reasonsOf = (...later: EventDraft[]) =>
    reduce(...raised, callback(minute, 'sale', 'success'), ...answered, ...later).movements.map(
      ({ reason }) => reason,
    );
  expect(reasonsOf()[1]).toBeTruthy();
  expect(reasonsOf(lookUp(2 * hour, 'refund'))).toEqual([null, null]);
});

describe('links', () => {
  const minute = 60_000;
  const second = '0b1c7de0-58a7-4a0c-9f3c-3b4a55b2f002';
  const first: EventDraft[] = [requested(), accepted()];
  const again = (amount = order.amount): EventDraft[] => [
    requested(5 * minute, { idempotencyKey: second, amount }),
    accepted(5 * minute + 500, {
      idempotencyKey: second,
      link: 'https://pay.example/2',
      issuedAt: start + 5 * minute,
      expiresAt: start + 5 * minute + hour,
    }),
  ];
  const withdrawn = (at: number, key = idempotencyKey): EventDraft =>
    draft('link.withdrawn', at, { idempotencyKey: key, reason: 'replaced', text: '' });
  const recorded = (...drafts: EventDraft[]) =>
    drafts.map((event, index) => ({
      ...event,
      recordedAt: event.happenedAt,
      writer: 'w',
      writerSeq: index + 1,
    }));
  const reduce = (...drafts: EventDraft[]) => reducePayment(recorded(...drafts));
  const flags = (...drafts: EventDraft[]) => reduce(...drafts).flags.map(({ kind }) => kind);
  const paidAt = (at: number, amount = order.amount): EventDraft[] => [
    callback(at, 'sale', 'success', { order_amount: amount }),
    lookUp(at + minute, 'settled', { order: { ...order, amount } }),
  ];

  test('the links of an order have the values of their request and of their answer, by the time of issue', () => {
    const [one, other] = [
      requested(0, { amount: '1.00' }),
      requested(1, { idempotencyKey: second }, { agent: 'Grace' }),
    ];
    const [late, early] = [accepted(9), accepted(5, { idempotencyKey: second })];
    const text = draft('link.withdrawn', 20, { idempotencyKey: second, reason: 'other', text: 'Wrong shop' });
    const repeated = { ...text, id: crypto.randomUUID(), happenedAt: start + 30 };
    expect(reduce(one, other, early, late, text, repeated).links).toEqual([
      {
        idempotencyKey: second,
        amount: order.amount,
        issuedAt: start + 5,
        expiresAt: start + 5 + hour,
        agent: 'Grace',
        used: 'no',
        withdrawn: { at: start + 20, agent: 'Ada', reason: 'other', text: 'Wrong shop' },
      },
      {
        idempotencyKey,
        amount: '1.00',
        issuedAt: start + 9,
        expiresAt: start + 9 + hour,
        agent: 'Ada',
        used: 'no',
        withdrawn: null,
      },
    ]);
  });

  test.each([
    ['one payment before the second link', [5 * minute - 1], order.amount, ['yes', 'no']],
    ['one payment after it: no report names its link', [5 * minute], order.amount, ['perhaps', 'perhaps']],
    ['one payment of the second link’s own amount', [5 * minute], '60.00', ['no', 'yes']],
    ['a payment of each', [6 * minute, 7 * minute], order.amount, ['yes', 'yes']],
    [
      'a payment before the second link, and one after it',
      [minute, 7 * minute],
      order.amount,
      ['yes', 'yes'],
    ],
  ])('a link counts as paid only if no other can be meant: %s', (_, times, amount, expected) => {
    const payments = times.map((at, index) =>
      callback(at, 'sale', 'success', { id: `p-${index}`, order_amount: amount }),
    );
    const { links, linkUsable } = reduce(...first, ...again(amount), ...payments);
    expect(links.map(({ used }) => used)).toEqual(expected);
    expect(linkUsable).toBe(Math.max(...times) < 5 * minute);
  });

  test('a status check asks about the payment that is not proven yet, also if a newer link has an unpaid page', () => {
    const payment = reduce(
      ...first,
      ...again(),
      callback(6 * minute, 'sale', 'success', { id: 'paid' }),
      lookUp(7 * minute, 'prepare', { paymentId: 'unpaid' }),
    );
    expect(payment.paymentIds).toContain('unpaid');
    const evidence = { askedAt: null, observed: [] };
    const wishes = { automatic: true, watch: true, recheckDays: [], byOrder: true };
    expect([
      lookUpKeyOf(payment),
      lookUpKeyOf(rowOf(payment)),
      nextLookUp(payment, evidence, wishes, start + 7 * minute)?.paymentId,
    ]).toEqual([{ by: 'payment-id', value: 'paid' }, { by: 'payment-id', value: 'paid' }, 'paid']);
  });

  test('a withdrawn link is no longer shared, and the payment still waits until it expires', () => {
    const payment = reduce(...first, withdrawn(minute));
    expect(payment.linkUsable).toBe(false);
    expect(payment.state).toBe('waiting');
    expect(payment.links[0]?.withdrawn).toMatchObject({ reason: 'replaced', at: start + minute });
    expect(payment.flags).toEqual([]);
  });

  test('a withdrawn link raises an alarm when its amount is paid and the new link has another', () => {
    const kinds = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute));
    expect(kinds).toContain('paid-after-withdrawal');
    const other = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute, '60.00'));
    expect(other).not.toContain('paid-after-withdrawal');
  });

  test('a withdrawn link is flagged for a payment at the time of the withdrawal, and not for an earlier one', () => {
    const kindsAt = (at: number) => flags(...first, withdrawn(minute), ...paidAt(at));
    expect(kindsAt(minute)).toContain('paid-after-withdrawal');
    expect(kindsAt(minute - 1)).not.toContain('paid-after-withdrawal');
  });

  test('a withdrawn link is flagged with each withdrawal and the evidence of the payment', () => {
    const [one, other] = [withdrawn(minute), withdrawn(6 * minute, second)];
    const sale = callback(7 * minute, 'sale', 'success');
    expect(reduce(...first, ...again(), one, other, sale).flags).toContainEqual({
      kind: 'paid-after-withdrawal',
      values: { paymentId: payer },
      events: [one.id, other.id, sale.id].toSorted(),
    });
  });

  test('a withdrawn link is not flagged while another link is open, until that expires', () => {
    const kindsAt = (at: number) =>
      flags(...first, withdrawn(minute), ...again(), callback(at, 'sale', 'success'));
    expect(kindsAt(5 * minute)).not.toContain('paid-after-withdrawal');
    expect(kindsAt(5 * minute + hour - 1)).not.toContain('paid-after-withdrawal');
    expect(kindsAt(5 * minute + hour)).toContain('paid-after-withdrawal');
    // The new link was not issued yet.
    expect(kindsAt(5 * minute - 1)).toContain('paid-after-withdrawal');
  });
});
