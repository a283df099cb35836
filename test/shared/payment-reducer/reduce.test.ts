import { describe, expect, test } from 'vitest';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import type { FlagKind, Payment } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  draft,
  hour,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  refusedSession,
  invalid,
  requested,
  start,
  unanswered,
  verified,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';

const reduce = (...drafts: EventDraft[]): Payment => reducePayment(drafts.map(asEvent));
const raised = [requested(), accepted()];
const minute = 60_000;
const flagsOf = (payment: Payment): FlagKind[] => payment.flags.map(({ kind }) => kind);
const flag = (payment: Payment, kind: FlagKind): Record<string, string> | undefined =>
  payment.flags.find(one => one.kind === kind)?.values;

describe('requests without further evidence', () => {
  test('a request without an answer has an unknown outcome, never an assumed one', () => {
    expect(reduce(requested())).toMatchObject({
      state: 'outcome-unknown',
      basis: { kind: 'silence' },
      linkUsable: false,
    });
    expect(reduce(requested(), unanswered())).toMatchObject({
      state: 'outcome-unknown',
      since: start + 20_000,
    });
  });

  test('an accepted request waits for the customer until its link expires', () => {
    const payment = reduce(...raised);
    expect(payment).toMatchObject({
      state: 'waiting',
      since: start + 500,
      linkUsable: true,
      raisedHere: true,
      agent: 'Ada',
      basis: { kind: 'acceptance' },
    });
    const row = { state: payment.state, expiresAt: payment.link?.expiresAt ?? null };
    expect(stateAt(row, start + 500 + hour - 1)).toBe('waiting');
    expect(stateAt(row, start + 500 + hour)).toBe('expired');
  });

  test('a refused request has no link, and shows why', () => {
    expect(reduce(requested(), refusedSession())).toMatchObject({
      state: 'refused',
      reason: 'Your provider rejected the request.',
      link: null,
    });
  });

  test('a refusal does not hide an earlier link that is still valid', () => {
    const second = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const payment = reduce(
      ...raised,
      requested(minute, { idempotencyKey: second }),
      refusedSession(2 * minute, { idempotencyKey: second }),
    );
    expect(payment).toMatchObject({ state: 'waiting', linkUsable: true });
    expect(flagsOf(payment)).toEqual([]);
  });

  test('an unanswered request is settled by a callback or a look-up', () => {
    expect(reduce(requested(), unanswered(), lookUp(minute, 'prepare')).state).toBe('started');
    expect(reduce(requested(), unanswered(), callback(minute, '3ds', 'success')).state).toBe('bank-check');
    expect(reduce(requested(), unanswered(), callback(minute, 'sale', 'success')).state).toBe(
      'paid-unconfirmed',
    );
  });

  test('an order created twice is one payment with its latest link, and the second creation is flagged', () => {
    const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const payment = reduce(
      ...raised,
      requested(2 * hour, { idempotencyKey }),
      accepted(2 * hour + 500, { idempotencyKey, link: 'https://pay.example/auth/second' }),
    );
    expect(payment).toMatchObject({ state: 'waiting', link: { url: 'https://pay.example/auth/second' } });
    expect(flag(payment, 'raised-twice')).toEqual({ times: '2' });
  });

  test('a new link after a decline waits again', () => {
    const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const declined = [...raised, callback(minute, 'sale', 'fail')];
    expect(reduce(...declined).state).toBe('declined');
    const fresh = [requested(2 * hour, { idempotencyKey }), accepted(2 * hour + 500, { idempotencyKey })];
    expect(reduce(...declined, ...fresh)).toMatchObject({ state: 'waiting', linkUsable: true });
  });
});

