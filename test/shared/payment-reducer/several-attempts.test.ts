import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  accepted,
  callback,
  hour,
  invalid,
  lookUp,
  order,
  otherPayer,
  payer,
  refusedSession,
  requested,
  start,
  unanswered,
  verified,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import { flag, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** Several payment ids of one order: which one counts, and what a new link changes. */

/** Evidence of one payment id with this state, from one callback or look-up at `at` and what it needs. */
const withState: Record<string, (at: number, id: string) => readonly EventDraft[]> = {
  chargeback: (at, id) => [callback(at, 'chargeback', 'success', { id })],
  'needs-attention': (at, id) => [callback(at, 'sale', 'success', { id, order_amount: '1.00' })],
  'paid-confirmed': (at, id) => [
    callback(at, 'sale', 'success', { id }),
    lookUp(at, 'settled', { paymentId: id }),
  ],
  'paid-unconfirmed': (at, id) => [callback(at, 'sale', 'success', { id })],
  'refund-seen': (at, id) => [callback(at, 'refund', 'success', { id })],
  'part-refunded': (at, id) => [
    withRefundedAmount(callback(at, 'refund', 'success', { id, order_amount: '1.00' })),
  ],
  refunded: (at, id) => [lookUp(at, 'refund', { paymentId: id })],
  'outcome-unknown': (at, id) => [callback(at, 'sale', 'undefined', { id })],
  declined: (at, id) => [callback(at, 'sale', 'fail', { id })],
  voided: (at, id) => [callback(at, 'void', 'success', { id })],
  reversed: (at, id) => [callback(at, 'reversal', 'success', { id })],
  processing: (at, id) => [callback(at, 'sale', 'waiting', { id })],
  'bank-check': (at, id) => [callback(at, '3ds', 'success', { id })],
  started: (at, id) => [lookUp(at, 'redirect', { paymentId: id })],
};
const states = Object.keys(withState);
const evidenceOf = (state: string, at: number, id: string): readonly EventDraft[] =>
  withState[state]?.(at, id) ?? [];
/** From here on the latest counts. */
const firstEqual = states.indexOf('declined');
const pairs = states.flatMap((graver, index) =>
  states.slice(index + 1).map(other => ({ graver, other, isEqual: index >= firstEqual })),
);

test.each(pairs.filter(({ isEqual }) => !isEqual))(
  'of two payments of one order $graver counts, not $other, in either order',
  ({ graver, other }) => {
    for (const [at, otherAt] of [
      [minute, hour],
      [hour, minute],
    ] as const)
      expect(
        reduce(...raised, ...evidenceOf(graver, at, payer), ...evidenceOf(other, otherAt, otherPayer)),
      ).toMatchObject({ state: graver, since: start + at });
  },
);

test.each(pairs.filter(({ isEqual }) => isEqual))(
  'of two payments of one order the later one of $graver and $other counts',
  ({ graver, other }) => {
    for (const [earlier, later] of [
      [graver, other],
      [other, graver],
    ] as const)
      expect(
        reduce(...raised, ...evidenceOf(earlier, minute, payer), ...evidenceOf(later, hour, otherPayer))
          .state,
      ).toBe(later);
  },
);

test.each(['declined', 'voided', 'reversed'])(
  'of two payments of one order one whose refund failed counts, not one that was %s while the other was pending',
  state => {
    const pending = [lookUp(minute, 'pending'), callback(3 * minute, 'sale', 'waiting')];
    const before = [...raised, ...pending, ...evidenceOf(state, 2 * minute, otherPayer)];
    expect(reduce(...before).state).toBe('processing');
    for (const [type, status] of [
      ['refund', 'fail'],
      ['void', 'waiting'],
    ] as const)
      expect(reduce(...before, callback(hour, type, status)).state).toBe('outcome-unknown');
  },
);

test('of two payments of one order the first id counts if nothing else distinguishes them', () => {
  for (const reasons of [
    { [payer]: 'a', [otherPayer]: 'b' },
    { [payer]: 'b', [otherPayer]: 'a' },
  ]) {
    const drafts = Object.entries(reasons).map(([id, reason]) =>
      callback(minute, 'sale', 'fail', { id, reason, customer_name: reason }),
    );
    for (const evidence of [drafts, drafts.toReversed()]) {
      const payment = reduce(...raised, ...evidence);
      expect(payment.reason).toBe(reasons[payer]);
      expect(payment.attempts.map(({ paymentId }) => paymentId)).toEqual([payer, otherPayer]);
    }
  }
});

test('the attempts of an order are listed by their first evidence, from any source', () => {
  const looked = lookUp(minute, 'decline', { paymentId: otherPayer });
  const failed = callback(hour, 'sale', 'fail', { id: payer });
  expect(reduce(...raised, failed, looked).attempts.map(({ paymentId }) => paymentId)).toEqual([
    otherPayer,
    payer,
  ]);
});

test('two settled payments of one order are flagged, with the evidence of each', () => {
  const sales = [payer, otherPayer].map((id, index) =>
    callback(minute * (index + 1), 'sale', 'success', { id }),
  );
  expect(reduce(...raised, ...sales).flags).toEqual([
    {
      kind: 'settled-twice',
      values: { paymentIds: `${payer} ${otherPayer}` },
      events: sales.map(({ id }) => id).toSorted(),
    },
  ]);
});

test('of two payments of one order the card of the one that counts is shown, otherwise the last known card', () => {
  const check = (at: number, id: string, card: string): EventDraft =>
    callback(at, '3ds', 'success', { id, card });
  const checks = [check(1, payer, '1111'), check(2, otherPayer, '2222')];
  const paid = (card: string): EventDraft => callback(hour, 'sale', 'success', { card, id: otherPayer });
  expect(reduce(...raised, ...checks).cardLast4).toBe('2222');
  expect(reduce(...raised, check(1, payer, '1111'), paid('')).cardLast4).toBe('1111');
  expect(reduce(...raised, check(1, payer, '1111'), paid('3333')).cardLast4).toBe('3333');
  const third = 'c0ffee00-7b50-11f0-8f3a-0242ac120002';
  const settled = lookUp(hour, 'settled', { paymentId: third });
  expect(reduce(...raised, ...checks, settled).cardLast4).toBe('2222');
  expect(reduce(...raised, settled).cardLast4).toBeNull();
});

test('a failed sale is an attempt: the link stays valid, and another id may still settle', () => {
  const failed = callback(minute, 'sale', 'fail', { reason: 'Declined' });
  expect(reduce(...raised, failed)).toMatchObject({
    state: 'declined',
    reason: 'Declined',
    linkUsable: true,
  });
  const settled = reduce(...raised, failed, callback(hour, 'sale', 'success', { id: otherPayer }));
  expect([settled.state, settled.attempts.map(({ outcome }) => outcome), settled.flags]).toEqual([
    'paid-unconfirmed',
    ['declined', 'paid'],
    [],
  ]);
});

const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
const isRestarted = ['started', 'bank-check', 'declined', 'voided', 'reversed'];
const request = requested(hour, { idempotencyKey });

test.each(states)('a new link after the state %s starts the order again only if no money moves', state => {
  const before = [...raised, ...evidenceOf(state, minute, payer)];
  const link = accepted(hour + 1, { idempotencyKey });
  const restarted = isRestarted.includes(state);
  expect(reduce(...before, request, link).state).toBe(restarted ? 'waiting' : state);
  expect(reduce(...before, request).state).toBe(restarted ? 'outcome-unknown' : state);
  expect(reduce(...before, request, refusedSession(hour + 1, { idempotencyKey })).state).toBe(state);
});

test('a new link that is as old as the decline does not replace it', () => {
  expect(reduce(requested(), accepted(minute), callback(minute, 'sale', 'fail')).state).toBe('declined');
});

test('a new link is usable although an earlier payment of the order was paid before it was issued', () => {
  const sale = callback(minute, 'sale', 'success');
  const issued = (at: number) =>
    reduce(...raised, sale, request, accepted(hour, { idempotencyKey, issuedAt: start + at }));
  expect(issued(minute + 1).linkUsable).toBe(true);
  expect(issued(minute).linkUsable).toBe(false);
});

test('a new link that was issued by the gateway, though its answer is missing, leaves the outcome unknown', () => {
  const redirect = callback(minute, 'redirect', 'success');
  expect(reduce(requested(), redirect).state).toBe('outcome-unknown');
  expect(reduce(requested(), unanswered(), redirect).state).toBe('outcome-unknown');
  // A refused request, or none, issued no link: another system did.
  expect(reduce(requested(), refusedSession(), redirect).state).toBe('started');
  expect(reduce(redirect).state).toBe('started');
});

const nameless = (at: number, status: string, paymentId: string | null = null): EventDraft => {
  const one = lookUp(at, status, { paymentId });
  return { ...one, body: { ...one.body, asked: { by: 'order-number', value: order.number } } };
};
const sale = (id: string): EventDraft => callback(minute, 'sale', 'success', { id });

test.each([null, ''])('evidence without a payment id belongs to the only payment of the order', paymentId => {
  const payment = reduce(...raised, sale(payer), nameless(hour, 'settled', paymentId));
  expect(payment.paymentIds).toEqual([payer]);
  expect(payment.state).toBe('paid-confirmed');
});

test('evidence without a payment id belongs to the latest payment, and is no attempt alone', () => {
  const payment = reduce(...raised, callback(1, 'sale', 'fail'), sale(otherPayer), nameless(hour, 'settled'));
  expect(payment.state).toBe('paid-confirmed');
  expect(payment.attempts.map(({ paymentId }) => paymentId)).toEqual([payer, otherPayer]);
  const alone = reduce(...raised, nameless(hour, 'settled'));
  expect(alone).toMatchObject({ state: 'paid-confirmed', attempts: [], paymentIds: [] });
});

const typed = { name: 'Maria', email: 'maria@example.com' };
const named = (at: number, name: string, email: string, isTrusted = true): EventDraft =>
  callback(
    at,
    '3ds',
    'success',
    { customer_name: name, customer_email: email },
    isTrusted ? verified : invalid,
  );
const customerOf = (...drafts: readonly EventDraft[]) => {
  const { customer, customerFrom } = reduce(...drafts);
  return { customer, customerFrom };
};

test('the customer is the last one that we sent, else that of the last look-up, else that of the last trusted callback', () => {
  const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
  const requests = [
    requested(0, { customer: { name: 'Old' } }),
    requested(1, { idempotencyKey, customer: typed }),
  ];
  const third = requested(2, { idempotencyKey: '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f003' });
  const answers = [
    lookUp(3, 'prepare', { customer: { name: 'Old' } }),
    lookUp(4, 'prepare', { customer: { name: 'New' } }),
    lookUp(5, 'prepare', { customer: null }),
  ];
  const callbacks = [
    named(6, 'A', 'a@example.com'),
    named(7, 'B', 'b@example.com'),
    named(8, 'C', '', false),
  ];
  expect(customerOf(...requests, third, ...answers, ...callbacks)).toEqual({
    customer: typed,
    customerFrom: 'request',
  });
  expect(customerOf(third, ...answers, ...callbacks)).toEqual({
    customer: { name: 'New' },
    customerFrom: 'look-up',
  });
  expect(customerOf(third, ...callbacks)).toEqual({
    customer: { name: 'B', email: 'b@example.com' },
    customerFrom: 'callback',
  });
});

test.each([
  ['A', '', { name: 'A' }],
  ['', 'a@example.com', { email: 'a@example.com' }],
])('the customer of a callback has the parts that it names: %s %s', (name, email, customer) => {
  expect(customerOf(named(0, 'Old', 'old@example.com'), named(1, name, email), named(2, '', 'null'))).toEqual(
    {
      customer,
      customerFrom: 'callback',
    },
  );
});

test('the customer is unknown if nothing names one', () => {
  expect(customerOf(named(0, '', ''))).toEqual({ customer: null, customerFrom: null });
});

const differencesOf = (...drafts: readonly EventDraft[]) =>
  reduce(...raised, ...drafts)
    .flags.filter(({ kind }) => kind.endsWith('-differs'))
    .map(({ kind, values, events }) => ({ kind, values, events }));

test.each([
  ['amount', 'order_amount', '1.00', order.amount],
  ['currency', 'order_currency', 'USD', order.currency],
  ['description', 'order_description', 'Green chair', order.description],
])(
  'a difference from the request in the %s is flagged with both values and its source',
  (field, name, theirs, ours) => {
    for (const [verification, source] of [
      [verified, 'callback'],
      [invalid, 'callback, not verified'],
    ] as const) {
      const sale = callback(minute, 'sale', 'success', { [name]: theirs }, verification);
      const values = { field, ours, theirs, source };
      expect(differencesOf(sale)).toEqual([{ kind: `${field}-differs`, values, events: [sale.id] }]);
    }
    const looked = lookUp(minute, 'settled', { order: { ...order, [field]: theirs } });
    const values = { field, ours, theirs, source: 'look-up' };
    expect(differencesOf(looked)).toEqual([{ kind: `${field}-differs`, values, events: [looked.id] }]);
    // An answer may leave a field out; a callback may not.
    expect(differencesOf(lookUp(minute, 'settled', { order: { ...order, [field]: null } }))).toEqual([]);
    if (field !== 'description')
      expect(differencesOf(callback(minute, 'sale', 'success', { [name]: '' }))).toMatchObject([
        { values: { field, ours, theirs: '' } },
      ]);
  },
);

test.each([
  ['a part of the amount', { order_amount: '23.40' }, []],
  ['a part, in small letters', { order_amount: '23.40', order_currency: 'eur' }, []],
  ['more than the amount', { order_amount: '200.00' }, ['amount']],
  ['no amount', { order_amount: '' }, ['amount']],
  ['what is not an amount', { order_amount: 'ten' }, ['amount']],
  ['a part in another currency', { order_amount: '23.40', order_currency: 'USD' }, ['amount', 'currency']],
])(
  'a difference from the request of a refund is allowed only for a smaller amount: %s',
  (_, fields, differing) => {
    const refund = callback(minute, 'refund', 'success', fields);
    expect(differencesOf(refund).map(({ values }) => values['field'])).toEqual(differing);
  },
);

test('a difference from the request in our own amount, if it is no decimal, is flagged for a refund too', () => {
  const odd = [requested(0, { amount: 'ten' }), accepted()];
  const refund = callback(minute, 'refund', 'success', { order_amount: '1.00' });
  expect(flag(reduce(...odd, refund), 'amount-differs')).toMatchObject({ ours: 'ten', theirs: '1.00' });
});

test('the series of an order is that of its first attempt that names one', () => {
  const scheduled = (at: number, id: string, first: string): EventDraft =>
    callback(at, 'sale', 'success', { id, recurring_init_trans_id: first });
  const third = 'c0ffee00-7b50-11f0-8f3a-0242ac120002';
  const payment = reduce(
    ...raised,
    callback(1, 'sale', 'fail', { id: third }),
    scheduled(2, payer, payer),
    scheduled(3, otherPayer, otherPayer),
  );
  expect(payment.series).toEqual({ firstPaymentId: payer });
});
