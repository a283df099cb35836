import { expect, test } from 'vitest';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { reconcile } from '../../../shared/reports/reconcile.ts';
import { drafts } from '../../../tools/evidence/evidence-line.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  invalid,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  refusedSession,
  requested,
  start,
  unanswered,
} from '../../../tools/evidence/evidence.ts';
import { flag, flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** The state of a payment, which claims no more about money than the evidence shows. Most of it is tables of evidence. */

const of = (line: string): Payment => reduce(...drafts(line));
const rows = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map(row => row.trim().split(/ → | \| /));
const later = (payment: Payment): string => stateAt(rowOf(payment), start + 9 * hour);
const queue = (payment: Payment) => reconcile(rowOf(payment), start + 9 * hour);
const second = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';

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

test('a look-up with settled confirms a payment that a callback reported, in either order, once', () => {
  const sale = callback(minute, 'sale', 'success');
  const [before, after] = [lookUp(30_000, 'settled'), lookUp(2 * minute, 'settled')];
  expect(reduce(...raised, sale, after, lookUp(hour, 'settled'))).toMatchObject({
    state: 'paid-confirmed',
    since: start + 2 * minute,
    basis: { kind: 'callback', at: start + minute },
    flags: [],
  });
  expect(reduce(...raised, before, sale)).toMatchObject({ state: 'paid-confirmed', since: start + 30_000 });
});

test.each(
  rows(`
      redirect | success → waiting
      3ds | success → bank-check
      sale | waiting → processing
      sale | fail → declined
      refund | success → refund-seen
      refund | fail → outcome-unknown
      refund | waiting → outcome-unknown
      void | success → voided
      void | fail → outcome-unknown
      void | waiting → outcome-unknown
      recurring | success → outcome-unknown
      recurring | fail → declined
      recurring | waiting → processing
      chargeback | success → chargeback
      transfer | success → outcome-unknown
      reversal | success → reversed
      sale | undefined → outcome-unknown
      sale | SUCCESS → outcome-unknown
      `),
)('a callback with %s + %s is not paid: %s', (type = '', status = '', state = '') => {
  expect(reduce(...raised, callback(minute, type, status)).state).toBe(state);
});

test.each(
  rows(`
      prepare → waiting
      pending → processing
      3ds → bank-check
      redirect → started
      settled → paid-confirmed
      decline → declined
      refund → refunded
      reversal → reversed
      chargeback → chargeback
      void → voided
      something new → outcome-unknown
      `),
)('a look-up with %s alone is %s', (status = '', state = '') => {
  expect(reduce(...raised, lookUp(minute, status)).state).toBe(state);
});

test('values of a look-up outside the interface are flagged as received', () => {
  const theirs = (line: string) => flag(of(line), 'outside-interface');
  expect(theirs('capture')).toEqual({ field: 'type', theirs: 'capture' });
  expect(theirs('=void')).toEqual({ field: 'status', theirs: 'void' });
  expect(flag(of('3ds:fail'), 'contradicts-interface')).toBeDefined();
  expect(reduce(...raised, callback(minute, '', '')).state).toBe('outcome-unknown');
});

test.each(
  rows(`
    sale | 20
    sale =settled | 20
    sale refund | 20
    sale chargeback | 20
    =settled sale =settled | 20
    sale:fail | -
    sale =decline | -
    void | -
    `),
)(
  'the time of payment is that of the first report of money, and null if none came in: %s',
  (line = '', at) => {
    expect(of(line).paidAt).toBe(at === '-' ? null : start + Number(at) * minute);
  },
);

test.each(
  rows(`
    sale | used
    refund | used
    refund:fail | used
    refund:waiting | used
    void | used
    void:fail | used
    void:waiting | used
    reversal | used
    chargeback | used
    =settled | used
    =refund | used
    =reversal | used
    =void | used
    =chargeback | used
    sale:fail sale(2nd) | used
    sale:fail | open
    sale:waiting | open
    sale:undefined | open
    3ds | open
    redirect | open
    recurring | open
    =prepare | open
    =redirect | open
    =3ds | open
    =pending | open
    =decline | open
    =new | open
    `),
)('a link is used up by evidence of money and by nothing else: %s is %s', (line = '', link = '') => {
  expect(of(line).linkUsable).toBe(link === 'open');
});

test.each(
  rows(`
      sale =settled refund =refund → refunded
      sale =settled refund =settled → part-refunded
      sale =settled refund(part 0.10) refund(part 0.20) → part-refunded
      sale =settled refund(part 0.10) refund(part 0.20) refund(part 123.10) → refunded
      sale =settled refund(part 123.399999) → part-refunded
      sale =settled refund(part 123.40 status=settled) → refund-seen
      sale =settled refund(part 23.40 status=settled) → part-refunded
      `),
)('parts of a refund add up to the whole exactly: %s → %s', (line = '', state = '') => {
  expect(of(line)).toMatchObject({ state, flags: [] });
});

test('a refund callback counts its amount only if the profile defines order_amount as the refunded amount', () => {
  expect(of('sale =settled refund(23.40)').state).toBe('refund-seen');
  expect(of('sale =settled refund(part 23.40)').state).toBe('part-refunded');
  // Delivered twice.
  expect(of('sale =settled refund(part 23.40 R1) refund(part 23.40 R1)').entries.at(-1)?.amount).toBe(
    '23.40',
  );
});

test('a refund of an order whose amount is unknown has an unknown size', () => {
  for (const amount of ['', '10.00']) {
    const foreign = drafts(`sale(order_amount=) refund(part order_amount=${amount})`, []);
    expect(reduce(...foreign).state).toBe('refund-seen');
  }
});

test('two ids that settle one order are flagged, and one of them refunded leaves the order paid', () => {
  const payment = of('sale =settled sale(2nd)');
  expect(payment.state).toBe('paid-confirmed');
  expect(flag(payment, 'settled-twice')).toEqual({ paymentIds: `${payer} ${otherPayer}` });
  expect(of('sale =settled sale(2nd) refund(2nd) =refund(2nd)')).toMatchObject({
    state: 'paid-confirmed',
    flags: [],
  });
});

test.each(
  rows(`
      3ds:fail sale:fail(reason=Stolen) → declined
      sale:undefined sale:fail(reason=Stolen) → declined
      redirect:undefined sale:fail(reason=Stolen) → declined
      3ds:waiting 3ds sale:fail(reason=Stolen) → declined
      3ds:waiting 3ds → bank-check
      3ds:waiting sale:waiting → processing
      redirect 3ds:fail → outcome-unknown
      3ds:fail → outcome-unknown
      `),
)('callbacks of one payment give one state in any order: %s → %s', (line = '', state = '') => {
  const inOrder = drafts(line, []);
  const times = inOrder.map(({ happenedAt }) => happenedAt).toReversed();
  const reversed = inOrder.map((one, index) => ({ ...one, happenedAt: times[index] ?? 0 }));
  for (const events of [inOrder, reversed]) {
    const payment = reduce(...raised, ...events);
    expect(payment.state).toBe(state);
    if (state === 'declined') expect(payment.reason).toBe('Stolen');
  }
});

test('an unknown word beside a decline does not hide that a look-up contradicts it', () => {
  const payment = of('sale:fail 3ds:odd =settled');
  expect(payment.state).toBe('paid-confirmed');
  expect(flagsOf(payment)).toContain('sources-disagree');
});

test.each(
  rows(`
      sale:undefined
      3ds:fail
      =SETTLED
      =authorized
      refund:fail
      void:waiting
      redirect sale:undefined
      sale:undefined =prepare
      sale:undefined sale:fail(2nd)
      `),
)(
  'evidence that leaves the outcome open gives the state "result unknown", never an expired link: %s',
  (line = '') => {
    const payment = of(line);
    expect([payment.state, later(payment)]).toEqual(['outcome-unknown', 'outcome-unknown']);
    const actions = queue(payment).map(({ action }) => action);
    expect(actions[0]).toBe('look-up');
    expect(actions).not.toContain('new-link');
  },
);

test('evidence that leaves the outcome open is in the queue under its cause', () => {
  const causes = (line: string) => queue(of(line)).map(({ cause }) => cause);
  expect(causes('transfer')).toContain('outside-interface');
  expect(causes('3ds:fail')).toContain('contradicts-interface');
});

test('evidence that leaves the outcome open changes nothing when its signature does not verify', () => {
  const payment = reduce(...raised, callback(minute, 'sale', 'undefined', {}, invalid));
  expect(payment.state).toBe('waiting');
});

test('an answer about another payment is a contradiction and counts for nothing', () => {
  const other = lookUp(2 * minute, 'settled', { paymentId: otherPayer });
  const asked = { ...other, body: { ...other.body, asked: { by: 'payment-id', value: payer } as const } };
  const payment = reduce(...raised, callback(minute, 'redirect', 'success'), asked);
  expect(payment).toMatchObject({ state: 'waiting', movements: [], linkUsable: true });
  expect(flag(payment, 'sources-disagree')).toEqual({
    field: 'payment-id',
    ours: payer,
    theirs: otherPayer,
  });
});

test('an answer about another payment is not one of the same id in other letters', () => {
  const payment = of(`sale(id=${payer.toUpperCase()}) =settled`);
  expect(payment).toMatchObject({ state: 'paid-confirmed', paymentIds: [payer.toUpperCase()], flags: [] });
  expect(payment.movements).toHaveLength(1);
});

test.each([
  ['', 'expired'],
  ['+redirect', 'expired'],
  ['+=prepare', 'expired'],
  ['+sale:fail', 'declined'],
  ['+3ds', 'outcome-unknown'],
  ['+sale:waiting', 'processing'],
  ['+=3ds', 'outcome-unknown'],
])('a link that expired is not live after its hour: %s is %s', (line, state) => {
  const payment = of(line);
  expect(isLinkLive(payment, start + 30 * minute)).toBe(true);
  expect(isLinkLive(payment, start + 500 + hour)).toBe(false);
  expect(later(payment)).toBe(state);
});

test.each(['recurring_init_trans_id', 'recurring_inti_trans_id'])(
  'a scheduled sale whose %s refers to the first payment is an instalment, not a second payment',
  spelling => {
    const payment = of(`sale(recurring_init_trans_id=${payer}) sale(2nd ${spelling}=${payer})`);
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flagsOf(payment)).not.toContain('settled-twice');
    expect(payment.series).toEqual({ firstPaymentId: payer });
    expect(payment.attempts.map(({ instalment }) => instalment)).toEqual([false, true]);
  },
);

