import './without-window.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useRefundRun } from '../../renderer/stores/reports/refund-run-store.ts';
import type { RequestName } from '../../shared/contract/contract.ts';
import type { OperationOffer } from '../../shared/contract/payments/operation-requests.ts';
import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { exportedRow } from '../export/exported-payments.ts';

type Sent = {
  orderNumber: string;
  paymentId: string;
  intent: string;
  amount: { text: string };
  reason: string;
};

let sent: Sent[];
let answer: (form: Sent) => Result<unknown> | Promise<Result<unknown>>;
let currency: string;
let offered: (orderNumber: string) => OperationOffer['payments'];

const payment = (
  paymentId: string,
  changes: Partial<OperationOffer['payments'][number]['balance']> = {},
) => ({
  paymentId,
  cardLast4: '1111',
  balance: {
    paid: '10.00',
    returned: '2.50',
    hasUnknownPart: false,
    onTheWay: '0.00',
    remaining: '7.50',
    ...changes,
  },
  offers: [{ kind: 'refund' as const, refusal: null }],
  voidUntil: null,
  holdUntil: null,
});
const done = ({ intent }: Sent, state = 'accepted') => ({
  ok: true as const,
  value: { payment: { operations: [{ intent, state, message: null }] } },
});
const rows: PaymentRow[] = [1, 2, 3].map(exportedRow);
const run = () => useRefundRun.getState();
const outcomes = () => run().results.map(({ row, outcome }) => [row.orderNumber, outcome]);

beforeEach(() => {
  sent = [];
  currency = 'EUR';
  answer = form => done(form);
  offered = orderNumber => [payment(`p-${orderNumber}`)];
  const request = async (name: RequestName, input: Sent): Promise<Result<unknown>> => {
    if (name === 'operations.send') {
      sent.push(input);
      return answer(input);
    }
    if (name === 'operations.begin') return { ok: true, value: { intent: crypto.randomUUID() } };
    const offer: OperationOffer = {
      currency,
      payments: offered(input.orderNumber),
      needsOrderNumber: false,
      limits: { perOperation: null, leftToday: null, secondPersonFrom: null },
      approvers: [],
    };
    return { ok: true, value: offer };
  };
  vi.stubGlobal('window', { api: { request } });
});
afterEach(() => {
  run().stop();
  run().close();
  vi.unstubAllGlobals();
});

describe('refunds one after the other', () => {
  test('refunds one after the other send what is left of each payment, once, each under another intent, with the reason kept', async () => {
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    for (const _ of rows) await run().send('de-DE');
    expect(sent.map(({ paymentId, amount, reason }) => [paymentId, amount.text, reason])).toEqual([
      ['p-A-1', '7,50', 'goodwill'],
      ['p-A-2', '7,50', 'goodwill'],
      ['p-A-3', '7,50', 'goodwill'],
    ]);
    expect(new Set(sent.map(({ intent }) => intent)).size).toBe(3);
    expect(run().phase).toBe('ended');
    expect(outcomes()).toEqual([
      ['A-1', 'accepted'],
      ['A-2', 'accepted'],
      ['A-3', 'accepted'],
    ]);
  });

  test.each([
    ['JPY', '1000.00', '1000'],
    ['KWD', '10.12', '10,120'],
    ['EUR', '100', '100,00'],
  ])(
    'refunds one after the other send %s %s with the digits of the currency, although the provider writes others',
    async (code, wire, typed) => {
      currency = code;
      offered = () => [payment('p', { remaining: wire })];
      await run().start(rows);
      run().change({ reason: 'goodwill' });
      await run().send('de-DE');
      expect(sent.map(({ amount }) => amount.text)).toEqual([typed]);
    },
  );

  test('refunds one after the other are not sent without a reason, and not twice by a second press', async () => {
    await run().start(rows);
    await run().send('en');
    expect(sent).toEqual([]);
    run().change({ reason: 'goodwill' });
    await Promise.all([run().send('en'), run().send('en')]);
    expect(sent).toHaveLength(1);
  });

  test('refunds one after the other never offer a payment again whose request was sent, for any answer', async () => {
    offered = () => [payment('same')];
    answer = () => fail('log.full', msg('error.log.full'));
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    await run().send('en');
    expect(sent).toHaveLength(1);
    expect(outcomes()[0]).toEqual(['A-1', 'unknown']);
    // Another order with the same payment id is another payment.
    expect(run().items[0]?.row.orderNumber).toBe('A-2');
    await run().start(rows);
    expect(run().items[0]?.row.orderNumber).toBe('A-2');
  });

  test('refunds one after the other stop after the one that is being sent, with every result kept', async () => {
    let respond: (result: Result<unknown>) => void = () => undefined;
    answer = () => new Promise(resolve => (respond = resolve));
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    const sending = run().send('en');
    run().stop();
    expect(run().phase).toBe('sending');
    run().close();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    respond(
      done(sent[0] ?? { orderNumber: '', paymentId: '', intent: '', amount: { text: '' }, reason: '' }),
    );
    await sending;
    expect(run().phase).toBe('ended');
    expect(outcomes()).toEqual([
      ['A-1', 'accepted'],
      ['A-2', 'not-reached'],
      ['A-3', 'not-reached'],
    ]);
  });

  test('refunds one after the other are left to the page of a payment of which an unknown part went back elsewhere', async () => {
    offered = () => [payment('p', { hasUnknownPart: true })];
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    await run().send('en');
    expect(sent).toEqual([]);
    run().leave();
    expect(run().phase).toBe('closed');
  });

  test('refunds one after the other stay at a payment whose order number was mistyped: nothing was sent', async () => {
    answer = () => fail('input.invalid', msg('operation.type-order'));
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    await run().send('en');
    expect(run()).toMatchObject({ phase: 'asking', results: [], problem: { code: 'input.invalid' } });
    answer = form => done(form);
    await run().send('en');
    expect(outcomes()).toEqual([['A-1', 'accepted']]);
    expect(new Set(sent.map(({ intent }) => intent)).size).toBe(2);
  });

  test('refunds one after the other name the refusal of the gateway, and pass over what cannot be refunded', async () => {
    offered = orderNumber =>
      orderNumber === 'A-1'
        ? [payment('p', { onTheWay: '7.50', remaining: '0.00' })]
        : [payment(`p-${orderNumber}`)];
    answer = () => fail('gateway.refused', msg('error.gateway.refused'), { details: { stored: true } });
    await run().start(rows);
    run().change({ reason: 'goodwill' });
    await run().send('en');
    await run().skip();
    expect(run().results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['not-offered', msg('operation.under-way')],
      ['refused', msg('error.gateway.refused')],
      ['skipped', null],
    ]);
  });
});
