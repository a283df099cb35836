import { movement } from '../../tools/evidence/movements.ts';
import { expect, test } from 'vitest';
import type { OperationOffer } from '../../shared/contract/contract.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { msg } from '../../shared/messages/message.ts';
import { paymentChoices } from '../../renderer/screens/payment/operations/payment-choices.ts';
import { ledgerRows } from '../../renderer/screens/payment/operations/ledger.ts';
import {
  cancelUntil,
  moneyBack,
  offeredActions,
} from '../../renderer/screens/payment/operations/offered-actions.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { asEvent, callback } from '../../tools/evidence/evidence.ts';

/** Operations after a payment: the ledger, what is offered, and what the phone script is. */

const operation = (changes: Partial<Operation> = {}): Operation => ({
  intent: 'i',
  kind: 'refund',
  paymentId: 'p',
  amount: '10.00',
  currency: 'EUR',
  reason: 'goodwill',
  text: '',
  agent: 'Ada',
  approvedBy: null,
  at: 0,
  state: 'accepted',
  since: 0,
  provenBy: null,
  message: null,
  ...changes,
});
type Offered = OperationOffer['payments'][number];
const offered = (offers: Offered['offers'], changes: Partial<Offered> = {}): Offered => ({
  paymentId: 'p',
  cardLast4: '1111',
  balance: { paid: '80.00', returned: '0.00', hasUnknownPart: false, onTheWay: '0.00', remaining: '80.00' },
  offers,
  voidUntil: 500,
  holdUntil: null,
  ...changes,
});
const offerOf = (...payments: Offered[]): OperationOffer => ({
  currency: 'EUR',
  payments,
  needsOrderNumber: false,
  limits: { perOperation: null, leftToday: null, secondPersonFrom: null },
  approvers: [],
});
const can = (kind: Offered['offers'][number]['kind']) => ({ kind, refusal: null });

/** The rows of the movements and operations that are given. */
const rowsOf = (
  movements: Payment['movements'],
  operations: Operation[] = [],
  checkedAt: number | null = null,
) => ledgerRows({ movements, operations, attempts: [], checkedAt });
/** The rows of a payment by its evidence. */
const rowsBy = (...drafts: Parameters<typeof asEvent>[0][]) => {
  const payment = reducePayment(drafts.map(asEvent));
  return { payment, rows: ledgerRows(payment) };
};

test('an attempt that moved nothing has its row, and one that did is in the row of its money', () => {
  const { rows } = rowsBy(
    callback(1_000, 'sale', 'fail', { id: 'first', reason: 'Declined', card: '411111******1111' }),
    callback(2_000, 'sale', 'success', { id: 'second', card: '555555******4444' }),
    callback(3_000, 'refund', 'success', { id: 'second', card: '555555******4444' }),
  );
  expect(
    rows.map(({ kind, amount, attempt }) => [kind, amount, attempt?.outcome, attempt?.cardLast4]),
  ).toEqual([
    ['paid', null, 'declined', '1111'],
    ['paid', '123.40', 'refund-seen', '4444'],
    ['refund', null, undefined, undefined],
  ]);
});

test('the ledger has a running balance in exact amounts, below zero too', () => {
  const rows = rowsOf([
    movement('paid', '123.40'),
    movement('refund', '0.10'),
    movement('refund', '0.20'),
    movement('chargeback', '123.40'),
  ]);
  expect(rows.map(({ balance }) => balance)).toEqual(['123.40', '123.30', '123.10', '-0.30']);
});

test('the ledger has no balance from the first unknown amount on', () => {
  const rows = rowsOf([movement('paid', '80.00'), movement('refund', null), movement('refund', '5.00')]);
  expect(rows.map(({ balance }) => balance)).toEqual(['80.00', null, null]);
});

test('the ledger keeps the digits of the amounts', () => {
  expect(rowsOf([movement('paid', '1200')])[0]?.balance).toBe('1200');
});

test('what failed, and what is on its way, is a row of the ledger that leaves the balance as it was', () => {
  const rows = rowsOf([
    movement('paid', '80.00'),
    { ...movement('refund', '5.00'), fate: 'failed' },
    { ...movement('refund', '7.00'), fate: 'in-progress' },
    { ...movement('chargeback', '80.00'), fate: 'won' },
    movement('refund', '10.00'),
  ]);
  expect(rows.map(({ balance }) => balance)).toEqual(['80.00', null, null, null, '70.00']);
});

test('a request that moves no money has its row too, once, and a refund has one with its request', () => {
  const rows = rowsOf(
    [movement('paid', '80.00'), { ...movement('refund', '5.00'), intent: 'i' }],
    [operation(), operation({ intent: 'c', kind: 'capture' })],
  );
  expect(rows.map(({ kind, operation: of }) => [kind, of?.intent ?? null])).toEqual([
    ['paid', null],
    ['refund', 'i'],
    ['capture', 'c'],
  ]);
});

