import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentQuery } from '../../renderer/queries/payment.ts';
import { listQuery, type PaymentList } from '../../renderer/queries/payment-list.ts';
import {
  paymentFilterSchema,
  type IpcApi,
  type IpcEvent,
  type RequestName,
} from '../../shared/contract/contract.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import { hasCallback, newPayment, startTestApp, type TestApp } from '../../tools/app-harness/running-app.ts';

/** What the window shows after changes of payments. */

type Changed = IpcEvent<'payments.changed'>;
let app: TestApp;
const listeners = new Set<(changed: Changed) => void>();
/** The requests of the window. */
let asked: RequestName[] = [];
/** Sends a change event to the window. */
const change = (payments: readonly PaymentKey[] | null): void => {
  for (const listener of listeners) listener({ payments: payments && [...payments] });
};

beforeAll(async () => {
  app = await startTestApp();
  const api = {
    request: (name: RequestName, input: never) => {
      asked.push(name);
      return app.request(name, input);
    },
    subscribe: (_name: string, listener: (changed: Changed) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  vi.stubGlobal('window', { api: api as unknown as IpcApi, setTimeout, clearTimeout });
  listQuery.hold(filter);
  few = await create('FEW', 25);
  for (const { orderNumber } of few) await app.until(orderNumber, hasCallback);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await app.remove();
});

const key = (orderNumber: string): PaymentKey => ({ profileId: 'sandbox', orderNumber });
const create = async (prefix: string, count: number): Promise<PaymentKey[]> => {
  const keys = Array.from({ length: count }, (_, at) => key(`${prefix}-${at}`));
  for (const one of keys) await app.value('payments.create', newPayment(one));
  return keys;
};
const filter = paymentFilterSchema.parse({ words: 'FEW' });
const list = (): PaymentList | null => listQuery.get(filter).value;
/** The number of recorded events, of each row on the screen. */
const shownEvents = (): number[] => (list()?.rows ?? []).map(({ events }) => events);

let few: PaymentKey[];

test('each row on the screen is read again in one request, however many change at once', async () => {
  await listQuery.read(filter);
  const before = shownEvents();
  for (const one of few) await app.value('payments.note', { ...one, text: 'Called' });
  asked = [];
  change(few);
  await expect.poll(shownEvents).toEqual(before.map(events => events + 1));
  expect(list()?.newer).toBe(0);
  expect(asked).toEqual(['payments.rows']);
});

test('a change that names no payments updates the list and the open payment', async () => {
  const [first] = few as [PaymentKey];
  await listQuery.read(filter);
  paymentQuery.hold(first);
  const before = shownEvents();
  await app.value('payments.note', { ...first, text: 'Will pay on Monday' });
  change(null);
  await expect.poll(() => JSON.stringify(paymentQuery.get(first).value)).toContain('Will pay on Monday');
  await expect.poll(shownEvents).toEqual([...before.slice(0, -1), (before.at(-1) ?? 0) + 1]);
});

test('the number of new payments counts those that the list would show, once each', async () => {
  await listQuery.read(filter);
  const others = await create('OTHER', 1);
  const [one, two] = await create('FEW-MORE', 2);
  for (const changed of [others, [one, two], [one], [one]]) {
    asked = [];
    change(changed as PaymentKey[]);
    await expect.poll(() => asked).toContain('payments.list');
  }
  await expect.poll(() => list()?.newer).toBe(2);
  await listQuery.read(filter);
  expect(list()).toMatchObject({ newer: 0, rows: { length: 27 } });
});