describe('the grades of paid', () => {
  test('a verified sale + success that agrees with our record is paid by callback, not yet confirmed', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'success'));
    expect(payment).toMatchObject({
      state: 'paid-unconfirmed',
      since: start + minute,
      basis: { kind: 'callback', at: start + minute, verified: true },
      linkUsable: false,
      cardLast4: '1111',
      flags: [],
    });
    expect(payment.attempts).toMatchObject([{ paymentId: payer, outcome: 'paid', rrn: '123456789012' }]);
  });

  test('a look-up with settled confirms it, in either order', () => {
    const sale = callback(minute, 'sale', 'success');
    expect(reduce(...raised, sale, lookUp(2 * minute, 'settled'))).toMatchObject({
      state: 'paid-confirmed',
      since: start + 2 * minute,
      basis: { kind: 'callback', at: start + minute },
      flags: [],
    });
    expect(reduce(...raised, lookUp(30_000, 'settled'), sale)).toMatchObject({
      state: 'paid-confirmed',
      since: start + minute,
    });
  });

  test('another look-up does not change the time of confirmation', () => {
    const events = [...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];
    expect(reduce(...events, lookUp(hour, 'settled')).since).toBe(start + 2 * minute);
  });

  test('a settled look-up alone is paid, not confirmed, and the basis is the look-up', () => {
    expect(reduce(...raised, lookUp(minute, 'settled'))).toMatchObject({
      state: 'paid-unconfirmed',
      basis: { kind: 'look-up' },
      linkUsable: false,
    });
  });

  test('a settled look-up of another payment id confirms nothing', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success'),
      lookUp(2 * minute, 'settled', { paymentId: otherPayer }),
    );
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flagsOf(payment)).toContain('settled-twice');
  });

  test.each([
    ['redirect', 'success', 'waiting'],
    ['3ds', 'success', 'bank-check'],
    ['sale', 'waiting', 'processing'],
    ['sale', 'fail', 'declined'],
    ['refund', 'success', 'refund-seen'],
    ['refund', 'fail', 'outcome-unknown'],
    ['refund', 'waiting', 'outcome-unknown'],
    ['void', 'success', 'voided'],
    ['void', 'fail', 'outcome-unknown'],
    ['void', 'waiting', 'outcome-unknown'],
    ['recurring', 'success', 'outcome-unknown'],
    ['recurring', 'fail', 'declined'],
    ['recurring', 'waiting', 'processing'],
    ['chargeback', 'success', 'chargeback'],
    ['capture', 'success', 'outcome-unknown'],
    ['transfer', 'success', 'outcome-unknown'],
    ['reversal', 'success', 'reversed'],
    ['sale', 'undefined', 'outcome-unknown'],
    ['sale', 'SUCCESS', 'outcome-unknown'],
    ['', '', 'outcome-unknown'],
  ] as const)('%s + %s is not paid: %s', (type, status, state) => {
    expect(reduce(...raised, callback(minute, type, status)).state).toBe(state);
  });

  test.each([
    ['prepare', 'started'],
    ['pending', 'processing'],
    ['3ds', 'bank-check'],
    ['redirect', 'started'],
    ['settled', 'paid-unconfirmed'],
    ['decline', 'declined'],
    ['refund', 'refunded'],
    ['reversal', 'reversed'],
    ['chargeback', 'chargeback'],
    ['void', 'voided'],
    ['something new', 'outcome-unknown'],
  ] as const)('a look-up with %s alone is %s', (status, state) => {
    expect(reduce(...raised, lookUp(minute, status)).state).toBe(state);
  });

  test('values outside the interface are flagged as received', () => {
    expect(flag(reduce(...raised, callback(minute, 'capture', 'success')), 'outside-interface')).toEqual({
      field: 'type',
      theirs: 'capture',
    });
    expect(flag(reduce(...raised, lookUp(minute, 'void')), 'outside-interface')).toEqual({
      field: 'status',
      theirs: 'void',
    });
    expect(flag(reduce(...raised, callback(minute, '3ds', 'fail')), 'contradicts-interface')).toBeDefined();
  });
});

describe('the time of payment', () => {
  const sale = callback(minute, 'sale', 'success');
  test('is that of the first report of money, with any later evidence', () => {
    for (const later of [
      [],
      [lookUp(2 * minute, 'settled')],
      [callback(3 * minute, 'refund', 'success')],
      [callback(3 * minute, 'chargeback', 'success')],
    ])
      expect(reduce(...raised, sale, ...later).paidAt).toBe(start + minute);
  });

  test('is null if no money came in, or if it is unknown', () => {
    for (const told of [
      [],
      [callback(minute, 'sale', 'fail')],
      [sale, lookUp(2 * minute, 'decline')],
      [callback(minute, 'void', 'success')],
    ])
      expect(reduce(...raised, ...told).paidAt).toBeNull();
  });
});