test('a charge of a stored card that was paid is one row, with who sent it; one without money has its own', () => {
  const sent = operation({ kind: 'recurring', state: 'done' });
  const kinds = (rows: ReturnType<typeof rowsOf>) => rows.map(({ kind, operation: of }) => [kind, of?.agent]);
  expect(kinds(rowsOf([movement('paid', '10.00')], [sent]))).toEqual([['paid', 'Ada']]);
  expect(kinds(rowsOf([movement('paid', '10.00')], [{ ...sent, state: 'refused' }]))).toEqual([
    ['paid', undefined],
    ['recurring', 'Ada'],
  ]);
  expect(kinds(rowsOf([], [{ ...sent, state: 'unknown' }]))).toEqual([['recurring', 'Ada']]);
});

test('an unclear movement has one next step: a status check, and the dashboard once that has changed nothing', () => {
  const open = { ...movement('refund', '5.00'), fate: 'in-progress' as const, since: 10 };
  const steps = (one: Payment['movements'][number], checkedAt: number | null) =>
    rowsOf([one], [], checkedAt).map(({ next }) => next);
  expect(steps(open, null)).toEqual(['look-up']);
  expect(steps(open, 10)).toEqual(['look-up']);
  expect(steps(open, 11)).toEqual(['record']);
  expect(steps(movement('refund', null), null)).toEqual(['record']);
  expect(steps(movement('refund', '5.00'), null)).toEqual([null]);
  expect(steps({ ...open, fate: 'failed' }, null)).toEqual([null]);
});

test('a refund that waits at the provider and was not requested here is a row with a next step', () => {
  const { rows } = rowsBy(callback(1, 'sale', 'success'), callback(2, 'refund', 'waiting'));
  expect(rows).toMatchObject([
    { kind: 'paid', next: null },
    { kind: 'refund', operation: null, next: 'look-up', balance: null },
  ]);
});

test('the cancellation is offered before the refund while it is possible, with its end', () => {
  const actions = offeredActions(offerOf(offered([can('refund'), can('void')])));
  expect(actions.map(({ kind }) => kind)).toEqual(['void', 'refund']);
  expect(cancelUntil(actions)).toBe(500);
});

test('the offer says why a cancellation is over, and leaves out what never fitted the payment', () => {
  const actions = offeredActions(
    offerOf(
      offered([
        can('refund'),
        { kind: 'void', refusal: msg('operation.no.day-over') },
        { kind: 'capture', refusal: msg('operation.no.not-held') },
      ]),
    ),
  );
  expect(actions.map(({ kind, refusal }) => [kind, refusal?.key ?? null])).toEqual([
    ['void', 'operation.no.day-over'],
    ['refund', null],
  ]);
  expect(cancelUntil(actions)).toBeNull();
});

test('no cancellation is offered or explained for a payment that went back in whole', () => {
  const balance = { ...offered([]).balance, returned: '80.00', remaining: '0.00' };
  const refusal = msg('operation.no.part-refunded');
  expect(offeredActions(offerOf(offered([{ kind: 'void', refusal }], { balance })))).toEqual([]);
});

test('the offer lists every payment of an order that was paid twice', () => {
  const [refund] = offeredActions(
    offerOf(offered([can('refund')]), offered([can('refund')], { paymentId: 'q' })),
  );
  expect(refund?.payments.map(({ paymentId }) => paymentId)).toEqual(['p', 'q']);
});

test('equal payments of one order differ by their time, and within a minute by their reference', () => {
  const { payment } = rowsBy(
    callback(1_000, 'sale', 'success', { id: 'first', rrn: '111' }),
    callback(2_000, 'sale', 'success', { id: 'second', rrn: '222' }),
    callback(300_000, 'sale', 'success', { id: 'third', rrn: '333' }),
  );
  const names = paymentChoices(payment, ['first', 'second', 'third'], 'en-GB', payment.lastAt).map(
    ({ name }) => name,
  );
  expect(names).toEqual([
    expect.stringMatching(/^•••• 1111 · €123\.40 · \d\d:\d\d · RRN 111$/),
    expect.stringMatching(/^•••• 1111 · €123\.40 · \d\d:\d\d · RRN 222$/),
    expect.stringMatching(/^•••• 1111 · €123\.40 · \d\d:\d\d$/),
  ]);
});

test('a refund begins with the cancellation while that is possible, also of the payment that is named', () => {
  const action = (kind: 'void' | 'refund', ...ids: string[]) => ({
    kind,
    refusal: null,
    payments: ids.map(paymentId => offered([], { paymentId })),
  });
  const actions = [action('void', 'b'), action('refund', 'a', 'b')];
  expect(moneyBack(actions, null)).toEqual({ kind: 'void', paymentId: 'b' });
  expect(moneyBack(actions, 'a')).toEqual({ kind: 'refund', paymentId: 'a' });
  expect(moneyBack(actions, 'b')).toEqual({ kind: 'void', paymentId: 'b' });
  expect(moneyBack([], null)).toBeNull();
});
