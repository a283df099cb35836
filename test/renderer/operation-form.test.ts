import './without-window.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  besideForm,
  readOperationForm,
  refusedInForm,
} from '../../renderer/screens/payment/operations/operation-form.ts';
import {
  useOperation,
  type OperationFields,
  type OperationForm,
} from '../../renderer/stores/payments/operation-store.ts';
import type { BegunOperation, OpenOperation } from '../../shared/contract/contract.ts';
import { msg } from '../../shared/messages/message.ts';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';
import { answerAsMain } from './answer-as-main.ts';

/** The form of an operation: what is read, what is missing, and what is sent. */

const noLimits = { perOperation: null, leftToday: null, secondPersonFrom: null };
const begun: BegunOperation = {
  intent: 'i',
  currency: 'EUR',
  paymentId: 'p',
  cardLast4: '1111',
  balance: { paid: '80.00', returned: '0.00', hasUnknownPart: false, onTheWay: '0.00', remaining: '80.00' },
  needsOrderNumber: false,
  limits: noLimits,
  approvers: [],
  voidUntil: null,
  holdUntil: null,
  refusal: null,
  open: [],
};
const fields: OperationFields = {
  extent: 'part',
  amount: '10.00',
  reason: 'goodwill',
  text: '',
  typedOrder: '',
  approver: null,
  pin: '',
  orderNumber: 'A-1-6',
  description: 'Membership',
  consent: 'By phone on 24 November',
};
const formOf = (kind: OperationKind, changes: Partial<OperationFields>, known: Partial<BegunOperation>) => ({
  profileId: 'shop',
  orderNumber: 'A-1',
  kind,
  paymentId: 'p',
  begun: { ...begun, ...known },
  fields: { ...fields, ...changes },
  suggestedOrder: 'A-1-6',
  usedOrder: null,
});
const readAs = (
  kind: OperationKind,
  changes: Partial<OperationFields> = {},
  known: Partial<BegunOperation> = {},
  locale = 'en-GB',
) =>
  readOperationForm(formOf(kind, changes, known), {
    ordered: '80.00',
    rule: 'own-digits',
    locale,
    language: 'en',
  });
const problems = (...of: Parameters<typeof readAs>): string[] => Object.keys(readAs(...of).problems);

test('the form of an operation reads a part in the locale, in words and with what is left', () => {
  expect(readAs('refund', { amount: '10,5' }, {}, 'de-DE')).toMatchObject({
    amount: '10.50',
    words: 'ten euros and fifty cents',
    left: '69.50',
    problems: {},
  });
});

test.each<[OperationKind, Partial<OperationFields>, string[]]>([
  ['refund', { extent: null }, ['extent']],
  ['refund', { amount: '' }, ['amount']],
  ['refund', { amount: '0' }, ['amount']],
  ['refund', { amount: '80.01' }, ['amount']],
  ['refund', { amount: '80.00' }, []],
  ['refund', { extent: 'whole', amount: '' }, []],
  ['refund', { reason: null }, ['reason']],
  ['refund', { reason: 'other' }, ['text']],
  ['capture', { extent: null }, ['extent']],
  ['capture', { amount: '80.01' }, ['amount']],
  ['void', { extent: null, amount: '' }, []],
  ['retry', { extent: null, amount: '' }, []],
  ['recurring', { extent: null }, []],
  ['recurring', { extent: null, amount: '9000' }, []],
  ['recurring', { extent: null, amount: '' }, ['amount']],
  ['recurring', { orderNumber: 'A 1' }, ['orderNumber']],
  ['recurring', { description: ' x ' }, ['description']],
  ['recurring', { consent: ' ' }, ['consent']],
  ['recurring', { amount: '', consent: '', reason: null }, ['amount', 'consent', 'reason']],
])('the form of a %s with %o needs %o', (kind, changes, missing) => {
  expect(problems(kind, changes)).toEqual(missing);
});

