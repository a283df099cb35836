import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maskEvent } from '../../../main/app/payments/mask-event.ts';
import { createChangeBroadcaster } from '../../../main/app/desktop/change-broadcaster.ts';
import type { IpcEvent, IpcEventName } from '../../../shared/contract/contract.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { asEvent, callback, lookUp } from '../../../tools/evidence/evidence.ts';

/** The change events for the window, and their rate. */

let emitted: { name: IpcEventName; notice: IpcEvent<IpcEventName> }[];
let changeBroadcaster: ReturnType<typeof createChangeBroadcaster>;
beforeEach(() => {
  vi.useFakeTimers();
  emitted = [];
  changeBroadcaster = createChangeBroadcaster({
    notify: (name, payload) => void emitted.push({ name, notice: payload }),
  });
});
afterEach(() => {
  changeBroadcaster.stop();
  vi.useRealTimers();
});

const arrival = (orderNumber: string): Event =>
  asEvent(callback(0, 'sale', 'success', { order_number: orderNumber, card_token: 'tok' }));
const key = (orderNumber: string) => ({ profileId: 'shop', orderNumber });
const receive = (orderNumber: string): void =>
  changeBroadcaster.onEventsWritten([key(orderNumber)], [arrival(orderNumber)]);
const payments = (): string[][] =>
  emitted.flatMap(({ name, notice }) =>
    name === 'payments.changed'
      ? [((notice as IpcEvent<'payments.changed'>).payments ?? []).map(({ orderNumber }) => orderNumber)]
      : [],
  );
const callbacks = (): Event[][] =>
  emitted.flatMap(({ name, notice }) =>
    name === 'callbacks.arrived' ? [(notice as IpcEvent<'callbacks.arrived'>).events] : [],
  );

test('the first change is sent at once, close ones in one batch, each payment once', () => {
  for (const orderNumber of ['A', 'B', 'C', 'B']) receive(orderNumber);
  expect(payments()).toEqual([['A']]);
  vi.runAllTimers();
  expect(payments()).toEqual([['A'], ['B', 'C']]);
  receive('D');
  expect(payments()).toEqual([['A'], ['B', 'C'], ['D']]);
});

test('under a flood of callbacks the window gets the latest ones, without their tokens', () => {
  for (let count = 0; count < 1_000; count += 1) receive(`F-${count}`);
  vi.runAllTimers();
  expect(payments().flat()).toHaveLength(1_000);
  const last = callbacks().at(-1) ?? [];
  expect(last).toHaveLength(200);
  expect(JSON.stringify(callbacks())).not.toContain('tok"');
});

test('the window gets no token of a look-up or an answer either', () => {
  const secret = { card_token: 'tok', 'data.recurring_token': 'tok' };
  const observed = maskEvent(asEvent(lookUp(0, 'settled', { extra: secret })));
  expect(JSON.stringify(observed)).toContain('card_token');
  expect(JSON.stringify(observed)).not.toContain('tok"');
});

test('under high load the window is notified once a second, so that it stays responsive', () => {
  for (let count = 0; count < 100; count += 1) receive(`F-${count}`);
  vi.advanceTimersByTime(50);
  expect(payments()).toHaveLength(2);
  receive('after');
  vi.advanceTimersByTime(900);
  expect(payments()).toHaveLength(2);
  vi.advanceTimersByTime(100);
  expect(payments().at(-1)).toEqual(['after']);
});

test('a change that names no payments reaches the window, and names none', () => {
  changeBroadcaster.onEventsWritten(null, []);
  receive('A');
  changeBroadcaster.onEventsWritten(null, []);
  vi.runAllTimers();
  const sent = emitted.flatMap(({ name, notice }) => (name === 'payments.changed' ? [notice] : []));
  expect(sent).toEqual([{ payments: null }, { payments: null }]);
  receive('B');
  vi.runAllTimers();
  expect(payments().at(-1)).toEqual(['B']);
});

test('a callback without an order number changes no payment', () => {
  changeBroadcaster.onEventsWritten([], [arrival('A')]);
  expect(payments()).toEqual([]);
  expect(callbacks()).toHaveLength(1);
});
