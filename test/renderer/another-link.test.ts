import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { customerQuery, useCustomer, type Customer } from '../../renderer/queries/customer.ts';
import { paymentQuery, usePayment } from '../../renderer/queries/payment.ts';
import { msg } from '../../shared/messages/message.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { accepted, asEvent, callback, requested } from '../../tools/evidence/evidence.ts';
import { answerAsMain } from './answer-as-main.ts';

/** Another link for the same order, and joins that are undone, from the pages of a payment and a customer. */

const requests: { name: string; input: Record<string, unknown> }[] = [];
let answers: Record<string, unknown> = {};
const respond = (name: string, input: Record<string, unknown>): unknown => {
  requests.push({ name, input });
  return { ok: true, value: {}, ...(answers[name] as object) };
};
beforeEach(() => answerAsMain(respond));
afterEach(() => vi.unstubAllGlobals());

const sent = (name: string) => requests.filter(one => one.name === name).map(({ input }) => input);
const forged = { customer_name: 'Mallory Forger', customer_email: 'mallory@example.com' };
const fileOf = (events: Parameters<typeof asEvent>[0][]) => {
  const all = events.map(asEvent);
  return { payment: reducePayment(all), events: all, earlier: null };
};
const question = {
  ok: false,
  error: { code: 'payment.same-intent', message: msg('error.payment.same-intent') },
};
const key = { profileId: 'shop', orderNumber: 'A-1' };

beforeEach(() => {
  requests.length = 0;
  answers = { 'payments.read': { value: fileOf([requested(), accepted()]) } };
});

test('another link never carries the details of an unsigned callback as if they had been typed', async () => {
  const events = [requested(0, { customer: null }), accepted(), callback(60_000, 'sale', 'fail', forged)];
  answers['payments.read'] = { value: fileOf(events) };
  usePayment.getState().open(key);
  await paymentQuery.read(key);
  expect(paymentQuery.get(key).value?.payment.customerFrom).toBe('callback');
  await usePayment.getState().createAnotherLink();
  expect(sent('payments.create')).toMatchObject([{ customer: null }]);
});

test('another link for an order asks if the customer has one of another order, and is sent after the answer', async () => {
  answers['payments.create'] = question;
  usePayment.getState().open(key);
  await paymentQuery.read(key);
  await usePayment.getState().createAnotherLink();
  expect(usePayment.getState().actionProblem?.code).toBe('payment.same-intent');
  await usePayment.getState().createAnotherLink(true);
  expect(sent('payments.create')).toMatchObject([
    { allowDuplicate: true, allowSameIntent: false },
    { allowDuplicate: true, allowSameIntent: true },
  ]);
});

test('the page of a customer asks the same, and reports no error', async () => {
  answers['payments.create'] = question;
  useCustomer.getState().open(key);
  await customerQuery.read(key);
  expect(await useCustomer.getState().createLink(key, false)).toMatchObject({
    hasLink: false,
    question: { code: 'payment.same-intent' },
  });
  expect(useCustomer.getState().actionProblem).toBeNull();
});

test('undoing a join separates what was joined, not the spellings that another person joined before', async () => {
  const details = { name: null, email: null, phone: null, payments: 1 };
  const joined = (id: string) => ({ id, agent: 'Ada', at: 0 });
  answers['customers.read'] = {
    value: {
      customer: {
        spellings: [
          { ...details, orderNumber: 'A-1', joined: null },
          { ...details, orderNumber: 'B-2', joined: joined('new') },
          { ...details, orderNumber: 'B-1', joined: joined('earlier') },
        ],
      } as unknown as Customer,
    },
  };
  answers['customers.join'] = { value: { joined: 'new' } };
  useCustomer.getState().open(key);
  await customerQuery.read(key);
  await useCustomer.getState().join({ name: 'B', orderNumber: 'B-1' });
  await useCustomer.getState().undo();
  expect(sent('customers.separate')).toMatchObject([{ joined: 'new' }]);
});