describe('conflicts between sources', () => {
  test('a callback with paid and a look-up with declined need attention', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'decline'));
    expect(payment.state).toBe('needs-attention');
    expect(flag(payment, 'sources-disagree')).toMatchObject({
      ours: 'paid-unconfirmed',
      theirs: 'declined',
    });
  });

  test('a callback with failed and a look-up of the same id with settled need attention', () => {
    expect(reduce(...raised, callback(minute, 'sale', 'fail'), lookUp(2 * minute, 'settled')).state).toBe(
      'needs-attention',
    );
  });

  test('a look-up that is still pending after the callback is flagged, and the payment stays unconfirmed', () => {
    const sale = callback(minute, 'sale', 'success');
    const later = reduce(...raised, sale, lookUp(2 * minute, 'pending'));
    expect(later.state).toBe('paid-unconfirmed');
    expect(flagsOf(later)).toEqual(['sources-disagree']);
    expect(flagsOf(reduce(...raised, lookUp(30_000, 'pending'), sale))).toEqual([]);
  });

  test('only the latest look-up counts', () => {
    const events = [...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'pending')];
    expect(reduce(...events, lookUp(3 * minute, 'settled'))).toMatchObject({
      state: 'paid-confirmed',
      flags: [],
    });
  });

  test('another amount is shown with both values, and the payment is not paid', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'success', { order_amount: '1.23' }));
    expect(payment.state).toBe('needs-attention');
    expect(flag(payment, 'amount-differs')).toMatchObject({
      field: 'amount',
      ours: '123.40',
      theirs: '1.23',
    });
  });

  test('another currency is shown with both values, and the payment is not paid', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success'),
      lookUp(2 * minute, 'settled', { order: { ...order, currency: 'USD' } }),
    );
    expect(payment.state).toBe('needs-attention');
    expect(flag(payment, 'currency-differs')).toMatchObject({
      ours: 'EUR',
      theirs: 'USD',
      source: 'look-up',
    });
  });

  test('another description prevents the confirmation', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { order_description: 'Green chair' }),
      lookUp(2 * minute, 'settled'),
    );
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flag(payment, 'description-differs')).toMatchObject({ ours: 'Blue chair', theirs: 'Green chair' });
  });

  test.each(['123.4', '123.400', '0123.40'])('the amount %s is equal to 123.40', amount => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { order_amount: amount }),
      lookUp(2 * minute, 'settled'),
    );
    expect(payment).toMatchObject({ state: 'paid-confirmed', flags: [] });
  });

  test('an answer about another order proves nothing about this one', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success'),
      lookUp(2 * minute, 'settled', { order: { ...order, number: 'CF-2002' } }),
    );
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flag(payment, 'sources-disagree')).toMatchObject({ ours: 'CF-1001', theirs: 'CF-2002' });
  });

  test('an order_status that contradicts sale + success is flagged and not used', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'success', { order_status: 'pending' }));
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flag(payment, 'order-status-disagrees')).toMatchObject({ theirs: 'pending' });
  });

  test('a parameter that occurs twice with different values has no effect', () => {
    const twice = callback(minute, 'sale', 'success');
    if (twice.kind === 'callback.received') twice.body.fields.push(['status', 'fail']);
    const payment = reduce(...raised, twice);
    expect(payment.state).toBe('waiting');
    expect(flag(payment, 'contradicts-interface')).toMatchObject({ field: 'status' });
  });
});

describe('values that a signature does not cover', () => {
  const sale = callback(minute, 'sale', 'success');

  test.each([
    'card',
    'card_expiration_date',
    'customer_name',
    'customer_ip',
    'rrn',
    'approval_code',
    'reason',
    'date',
    'connector_name',
  ])('the same id, type and status with another %s raises the gravest flag', field => {
    const events = [...raised, callback(minute, 'sale', 'success', { [field]: 'one' })];
    const payment = reduce(...events, callback(2 * minute, 'sale', 'success', { [field]: 'other' }));
    expect(payment.flags[0]).toMatchObject({
      kind: 'changed-between-deliveries',
      values: { field, ours: 'one', theirs: 'other', type: 'sale', paymentId: payer },
    });
  });

  test('fail that becomes success raises the gravest flag and blocks the script until a look-up with settled', () => {
    const events = [...raised, callback(minute, 'sale', 'fail'), callback(2 * minute, 'sale', 'success')];
    const payment = reduce(...events);
    expect(payment.state).toBe('needs-attention');
    expect(payment.flags[0]).toMatchObject({
      kind: 'changed-between-deliveries',
      values: { field: 'status' },
    });
    expect(reduce(...events, lookUp(3 * minute, 'settled')).state).toBe('paid-confirmed');
    expect(reduce(...events, lookUp(3 * minute, 'decline')).state).toBe('needs-attention');
  });

  test('waiting that becomes success is progress, in either order of arrival', () => {
    const waiting = { date: '2026-10-05 12:00:50', order_status: 'pending' };
    const settled = { order_status: 'settled' };
    for (const [first, second] of [
      [minute, 2 * minute],
      [2 * minute, minute],
    ] as const) {
      const payment = reduce(
        ...raised,
        callback(first, 'sale', 'waiting', waiting),
        callback(second, 'sale', 'success', settled),
      );
      expect(payment).toMatchObject({ state: 'paid-unconfirmed', flags: [] });
    }
  });

  test('a changed token is flagged without its value', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { card_token: 'tok-one' }),
      callback(2 * minute, 'sale', 'success', { card_token: 'tok-two' }),
    );
    expect(payment.flags[0]).toMatchObject({ values: { field: 'card_token', ours: '•••', theirs: '•••' } });
  });

  test('a parameter that is absent, empty or the text null has not changed', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { schedule_id: 'null', issuer_bank: '' }),
      callback(2 * minute, 'sale', 'success', { schedule_id: 's-1', issuer_bank: 'Bank' }),
    );
    expect(payment.flags).toEqual([]);
  });

  test('another delivery is a duplicate, not a change', () => {
    const payment = reduce(...raised, sale, again(sale, 2 * minute));
    expect(flag(payment, 'duplicate-delivery')).toEqual({ type: 'sale', status: 'success', deliveries: '2' });
    expect(flagsOf(payment)).toEqual(['duplicate-delivery']);
  });

  test('a callback that is verified again with the right password counts from its arrival', () => {
    const arrived = callback(minute, 'sale', 'success', {}, invalid);
    const checked = draft('callback.reverified', hour, { callback: arrived.id, verification: verified });
    expect(reduce(...raised, arrived).state).toBe('waiting');
    expect(reduce(...raised, arrived, checked)).toMatchObject({
      state: 'paid-unconfirmed',
      since: start + minute,
      flags: [],
    });
  });

  test('many forged callbacks do not cause many flags', () => {
    const forged = Array.from({ length: 500 }, (_, index) =>
      callback(minute + index, 'sale', 'success', { card: `${index}` }, invalid),
    );
    const payment = reduce(...raised, ...forged);
    expect(payment.state).toBe('waiting');
    expect(payment.flags.length).toBeLessThan(50);
  });
});

