import { expect, test } from 'vitest';
import type { Operation } from '../../../shared/operations/operation.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  lookUp,
  order,
  payer,
  requested,
} from '../../../tools/evidence/evidence.ts';
import { operationAnswered, operationRequested } from '../../../tools/evidence/operation-evidence.ts';

const minute = 60_000;
const statesOf = ({ operations }: { operations: readonly Operation[] }) =>
  operations.map(({ state }) => state);
const flagsOf = ({ flags }: Payment) => flags.map(({ kind }) => kind);

const firstPayment = 'f0e24964-fc43-11ec-a7e0-0242ac120004';
const charge = operationRequested(
  0,
  {
    operation: 'recurring',
    charge: { firstPaymentId: firstPayment, description: order.description, consent: 'by phone' },
  },
  { paymentId: null },
);
const of = (...drafts: EventDraft[]): Payment => reducePayment([charge, ...drafts].map(asEvent));
test('a recurring charge is a payment of this console in its own right, unknown until the gateway answers', () => {
  expect(of()).toMatchObject({
    state: 'outcome-unknown',
    raisedHere: true,
    amount: order.amount,
    description: order.description,
    agent: 'Ada',
    series: { firstPaymentId: firstPayment },
    operations: [{ kind: 'recurring', state: 'unknown' }],
  });
});
test('a recurring charge is not paid by the answer, which is not signed, and names the payment to look up', () => {
  const payment = of(operationAnswered(1, { claim: 'done', status: 'settled', paymentId: payer }));
  expect(payment).toMatchObject({ state: 'processing', paymentIds: [payer] });
  expect(statesOf(payment)).toEqual(['accepted']);
});
test('a recurring charge is paid by a look-up alone', () => {
  const answered = operationAnswered(1, { claim: 'done', status: 'settled', paymentId: payer });
  expect(of(answered, lookUp(minute, 'settled'))).toMatchObject({
    state: 'paid-confirmed',
    operations: [{ state: 'done', provenBy: 'look-up' }],
  });
  expect(of(answered, lookUp(minute, 'settled'), callback(minute, 'sale', 'success')).state).toBe(
    'paid-confirmed',
  );
  expect(of(answered, callback(minute, 'recurring', 'success')).state).toBe('outcome-unknown');
});
test('a recurring charge that was declined failed, even if the callback overtakes the answer', () => {
  const payment = of(
    callback(1, 'sale', 'fail'),
    operationAnswered(2, { claim: 'failed', paymentId: payer }),
  );
  expect(payment).toMatchObject({ state: 'declined', operations: [{ state: 'failed' }] });
});

test('a payment that should have brought a token and did not is flagged', () => {
  const asked = requested(0, { request: '{"recurring_init":true,"hash":"•••"}' });
  const sale = (more: Record<string, string> = {}) => callback(minute, 'sale', 'success', more);
  const flagged = (...drafts: EventDraft[]) => flagsOf(reducePayment(drafts.map(asEvent)));
  expect(flagged(asked, accepted(), sale())).toContain('token-missing');
  expect(flagged(asked, accepted(), sale({ recurring_token: 'secret' }))).not.toContain('token-missing');
  expect(flagged(asked, accepted())).not.toContain('token-missing');
  expect(flagged(requested(), accepted(), sale())).not.toContain('token-missing');
});