test('a series does not hide a second settlement without a reference', () => {
  expect(flagsOf(of(`sale(recurring_init_trans_id=${payer}) sale(2nd)`))).toContain('settled-twice');
});

test('a separate order of a series is connected to its first payment', () => {
  const number = `${payer}-2`;
  const own = [
    callback(minute, 'sale', 'success', { id: otherPayer, order_number: number }),
    lookUp(minute, 'settled', { paymentId: otherPayer, order: { ...order, number } }),
  ];
  for (const one of own) {
    const payment = reducePayment([asEvent({ ...one, orderNumber: number })]);
    expect(payment.series).toEqual({ firstPaymentId: payer });
  }
  expect(of('sale').series).toBeNull();
});

test('a new link is ready, though the gateway reports an issued redirect address, and there is no attempt', () => {
  const payment = reduce(...raised, callback(600, 'redirect', 'success'));
  expect(payment).toMatchObject({ state: 'waiting', attempts: [], paymentIds: [payer] });
});

test.each(
  rows(`
      =prepare → waiting
      redirect =prepare → waiting
      =prepare redirect → waiting
      =redirect → started
      redirect =redirect → started
      =redirect redirect → started
      `),
)(
  'a new link that a look-up reports has the state of its status, with a redirect or without: %s → %s',
  (line = '', state) => {
    expect(of(line).state).toBe(state);
  },
);

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
  const opened = reduce(...raised, lookUp(minute, 'redirect'));
  expect(opened.state).toBe('started');
  expect(stateAt({ ...row, state: opened.state }, start + 500 + hour)).toBe('expired');
});

