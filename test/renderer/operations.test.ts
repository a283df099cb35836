import { movement } from '../../tools/evidence/movements.ts';
import { describe, expect, test } from 'vitest';
import type { OperationOffer } from '../../shared/contract/contract.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { msg } from '../../shared/messages/message.ts';
import { isContradicted, ledgerRows } from '../../renderer/screens/payment/operations/ledger.ts';
import { cancelUntil, offeredActions } from '../../renderer/screens/payment/operations/offered-actions.ts';
import { operationScript } from '../../renderer/screens/payment/operations/operation-script.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { asEvent, callback, lookUp, payer } from '../../tools/evidence/evidence.ts';

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

describe('the ledger', () => {
  test('the ledger has a running balance in exact amounts, below zero too', () => {
    const rows = ledgerRows([
      movement('paid', '123.40'),
      movement('refund', '0.10'),
      movement('refund', '0.20'),
      movement('chargeback', '123.40'),
    ]);
    expect(rows.map(({ balance }) => balance)).toEqual(['123.40', '123.30', '123.10', '-0.30']);
  });

  test('the ledger has no balance from the first unknown amount on', () => {
    const rows = ledgerRows([
      movement('paid', '80.00'),
      movement('refund', null),
      movement('refund', '5.00'),
    ]);
    expect(rows.map(({ balance }) => balance)).toEqual(['80.00', null, null]);
  });

  test('the ledger keeps the digits of the amounts', () => {
    expect(ledgerRows([movement('paid', '1200')])[0]?.balance).toBe('1200');
  });

  test('the ledger is contradicted by the payment that it is about, not by another attempt of the order', () => {
    const { attempts } = reducePayment([callback(1, 'sale', 'success'), lookUp(2, 'decline')].map(asEvent));
    const movements = [{ ...movement('paid', '80.00'), paymentId: payer }];
    expect(isContradicted({ movements, attempts })).toBe(true);
    expect(isContradicted({ movements: [movement('paid', '80.00')], attempts })).toBe(false);
    expect(isContradicted({ movements: [], attempts })).toBe(false);
  });
});

describe('what is offered', () => {
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
});

describe('the phone script', () => {
  const said = (...operations: Partial<Operation>[]) =>
    operationScript(operations.map(operation), 'paid-confirmed');

  test('the phone script is about the operation without a result, an unknown one first', () => {
    expect(said({ state: 'done' }, { state: 'accepted', amount: '5.00' })).toMatchObject({
      say: 'script.refund.open',
      amount: '5.00',
    });
    expect(said({ state: 'unknown' }, { state: 'accepted' })?.say).toBe('script.refund.unknown');
  });

  test('the phone script is that of the payment after a chargeback or a cancellation, and after all money went back', () => {
    expect(operationScript([operation({ state: 'done' })], 'chargeback')).toBeNull();
    expect(operationScript([operation({ state: 'failed' })], 'voided')).toBeNull();
    expect(operationScript([operation({ state: 'failed' })], 'refunded')).toBeNull();
    expect(operationScript([operation({ state: 'done' })], 'refunded')?.say).toBe('script.refund.done');
  });

  test('the phone script adds up refunds in the same situation', () => {
    expect(said({}, { amount: '0.50' })?.amount).toBe('10.50');
  });

  test('the phone script promises nothing after a failure, and is silent about what was never sent', () => {
    expect(said({ state: 'done' }, { state: 'failed' })?.say).toBe('script.refund.failed');
    expect(said({ kind: 'void', amount: null, state: 'failed' })?.say).toBe('script.void.failed');
    expect(said({ state: 'not-sent' })).toBeNull();
    expect(said({ kind: 'recurring' })).toBeNull();
  });
});
