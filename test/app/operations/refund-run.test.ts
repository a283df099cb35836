import { beforeEach, expect, test, vi } from 'vitest';
import type { AppDependencies } from '../../../main/app/common/app-context.ts';
import { createRefundRun } from '../../../main/app/operations/refund-run.ts';
import type { Handlers, OperationOffer, RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { exportedRow } from '../../export/exported-payments.ts';

type Sent = RequestParsed<'operations.send'>;

let sent: Sent[];
/** The recorded state of an operation (`null`: none was recorded), and the answer. */
let answer: (form: Sent) => [state: string | null, answer: Result<unknown>] | Promise<never>;
let offered: (orderNumber: string) => OperationOffer['payments'];
let recorded: { intent: string; state: string; message: null }[];
let handlers: ReturnType<typeof createRefundRun>['handlers'];
let notices: unknown[];
/** What the payment log has of each order beside the usual. */
let logged: Partial<Payment>;

const payment = (
  paymentId: string,
  changes: Partial<OperationOffer['payments'][number]['balance']> = {},
): OperationOffer['payments'][number] => ({
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
  offers: [{ kind: 'refund', refusal: null }],
  voidUntil: null,
  holdUntil: null,
});

beforeEach(() => {
  sent = [];
  recorded = [];
  notices = [];
  logged = {};
  answer = () => ['accepted', ok({})];
  offered = orderNumber => [payment(`p-${orderNumber}`)];
  const operations = {
    'operations.offer': async ({ orderNumber }: { orderNumber: string }) =>
      ok({
        currency: 'EUR',
        payments: offered(orderNumber),
        needsOrderNumber: false,
        limits: { perOperation: null, leftToday: null, secondPersonFrom: null },
        approvers: [],
      }),
    'operations.begin': async () => ok({ intent: crypto.randomUUID() }),
    'operations.send': async (form: Sent) => {
      sent.push(form);
      const [state, result] = await answer(form);
      if (state !== null) recorded.push({ intent: form.intent, state, message: null });
      return result;
    },
  } as unknown as Handlers;
  const read = async (_profileId: string, orderNumber: string) =>
    ({
      ...exportedRow(Number(orderNumber.slice(2))),
      operations: recorded,
      link: null,
      links: [],
      attempts: [],
      ...logged,
    }) as unknown as Payment;
  const parts = {
    log: ok({ payment: read }),
    clock: () => 0,
    notify: (_name: string, notice: unknown) => notices.push(notice),
  } as unknown as AppDependencies;
  ({ handlers } = createRefundRun(parts, operations));
});

const orders = ['A-1', 'A-2', 'A-3'];
const start = () =>
  handlers['refunds.start']({ payments: orders.map(orderNumber => ({ profileId: 'shop', orderNumber })) });
const current = async () => {
  const answered = await handlers['refunds.read']({});
  return answered.ok ? answered.value.run : null;
};
const control = (to: 'skip' | 'stop' | 'forget') => handlers['refunds.control']({ to });
const send = async () =>
  handlers['refunds.send']({
    paymentId: (await current())?.item?.paymentId ?? '',
    reason: 'goodwill',
    text: '',
    typedOrder: '',
  });
const outcomes = async () =>
  (await current())?.results.map(({ orderNumber, outcome }) => [orderNumber, outcome]) ?? [];

test('refunds one after the other send what is left of each payment, once, each under another intent, and keep the results', async () => {
  await start();
  for (const _ of orders) await send();
  expect(sent.map(({ paymentId, amount }) => [paymentId, amount])).toEqual(
    orders.map(one => [`p-${one}`, { whole: true }]),
  );
  expect(new Set(sent.map(({ intent }) => intent)).size).toBe(3);
  expect(await current()).toMatchObject({ phase: 'ended', total: 3 });
  expect(await outcomes()).toEqual(orders.map(one => [one, 'accepted']));
  // Another run would lose the results.
  expect(await start()).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  await control('forget');
  expect(await current()).toBeNull();
  expect(notices.at(-1)).toEqual({ run: null });
});

test('refunds one after the other are not sent twice by a second press, nor for another payment than the shown one', async () => {
  await start();
  await handlers['refunds.send']({ paymentId: 'p-A-2', reason: 'goodwill', text: '', typedOrder: '' });
  expect(sent).toEqual([]);
  await Promise.all([send(), send()]);
  expect(sent).toHaveLength(1);
});

test('refunds one after the other never offer a payment again whose request was sent, for any answer', async () => {
  offered = () => [payment('same')];
  answer = () => [null, fail('log.full', msg('error.log.full'))];
  await start();
  await send();
  expect(await outcomes()).toEqual([['A-1', 'unknown']]);
  // Another order with the same payment id is another payment.
  expect(await current()).toMatchObject({ place: 2, item: { row: { orderNumber: 'A-2' } } });
});

test('refunds one after the other stop after the one that is being sent, with every result kept', async () => {
  const { promise, resolve } = Promise.withResolvers<never>();
  answer = () => promise;
  await start();
  const sending = send();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await control('stop');
  await control('forget');
  expect(await current()).toMatchObject({ phase: 'sending', wantsToStop: true });
  resolve(['accepted', ok({})] as never);
  await sending;
  expect(await outcomes()).toEqual([
    ['A-1', 'accepted'],
    ['A-2', 'not-reached'],
    ['A-3', 'not-reached'],
  ]);
});

test('of two payments of an order a run refunds the one that the order’s head names, and the other only on its page', async () => {
  offered = orderNumber => (orderNumber === 'A-3' ? [] : [payment('first'), payment('second')]);
  const entry = { kind: 'paid', at: 0, amount: '10.00', isCounter: false } as Payment['entries'][number];
  logged = {
    state: 'paid-confirmed',
    flags: [{ kind: 'settled-twice', values: { paymentIds: 'first second' }, events: [] }],
    entries: ['first', 'second'].map(paymentId => ({ ...entry, paymentId })),
  };
  await start();
  await send();
  await control('skip');
  const several = msg('refund-run.several');
  expect(
    (await current())?.results.map(({ paymentId, outcome, message }) => [paymentId, outcome, message]),
  ).toEqual([
    ['second', 'accepted', null],
    ['first', 'not-sent', several],
    ['second', 'skipped', null],
    ['first', 'not-sent', several],
    [null, 'not-offered', msg('operation.no.switched-off')],
  ]);
  expect(sent.map(({ paymentId }) => paymentId)).toEqual(['second']);
  await control('forget');
  // Nothing says which one.
  logged = {};
  await start();
  expect((await current())?.results[0]).toMatchObject({ outcome: 'not-offered', message: several });
  expect(sent).toHaveLength(1);
});

test('refunds one after the other ask again about a payment whose money moved since it was shown', async () => {
  await start();
  const part = { remaining: '3.50' };
  for (const change of [
    () => void (offered = () => [payment('p-A-1', part)]),
    // Of another payment of the order, which has nothing left.
    () => void (logged = { entries: [{ kind: 'refund' } as Payment['entries'][number]] }),
    () => void (offered = () => [payment('p-A-1', { ...part, hasUnknownPart: true })]),
  ]) {
    change();
    await send();
    expect(await current()).toMatchObject({
      phase: 'asking',
      results: [],
      item: { paymentId: 'p-A-1', ...part },
      problem: { code: 'operation.refused', message: msg('operation.money-moved') },
    });
  }
  expect((await current())?.item?.onlyOnPage).toBe('unknown-part');
  expect(sent).toEqual([]);
  offered = () => [payment('p-A-2')];
  await control('skip');
  await send();
  expect(sent).toHaveLength(1);
});

test('refunds one after the other are left to the page of a payment of which an unknown part went back elsewhere', async () => {
  offered = () => [payment('p', { hasUnknownPart: true })];
  await start();
  await send();
  expect(sent).toEqual([]);
  expect((await current())?.item?.onlyOnPage).toBe('unknown-part');
});

test('refunds one after the other stay at a payment whose order number was mistyped: nothing was sent', async () => {
  answer = () => [null, fail('input.invalid', msg('operation.type-order'))];
  await start();
  await send();
  expect(await current()).toMatchObject({
    phase: 'asking',
    results: [],
    problem: { code: 'input.invalid' },
  });
  answer = () => ['accepted', ok({})];
  await send();
  expect(await outcomes()).toEqual([['A-1', 'accepted']]);
  expect(new Set(sent.map(({ intent }) => intent)).size).toBe(2);
});

test('refunds one after the other name the refusal of the gateway, and pass over what cannot be refunded', async () => {
  offered = orderNumber => [
    orderNumber === 'A-1'
      ? payment('p', { onTheWay: '7.50', remaining: '0.00' })
      : payment(`p-${orderNumber}`),
  ];
  answer = () => [
    'refused',
    fail('gateway.refused', msg('error.gateway.refused'), { details: { stored: true } }),
  ];
  await start();
  await send();
  await control('skip');
  expect((await current())?.results.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['not-offered', msg('operation.under-way')],
    ['refused', msg('error.gateway.refused')],
    ['skipped', null],
  ]);
});

test.each([
  ['redirected after it was sent', 'gateway.redirected', 'refused', 'refused'],
  ['stopped before it was sent', 'agent.not-allowed', 'not-sent', 'not-sent'],
  ['refused before it was recorded', 'operation.limit', null, 'not-sent'],
] as const)(
  'the result of a refund that was %s is what was recorded',
  async (_title, code, state, outcome) => {
    answer = () => [state, fail(code, msg('error.internal'), { details: { stored: state !== null } })];
    await start();
    await send();
    expect((await outcomes())[0]).toEqual(['A-1', outcome]);
  },
);