test('a new link of an order that has one replaces it, and is flagged', () => {
  const link = 'https://pay.example/auth/second';
  const fresh = [
    requested(2 * hour, { idempotencyKey: second }),
    accepted(2 * hour + 500, { idempotencyKey: second, link }),
  ];
  const payment = reduce(...raised, ...fresh);
  expect(payment).toMatchObject({ state: 'waiting', link: { url: link } });
  expect(flag(payment, 'raised-twice')).toEqual({ times: '2' });
});

test('a new link that is refused does not hide an earlier one that is still valid', () => {
  const refused = [
    requested(minute, { idempotencyKey: second }),
    refusedSession(2 * minute, { idempotencyKey: second }),
  ];
  expect(reduce(...raised, ...refused)).toMatchObject({ state: 'waiting', linkUsable: true, flags: [] });
  expect(reduce(requested(), refusedSession())).toMatchObject({ state: 'refused', link: null });
});

test.each([
  [lookUp(minute, 'prepare'), 'waiting'],
  [callback(minute, '3ds', 'success'), 'bank-check'],
  [callback(minute, 'sale', 'success'), 'paid-unconfirmed'],
])('a request without an answer has an unknown outcome, which later evidence settles', (evidence, state) => {
  for (const none of [[requested()], [requested(), unanswered()]]) {
    expect(reduce(...none)).toMatchObject({ state: 'outcome-unknown', linkUsable: false });
    expect(reduce(...none, evidence).state).toBe(state);
  }
});

test('orders that this console did not create become separate payments, marked as such, with the terms first reported', () => {
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

test('orders that this console did not create with only unverified evidence have an unknown state', () => {
  const payment = reduce(callback(minute, 'sale', 'success', {}, invalid));
  expect(payment).toMatchObject({ state: 'outcome-unknown', basis: null, attempts: [] });
  expect(flagsOf(payment)).toEqual(['unverified-evidence', 'not-raised-here']);
});

test('an order with a note alone is a draft, and one without evidence does not exist', () => {
  expect(reduce(note(0, 'Mr Doe will call back')).state).toBe('draft');
  expect(() => reducePayment([])).toThrow(RangeError);
});
