import './without-window.ts';
import { resetLocalTimeZone, setLocalTimeZone } from '@internationalized/date';
import { expect, test } from 'vitest';
import { resultOf } from '../../renderer/screens/callbacks/callbacks-screen.tsx';
import type { Received } from '../../renderer/queries/callbacks.ts';
import { matchesFilter } from '../../renderer/screens/callbacks/deliveries.ts';
import { asEvent, callback, start } from '../../tools/evidence/evidence.ts';

/** The inbox of callbacks: what a row says, and which rows a filter shows. */

const received = (type: string, status: string, verdict: 'verified' | 'invalid' = 'verified'): Received => {
  const event = asEvent(callback(0, type, status));
  if (event.kind !== 'callback.received') throw new Error(event.kind);
  return {
    ...event,
    body: { ...event.body, verification: { ...event.body.verification, verdict } },
  };
};

test('a verified callback has its result in plain words, never “paid” for a redirect', () => {
  expect(resultOf(received('sale', 'success'))).toBe('reported.claim.paid');
  expect(resultOf(received('redirect', 'success'))).toBe('reported.claim.link-issued');
  expect(resultOf(received('custom', 'success'))).toBeNull();
});

test('an unverified callback has no result in words', () => {
  expect(resultOf(received('sale', 'success', 'invalid'))).toBeNull();
});

test('a filter shows only callbacks that are not verified, or those of today', () => {
  const [good, bad] = [received('sale', 'success'), received('sale', 'success', 'invalid')];
  expect([good, bad].map(event => matchesFilter(event, 'not-verified', start))).toEqual([false, true]);
  expect([good, bad].map(event => matchesFilter(event, 'all', start))).toEqual([true, true]);
  expect(matchesFilter(good, 'today', good.happenedAt)).toBe(true);
  expect(matchesFilter(good, 'today', good.happenedAt + 2 * 86_400_000)).toBe(false);
});

test('today in the inbox is a day of the merchant’s books, in any zone of the PC', () => {
  const event = { ...received('sale', 'success'), happenedAt: Date.UTC(2026, 10, 21, 10, 30) };
  const anHourLater = event.happenedAt + 3_600_000;
  try {
    setLocalTimeZone('UTC');
    expect(matchesFilter(event, 'today', anHourLater)).toBe(true);
    // There it is half past eleven in the evening, and then half past midnight.
    setLocalTimeZone('Pacific/Auckland');
    expect(matchesFilter(event, 'today', anHourLater)).toBe(false);
  } finally {
    resetLocalTimeZone();
  }
});
