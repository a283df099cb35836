import './without-window.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readAmountEntry } from '../../renderer/amount-reading.ts';
import {
  besideForm,
  blankCharge,
  chargeProblems,
  needsSecondPerson,
  nextOrder,
  refusedInForm,
  type ChargeFields,
} from '../../renderer/screens/payment/series/charge-form.ts';
import {
  beginsSeries,
  countCharges,
  seriesRows,
  standingOf,
} from '../../renderer/screens/payment/series/series-rows.ts';
import { useSeries } from '../../renderer/stores/payments/series-store.ts';
import type {
  OperationOffer,
  PaymentSeries,
  RequestInput,
  RequestName,
} from '../../shared/contract/contract.ts';
import { msg } from '../../shared/messages/message.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { asEvent, requested } from '../../tools/evidence/evidence.ts';

/** A series on the screen, and the form for another charge. */

const firstPaymentId = '0b3f9bb2-7c2e-11f1-b8d4-0242ac120002';
const template = rowOf(reducePayment([requested()].map(asEvent)));
const payment = (orderNumber: string, changes: Partial<PaymentRow> = {}): PaymentRow => ({
  ...template,
  orderNumber,
  state: 'paid-confirmed',
  series: { firstPaymentId },
  ...changes,
});
const first = payment('A-1', { paymentIds: [firstPaymentId.toUpperCase()], description: 'Membership' });
const series: PaymentSeries = {
  firstPaymentId,
  firstOrder: 'A-1',
  payments: [
    first,
    payment('A-1-2'),
    payment('A-1-3', { state: 'declined' }),
    payment(`${firstPaymentId}-1`, { raisedHere: false }),
    payment('X-9', { raisedHere: false, state: 'refused' }),
  ],
  hasToken: true,
  suggestedOrder: 'A-1-6',
  isOffered: true,
};
const offer: OperationOffer = {
  currency: 'EUR',
  payments: [],
  needsOrderNumber: true,
  limits: { perOperation: '500.00', leftToday: '300.00', secondPersonFrom: '100.00' },
  approvers: [{ id: 'b', name: 'Ben' }],
};