test.each<OperationKind>(['refund', 'void', 'capture', 'retry', 'recurring'])(
  'the form of a %s has the limits of the person, a second person from one of them, and the order number of a live profile',
  kind => {
    const limited = (changes: Partial<BegunOperation['limits']>) => ({
      limits: { ...noLimits, ...changes },
    });
    const whole = { amount: '80' };
    const field = kind === 'void' || kind === 'retry' ? 'extent' : 'amount';
    expect(problems(kind, whole, limited({ perOperation: '79.99' }))).toEqual([field]);
    expect(problems(kind, whole, limited({ leftToday: '0.00' }))).toEqual([field]);
    expect(problems(kind, whole, limited({ perOperation: '80.00', leftToday: '80.00' }))).toEqual([]);
    const second = limited({ secondPersonFrom: '80.00' });
    expect(problems(kind, whole, second)).toEqual(['approver', 'pin']);
    expect(problems(kind, { ...whole, approver: 'b', pin: '246' }, second)).toEqual(['pin']);
    expect(problems(kind, { ...whole, approver: 'b', pin: '2468' }, second)).toEqual([]);
    expect(problems(kind, whole, limited({ secondPersonFrom: '80.01' }))).toEqual([]);
    expect(problems(kind, { typedOrder: 'A-2' }, { needsOrderNumber: true })).toEqual(['typedOrder']);
    expect(problems(kind, { typedOrder: ' A-1 ' }, { needsOrderNumber: true })).toEqual([]);
  },
);

test('the form of an operation shows a refused field at its place, and the rest of a refusal beside the form', () => {
  const message = msg('charge.order.taken');
  const taken = { code: 'input.invalid' as const, message, fields: [{ path: 'orderNumber', message }] };
  expect(refusedInForm(formOf('recurring', {}, {}), taken)).toEqual({ orderNumber: message });
  expect(besideForm(taken)).toBeNull();
  expect(besideForm({ ...taken, code: 'operation.limit' })).toMatchObject({ fields: [] });
  const beyond = { ...taken, fields: [{ path: 'amount', message }] };
  expect(refusedInForm(formOf('void', {}, {}), beyond)).toEqual({ extent: message });
});

