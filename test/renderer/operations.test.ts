import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OperationOffer } from '../../shared/contract/contract.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Movement } from '../../shared/payments/movement.ts';
import { msg } from '../../shared/messages/message.ts';
import { isContradicted, ledgerRows } from '../../renderer/screens/payment/operations/ledger.ts';
import { cancelUntil, offeredActions } from '../../renderer/screens/payment/operations/offered-actions.ts';
import { readOperationForm } from '../../renderer/screens/payment/operations/operation-form.ts';
import { operationScript } from '../../renderer/screens/payment/operations/operation-script.ts';
import { useOperation, type OperationFields } from '../../renderer/stores/payments/operation-store.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { asEvent, callback, lookUp, payer } from '../../tools/evidence/evidence.ts';
import { answerAsMain } from './answer-as-main.ts';

/** Operations after a payment: what is offered, what is read and sent, and what the phone script is. */

const requests: { name: string; input: Record<string, unknown> }[] = [];
let respond: (input: Record<string, unknown>) => unknown = () => null;
beforeEach(() =>
  answerAsMain((name, input) => {
    requests.push({ name, input });
    if (name !== 'operations.begin') return respond(input);
    const open = [{ id: 'other' }];
    return { ok: true, value: { intent: crypto.randomUUID(), open } };
  }),
);
afterEach(() => vi.unstubAllGlobals());

const movement = (kind: Movement['kind'], amount: string | null): Movement => ({
  kind,
  at: 0,
  amount,
  paymentId: 'p',
  rrn: null,
  approvalCode: null,
});
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

const fields = (changes: Partial<OperationFields> = {}): OperationFields => ({
  kind: 'refund',
  paymentId: 'p',
  extent: 'part',
  amount: '10.00',
  reason: 'goodwill',
  text: '',
  typedOrder: '',
  approver: null,
  pin: '',
  ...changes,
});
const read = (changes: Partial<OperationFields>, offer: Partial<OperationOffer> = {}, locale = 'en-GB') =>
  readOperationForm(fields(changes), offered([]), {
    offer: { ...offerOf(), ...offer },
    ordered: '80.00',
    orderNumber: 'A-1',
    locale,
    language: 'en',
  });
const problems = (...of: Parameters<typeof read>): string[] => Object.keys(read(...of).problems);

describe('the form', () => {
  test('the form of an operation reads a part in the locale, in words and with what is left', () => {
    expect(read({ amount: '10,50' }, {}, 'de-DE')).toMatchObject({
      amount: '10.50',
      words: 'ten euros and fifty cents',
      left: '69.50',
      problems: {},
    });
  });

  test('the form of an operation sends nothing without an amount, a reason or a note for another reason, and at most what is left', () => {
    expect(problems({ extent: null })).toEqual(['extent']);
    expect(problems({ amount: '' })).toEqual(['amount']);
    expect(problems({ amount: '0' })).toEqual(['amount']);
    expect(problems({ amount: '80.01' })).toEqual(['amount']);
    expect(problems({ amount: '80.00' })).toEqual([]);
    expect(problems({ reason: null })).toEqual(['reason']);
    expect(problems({ reason: 'other' })).toEqual(['text']);
    expect(problems({ kind: 'void', extent: null })).toEqual([]);
  });

  test('the form of an operation of a live profile needs the order number, exactly', () => {
    expect(problems({ typedOrder: 'A-2' }, { needsOrderNumber: true })).toEqual(['typedOrder']);
    expect(problems({ typedOrder: ' A-1 ' }, { needsOrderNumber: true })).toEqual([]);
  });

  test('the form of an operation needs a second person from the limit on, also for a cancellation', () => {
    const limits = { perOperation: null, leftToday: null, secondPersonFrom: '50.00' };
    expect(problems({ amount: '49.99' }, { limits })).toEqual([]);
    expect(problems({ amount: '50.00' }, { limits })).toEqual(['approver', 'pin']);
    expect(problems({ kind: 'void' }, { limits })).toEqual(['approver', 'pin']);
    expect(problems({ amount: '50.00', approver: 'b', pin: '2468' }, { limits })).toEqual([]);
  });

  test('the form of an operation refuses an amount above the limits of the person', () => {
    const limits = { perOperation: '20.00', leftToday: '5.00', secondPersonFrom: null };
    expect(read({ amount: '20.01' }, { limits }).problems.amount?.key).toBe('operation.limit.one');
    expect(read({ amount: '5.01' }, { limits }).problems.amount?.key).toBe('operation.limit.day');
    expect(problems({ extent: 'whole' }, { limits })).toEqual(['extent']);
    expect(problems({ kind: 'void', extent: null }, { limits })).toEqual(['extent']);
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

describe('the request', () => {
  const sends = () => requests.filter(({ name }) => name === 'operations.send').map(({ input }) => input);
  const error = (code: string) => ({ ok: false, error: { code, message: msg('operation.under-way') } });
  beforeEach(async () => {
    requests.length = 0;
    useOperation.setState({ key: { profileId: 'shop', orderNumber: 'A-1' }, isSending: false });
    await useOperation.getState().openForm('refund', 'p');
    useOperation.getState().change({ extent: 'part', amount: '10', reason: 'goodwill', text: 'Broken' });
  });

  test('the request of an operation is sent once for two presses', async () => {
    respond = input => ({ ok: true, value: { payment: { operations: [{ ...operation(), ...input }] } } });
    const { send } = useOperation.getState();
    await Promise.all([send({ text: '10', locale: 'en' }), send({ text: '10', locale: 'en' })]);
    expect(sends()).toHaveLength(1);
    expect(useOperation.getState().fields).toBeNull();
  });

  test('the form of an operation keeps what was typed after a refusal, is a new decision, and insists only when a person does', async () => {
    respond = () => error('operation.under-way');
    const store = useOperation.getState();
    await store.send({ text: '10', locale: 'en' });
    expect(useOperation.getState()).toMatchObject({
      fields: { amount: '10', text: 'Broken' },
      problem: { code: 'operation.under-way' },
    });
    await store.send({ text: '10', locale: 'en' });
    store.insist(true);
    await store.send({ text: '10', locale: 'en' });
    expect(sends().map(({ seen }) => seen)).toEqual([[], [], ['other']]);
    expect(new Set(sends().map(({ intent }) => intent)).size).toBe(3);
    store.change({ amount: '11' });
    expect(useOperation.getState().insists).toBe(false);
  });

  test('an operation whose result is unknown is not sent again from the form', async () => {
    respond = input => ({
      ok: true,
      value: { payment: { operations: [{ ...operation({ state: 'unknown' }), intent: input['intent'] }] } },
    });
    const { send, close } = useOperation.getState();
    await send({ text: '10', locale: 'en' });
    await send({ text: '10', locale: 'en' });
    expect(sends()).toHaveLength(1);
    expect(useOperation.getState().ended?.state).toBe('unknown');
    close();
    expect(useOperation.getState().fields).toBeNull();
  });

  test('the form of an operation is not closed while it is being sent: the wait is cancelled by its intent', async () => {
    let end: (value: unknown) => void = () => undefined;
    respond = () => new Promise(resolve => (end = resolve));
    const sending = useOperation.getState().send({ text: '10', locale: 'en' });
    const { close, stop, intent } = useOperation.getState();
    close();
    expect(useOperation.getState()).toMatchObject({ wantsToClose: true, fields: { amount: '10' } });
    respond = () => ({ ok: true, value: { stopped: true } });
    stop();
    expect(requests.at(-1)).toEqual({ name: 'payments.cancelWait', input: { requestId: intent } });
    end(error('gateway.cancelled'));
    await sending;
  });
});
