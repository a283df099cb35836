import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { windowNews } from '../../../main/app/desktop/change-broadcaster.ts';
import type { Notice, NoticeName } from '../../../shared/contract/index.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { asEvent, callback } from '../../../tools/evidence/evidence.ts';

/** What the window is told of what was written, and how often. */

let told: { name: NoticeName; notice: Notice<NoticeName> }[];
let news: ReturnType<typeof windowNews>;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  news = windowNews({ notify: (name, notice) => void told.push({ name, notice }) });
});
afterEach(() => {
  news.stop();
  vi.useRealTimers();
});

const arrival = (orderNumber: string): Event =>
  asEvent(callback(0, 'sale', 'success', { order_number: orderNumber, card_token: 'tok' }));
const key = (orderNumber: string) => ({ profileId: 'shop', orderNumber });
const hear = (orderNumber: string): void => news.heard([key(orderNumber)], [arrival(orderNumber)]);
const payments = (): string[][] =>
  told.flatMap(({ name, notice }) =>
    name === 'payments.changed'
      ? [(notice as Notice<'payments.changed'>).payments.map(({ orderNumber }) => orderNumber)]
      : [],
  );
const callbacks = (): Event[][] =>
  told.flatMap(({ name, notice }) =>
    name === 'callbacks.arrived' ? [(notice as Notice<'callbacks.arrived'>).events] : [],
  );

test('the first change is told at once, those that follow closely in one word, each payment once', () => {
  for (const orderNumber of ['A', 'B', 'C', 'B']) hear(orderNumber);
  expect(payments()).toEqual([['A']]);
  vi.runAllTimers();
  expect(payments()).toEqual([['A'], ['B', 'C']]);
  hear('D');
  expect(payments()).toEqual([['A'], ['B', 'C'], ['D']]);
});

test('of a flood of callbacks the window gets the latest, without their tokens', () => {
  for (let count = 0; count < 1_000; count += 1) hear(`F-${count}`);
  vi.runAllTimers();
  expect(payments().flat()).toHaveLength(1_000);
  const last = callbacks().at(-1) ?? [];
  expect(last).toHaveLength(200);
  expect(JSON.stringify(callbacks())).not.toContain('tok"');
});

test('in a flood the window is told once a second, so that it can do something else', () => {
  for (let count = 0; count < 100; count += 1) hear(`F-${count}`);
  vi.advanceTimersByTime(50);
  expect(payments()).toHaveLength(2);
  hear('after');
  vi.advanceTimersByTime(900);
  expect(payments()).toHaveLength(2);
  vi.advanceTimersByTime(100);
  expect(payments().at(-1)).toEqual(['after']);
});

test('a callback that names no order changes no payment', () => {
  news.heard([], [arrival('A')]);
  expect(payments()).toEqual([]);
  expect(callbacks()).toHaveLength(1);
});
