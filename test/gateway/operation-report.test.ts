import { expect, it } from 'vitest';
import { readOperationReport } from '../../main/gateway/operations/operation-report.ts';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';

/** Responses to operations, as public documents and clients of this family show them. */

const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
const ofPayment = { paymentId: id, orderNumber: null };
const ofOrder = { paymentId: null, orderNumber: 'order-1235' };
const read = (operation: OperationKind, value: unknown) => {
  const report = readOperationReport(
    value,
    operation,
    operation === 'recurring' ? ofOrder : ofPayment,
    text => text,
  );
  return typeof report === 'string' ? report : report.claim;
};

it.each([
  ['accepted', { payment_id: id, result: 'accepted' }],
  ['accepted', { payment_id: id.toUpperCase(), result: 'ACCEPTED' }],
  ['accepted', { result: 'Accepted', payment_status: 'settled' }],
  ['accepted', { payment_id: null, result: 'accepted' }],
  ['other-shape', { payment_id: id, result: 'success' }],
  ['other-shape', { payment_id: id, result: 'declined' }],
  ['other-shape', { payment_id: id, result: 'UNDEFINED' }],
  ['other-shape', { payment_id: id, status: 'refund' }],
  ['other-shape', { payment_id: id, result: true }],
  ['other-shape', {}],
  ['other-shape', []],
  ['other-shape', [{ payment_id: id, result: 'accepted' }]],
  ['other-shape', 'accepted'],
  ['other-shape', null],
  ['contradictory', { payment_id: id, result: 'accepted', status: 'FAIL' }],
  ['contradictory', { payment_id: 'another-payment', result: 'accepted' }],
  ['other-shape', { payment_id: id, result: 'accepted', status: 'UNDEFINED' }],
])('the response to a refund and to a retry is %s for %j', (claim, value) => {
  expect(read('refund', value)).toBe(claim);
  expect(read('retry', value)).toBe(claim);
});

it.each([
  ['done', { status: 'VOID', payment_id: id, date: '2026-11-20 12:00:00' }],
  ['done', { status: 'SUCCESS', payment_status: 'void', payment_id: id }],
  ['done', { status: 'void', trans_status: 'SUCCESS', payment_id: id }],
  ['done', { status: 'success' }],
  ['done', { status: 'reversal' }],
  ['failed', { status: 'FAIL', payment_status: 'settled', reason: 'Declined by processing' }],
  ['failed', { status: 'settled', trans_status: 'DECLINED' }],
  ['failed', { status: 'settled', trans_status: 'decline' }],
  ['failed', { status: 'Fail' }],
  ['contradictory', { status: 'FAIL', payment_status: 'void' }],
  ['contradictory', { status: 'SUCCESS', payment_status: 'settled' }],
  ['contradictory', { status: 'void', result: 'declined' }],
  ['contradictory', { status: 'VOID', payment_id: 'another-payment' }],
  ['other-shape', { status: 'settled', payment_id: id }],
  ['other-shape', { status: 'UNDEFINED', payment_id: id }],
  ['other-shape', { status: 'void', trans_status: 'UNDEFINED' }],
  ['other-shape', { payment_id: id, result: 'accepted' }],
  ['other-shape', { status: { code: 'void' } }],
  ['other-shape', { status: '' }],
])('the response to a void is %s for %j', (claim, value) => {
  expect(read('void', value)).toBe(claim);
});

it.each([
  ['done', { payment_id: id, status: 'settled', trans_status: 'SUCCESS', date: '2026-11-20 12:00:00' }],
  ['done', { payment_id: id, status: 'SUCCESS', payment_status: 'SETTLED' }],
  ['failed', { payment_id: id, status: 'pending', trans_status: 'DECLINED' }],
  ['contradictory', { payment_id: id, status: 'pending', trans_status: 'SUCCESS' }],
  ['contradictory', { payment_id: id, status: 'settled', trans_status: 'FAIL' }],
  ['other-shape', { payment_id: id, status: 'pending' }],
  ['other-shape', { payment_id: id, status: 'settled', trans_status: 'UNDEFINED' }],
])('the response to a capture is %s for %j', (claim, value) => {
  expect(read('capture', value)).toBe(claim);
});

const order = { number: 'order-1235', amount: '10.00', currency: 'EUR', description: 'Important gift' };

it.each([
  ['done', { status: 'settled', payment_id: 'new-payment', order }],
  ['done', { status: 'SETTLED', payment_id: 'new-payment' }],
  ['pending', { status: 'Pending', payment_id: 'new-payment', order }],
  ['failed', { status: 'decline', payment_id: 'new-payment', reason: 'Insufficient funds', order }],
  ['failed', { status: 'DECLINED', payment_id: 'new-payment' }],
  ['contradictory', { status: 'settled', payment_status: 'declined' }],
  ['contradictory', { status: 'settled', payment_status: 'pending' }],
  ['contradictory', { status: 'settled', order: { ...order, number: 'order-9' } }],
  ['other-shape', { status: 'success' }],
  ['other-shape', { status: '3ds', payment_id: 'new-payment' }],
  ['other-shape', { status: 'undefined' }],
  ['other-shape', { result: 'accepted' }],
])('the response to a charge of a stored card is %s for %j', (claim, value) => {
  expect(read('recurring', value)).toBe(claim);
});

it('a report contains the status of the payment, not of the request, and the reason as received', () => {
  const value = {
    status: 'FAIL',
    payment_status: 'settled',
    payment_id: id,
    reason: 'Declined by  processing',
  };
  expect(readOperationReport(value, 'void', ofPayment, text => text)).toEqual({
    claim: 'failed',
    paymentId: id,
    status: 'settled',
    reason: 'Declined by processing',
  });
});