describe('after the payment', () => {
  const paid = [...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];

  test('a refund of the full amount is refunded', () => {
    expect(
      reduce(...paid, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'refund')),
    ).toMatchObject({
      state: 'refunded',
      since: start + hour,
      flags: [],
    });
  });

  test('if order_amount is the refunded amount, a smaller one is a part, and parts add up to the whole exactly', () => {
    const part = (at: number, amount: string): EventDraft =>
      withRefundedAmount(
        callback(at, 'refund', 'success', { order_amount: amount, date: `2026-10-05 13:00:${at / minute}` }),
      );
    const parts = [part(10 * minute, '0.10'), part(20 * minute, '0.20')];
    expect(reduce(...paid, ...parts)).toMatchObject({ state: 'part-refunded', flags: [] });
    expect(reduce(...paid, ...parts, part(30 * minute, '123.10')).state).toBe('refunded');
  });

  test('a full amount with order_status settled leaves the amount of the refund unknown', () => {
    const refund = callback(hour, 'refund', 'success', { order_status: 'settled' });
    expect(reduce(...paid, withRefundedAmount(refund)).state).toBe('refund-seen');
  });

  test('a look-up that is still settled after a refund means a part', () => {
    expect(reduce(...paid, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'settled')).state).toBe(
      'part-refunded',
    );
  });

  test('a void, a reversal and a chargeback are different states', () => {
    expect(reduce(...paid, callback(hour, 'void', 'success')).state).toBe('voided');
    expect(reduce(...paid, lookUp(hour, 'reversal')).state).toBe('reversed');
    expect(reduce(...paid, callback(hour, 'chargeback', 'success')).state).toBe('chargeback');
  });

  test('two ids that settle one order are flagged', () => {
    const payment = reduce(...paid, callback(hour, 'sale', 'success', { id: otherPayer }));
    expect(payment.state).toBe('paid-confirmed');
    expect(flag(payment, 'settled-twice')).toEqual({ paymentIds: `${payer} ${otherPayer}` });
  });

  test('one of two settlements refunded leaves the order paid', () => {
    const events = [...paid, callback(hour, 'sale', 'success', { id: otherPayer })];
    expect(reduce(...events, callback(2 * hour, 'refund', 'success', { id: otherPayer }))).toMatchObject({
      state: 'paid-confirmed',
      flags: [],
    });
  });
});

describe('orders that this console did not create', () => {
  test('become separate payments, marked as such, with the terms first reported', () => {
    const payment = reduce(callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled'));
    expect(payment).toMatchObject({
      raisedHere: false,
      agent: null,
      state: 'paid-confirmed',
      amount: order.amount,
      currency: order.currency,
      customer: { name: 'Jane Doe', email: 'jane@example.com' },
    });
    expect(flagsOf(payment)).toEqual(['not-raised-here']);
  });

  test('with only unverified evidence have an unknown state', () => {
    const payment = reduce(callback(minute, 'sale', 'success', {}, invalid));
    expect(payment).toMatchObject({ state: 'outcome-unknown', basis: null, attempts: [] });
    expect(flagsOf(payment)).toEqual(['unverified-evidence', 'not-raised-here']);
  });

  test('a note alone is a draft', () => {
    expect(reduce(note(0, 'Mr Doe will call back')).state).toBe('draft');
  });
});

test('a payment without evidence does not exist', () => {
  expect(() => reducePayment([] as Event[])).toThrow(RangeError);
});