describe('what is sent', () => {
  type Input = Record<string, unknown>;
  let requests: { name: string; input: Input }[];
  let answer: (input: Input) => unknown;
  let open: readonly OpenOperation[];
  const store = () => useOperation.getState();
  const form = (): OperationForm | null => store().form;
  const sends = () => requests.filter(({ name }) => name === 'operations.send').map(({ input }) => input);
  const error = (code: string, details = {}) => ({
    ok: false,
    error: { code, message: msg('operation.under-way'), details },
  });
  const carriedOut = (state: string) => (input: Input) => ({
    ok: true,
    value: { payment: { operations: [{ intent: input['intent'], state, kind: 'refund' }] } },
  });
  const target = { profileId: 'shop', orderNumber: 'A-1', paymentId: 'p' };
  const openOne: OpenOperation = {
    id: 'earlier',
    kind: 'refund',
    amount: '5.00',
    agent: 'Ben',
    at: 0,
    state: 'accepted',
  };

  beforeEach(async () => {
    requests = [];
    answer = carriedOut('accepted');
    open = [];
    answerAsMain((name, input) => {
      requests.push({ name, input });
      if (name === 'operations.begin')
        return { ok: true, value: { ...begun, intent: `intent ${requests.length}`, open } };
      if (name === 'operations.series') return { ok: true, value: { series: { suggestedOrder: 'A-1-7' } } };
      return name === 'operations.send' ? answer(input) : { ok: true, value: {} };
    });
    useOperation.setState(useOperation.getInitialState());
    await store().openForm({ ...target, kind: 'refund' });
    store().change({ extent: 'part', amount: '10', reason: 'goodwill', text: 'Broken' });
  });
  afterEach(() => vi.unstubAllGlobals());

  test('an operation is sent once for two presses, with the amount as it was typed', async () => {
    await Promise.all([store().send('de-DE'), store().send('de-DE')]);
    expect(sends()).toMatchObject([
      { ...target, intent: 'intent 1', amount: { text: '10', locale: 'de-DE' }, charge: null, seen: [] },
    ]);
    expect(form()).toBeNull();
  });

  test('the whole amount crosses the window as such, and a cancellation has none', async () => {
    store().change({ extent: 'whole' });
    answer = () => error('gateway.refused');
    await store().send('en');
    await store().choose('void', 'p');
    store().change({ reason: 'goodwill' });
    await store().send('en');
    expect(sends().map(({ amount }) => amount)).toEqual([{ whole: true }, null]);
  });

  test('the form of an operation keeps what was typed after a refusal but the PIN, and is opened again in main', async () => {
    store().change({ approver: 'b', pin: '2468' });
    answer = () => error('agent.wrong-pin');
    await store().send('en');
    expect(form()?.fields).toMatchObject({ amount: '10', text: 'Broken', approver: 'b', pin: '' });
    await store().send('en');
    const intents = sends().map(({ intent }) => intent);
    expect(new Set(intents).size).toBe(2);
  });

  test('insisting names the open operations that were shown, and ends with another amount or another open operation', async () => {
    answer = () => error('operation.under-way');
    open = [openOne];
    await store().send('en');
    store().insist(true);
    await store().send('en');
    expect(store().insists).toBe(true);
    store().change({ amount: '11' });
    expect(store().insists).toBe(false);
    store().insist(true);
    open = [openOne, { ...openOne, id: 'later' }];
    await store().send('en');
    expect(store().insists).toBe(false);
    expect(sends().map(({ seen }) => seen)).toEqual([[], ['earlier'], ['earlier']]);
  });

  test('another amount needs the PIN of the second person again', () => {
    store().change({ approver: 'b', pin: '2468' });
    store().change({ amount: '50' });
    expect(form()?.fields).toMatchObject({ approver: 'b', pin: '' });
  });

  test('another operation has another intent, and a late answer about the one before it changes nothing', async () => {
    await Promise.all([store().choose('capture', 'p'), store().choose('void', 'p')]);
    expect(form()).toMatchObject({ kind: 'void', begun: { intent: 'intent 3' }, fields: { extent: null } });
  });

  test('an operation whose result is unknown is not sent again from the form', async () => {
    answer = carriedOut('unknown');
    await store().send('en');
    await store().send('en');
    expect(sends()).toHaveLength(1);
    expect(store().ended?.state).toBe('unknown');
    store().close();
    expect(form()).toBeNull();
  });

  test('the form of an operation is not closed while it is being sent: the wait is cancelled by its intent', async () => {
    let end: (value: unknown) => void = () => undefined;
    answer = () => new Promise(resolve => (end = resolve));
    const sending = store().send('en');
    store().close();
    expect(store()).toMatchObject({ wantsToClose: true, form: { fields: { amount: '10' } } });
    store().stop();
    expect(requests.at(-1)).toEqual({ name: 'payments.cancelWait', input: { requestId: 'intent 1' } });
    end(error('gateway.cancelled'));
    await sending;
  });

  test('a charge is sent with its order, and takes the next free order number only after one that used it up', async () => {
    await store().openForm(
      { ...target, kind: 'recurring' },
      { orderNumber: 'A-1-6', description: 'Membership' },
    );
    store().change({ amount: '20', consent: 'By phone', reason: 'agreed-payment' });
    answer = () => error('gateway.refused');
    await store().send('en');
    expect(form()).toMatchObject({ fields: { orderNumber: 'A-1-6' }, usedOrder: null });
    answer = () => error('gateway.refused', { stored: true, orderNumber: 'A-1-6' });
    await store().send('en');
    expect(form()).toMatchObject({ fields: { orderNumber: 'A-1-7' }, usedOrder: 'A-1-6' });
    expect(sends()[0]).toMatchObject({
      operation: 'recurring',
      charge: { orderNumber: 'A-1-6', description: 'Membership', consent: 'By phone' },
    });
  });
});