describe('a series', () => {
  test('a series is shown newest first, the first payment last, with who made each charge', () => {
    const rows = seriesRows(series);
    expect(rows.map(({ row, role, number }) => [row.orderNumber, role, number])).toEqual([
      ['X-9', 'elsewhere', 4],
      [`${firstPaymentId}-1`, 'scheduled', 3],
      ['A-1-3', 'charge', 2],
      ['A-1-2', 'charge', 1],
      ['A-1', 'first', 0],
    ]);
    expect(countCharges(rows)).toEqual({ charges: 4, failed: 2 });
  });

  test('a series was begun by the payment whose id it has, in any letter case', () => {
    expect([beginsSeries(first), beginsSeries(payment('A-1-2')), beginsSeries(template)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a series without a token has ended, although the profile sends charges', () => {
    expect(standingOf(series)).toBe('ready');
    expect(standingOf({ ...series, isOffered: false })).toBe('switched-off');
    expect(standingOf({ ...series, hasToken: false })).toBe('ended');
    expect(standingOf({ ...series, firstOrder: null, hasToken: false })).toBe('first-missing');
  });
});

describe('the form for another charge', () => {
  const complete: ChargeFields = {
    ...blankCharge(series),
    amount: '20',
    consent: 'By phone on 24 November',
    typedOrder: 'A-1',
  };
  const reading = (amount: string) => readAmountEntry(amount, 'EUR', 'en-GB', 'en', 'own-digits');
  const refused = (changes: Partial<ChargeFields>, changed: Partial<OperationOffer> = {}): string[] => {
    const fields = { ...complete, ...changes };
    const given = { offer: { ...offer, ...changed }, firstOrder: 'A-1', locale: 'en-GB' };
    return Object.keys(chargeProblems(fields, reading(fields.amount), given));
  };

  test('the form of a charge takes the description and a free order number, but no amount and no consent', () => {
    expect(blankCharge(series)).toMatchObject({
      amount: '',
      consent: '',
      description: 'Membership',
      orderNumber: 'A-1-6',
      reason: 'agreed-payment',
    });
  });

  test('the form of a charge names every field that is missing or wrong', () => {
    expect(refused({})).toEqual([]);
    expect(refused({ amount: '' })).toEqual(['amount']);
    expect(refused({ orderNumber: 'A 1' })).toEqual(['orderNumber']);
    expect(refused({ description: ' x ' })).toEqual(['description']);
    expect(refused({ consent: ' ' })).toEqual(['consent']);
    expect(refused({ reason: 'other' })).toEqual(['text']);
    expect(refused({ typedOrder: 'A-2' })).toEqual(['typedOrder']);
    expect(refused({ typedOrder: '' }, { needsOrderNumber: false })).toEqual([]);
  });

  test('the form of a charge asks for a second person from the limit on, and refuses what is more than the limits', () => {
    expect(needsSecondPerson(reading('99.99'), offer)).toBe(false);
    expect(needsSecondPerson(reading('100'), offer)).toBe(true);
    expect(refused({ amount: '100' })).toEqual(['approver', 'pin']);
    const second = { approver: 'b', pin: '1234' };
    expect(refused({ amount: '300', ...second })).toEqual([]);
    expect(refused({ amount: '300.01', ...second })).toEqual(['amount']);
    const limits = { perOperation: null, leftToday: null, secondPersonFrom: null };
    expect(refused({ amount: '9000' }, { limits })).toEqual([]);
  });

  test('the form of a charge shows a refused field at its place, and the rest of a refusal beside the form', () => {
    const message = msg('charge.order.taken');
    const taken = { code: 'input.invalid' as const, message, fields: [{ path: 'orderNumber', message }] };
    expect(refusedInForm(taken)).toEqual({ orderNumber: message });
    expect(besideForm(taken)).toBeNull();
    expect(besideForm({ ...taken, code: 'operation.limit' })).toMatchObject({ fields: [] });
  });

  test('the form of a charge keeps the typed order number unless the rejected charge used it up', () => {
    const message = msg('charge.no-token');
    const rejected = { code: 'gateway.refused' as const, message };
    const stored = { ...rejected, details: { stored: true, orderNumber: 'A-1-6' } };
    expect(nextOrder('A-1-6', stored, 'A-1-7')).toBe('A-1-7');
    expect(nextOrder('A-1-6', rejected, 'A-1-7')).toBe('A-1-6');
    expect(nextOrder('A-1-6', stored, null)).toBe('A-1-6');
  });
});

describe('a charge that is sent from the form', () => {
  let sent: RequestInput<'operations.send'>[];
  beforeEach(() => {
    sent = [];
    const answers = (name: RequestName, input: unknown): unknown => {
      if (name === 'operations.series') return { ok: true, value: { series } };
      if (name === 'operations.offer') return { ok: true, value: offer };
      if (name === 'operations.begin') return { ok: true, value: { intent: crypto.randomUUID(), open: [] } };
      if (name !== 'operations.send') throw new Error(name);
      sent.push(input as RequestInput<'operations.send'>);
      return { ok: false, error: { code: 'gateway.refused', message: msg('charge.no-token') } };
    };
    vi.stubGlobal('window', {
      api: { request: async (name: RequestName, input: unknown) => answers(name, input) },
    });
  });
  afterEach(() => {
    useSeries.setState(useSeries.getInitialState());
    vi.unstubAllGlobals();
  });
  const input = {
    amount: { text: '20', locale: 'en-GB' },
    charge: { orderNumber: 'A-1-6', description: 'Membership', consent: 'By phone' },
    reason: 'agreed-payment' as const,
    insist: false,
  };

  test('a charge has one intent for each opening and another one after a refusal, and the form stays open', async () => {
    await useSeries.getState().open({ profileId: 'p', orderNumber: 'A-1' });
    await useSeries.getState().startCharge();
    const opened = useSeries.getState().form;
    expect(opened).toMatchObject({ firstOrder: 'A-1', offer });
    const twice = [useSeries.getState().charge(input), useSeries.getState().charge(input)];
    await Promise.all(twice);
    expect(sent.map(({ intent }) => intent)).toEqual([opened?.intent]);
    await useSeries.getState().charge(input);
    const [before, after] = sent;
    expect(after?.intent).not.toBe(before?.intent);
    expect(useSeries.getState().form).not.toBeNull();
    useSeries.getState().stopCharge();
    expect(useSeries.getState().form).toBeNull();
  });
});
