import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirmations } from '../../main/desk/confirmations.ts';
import type { LookUp } from '../../main/desk/payments.ts';
import { ok } from '../../shared/errors.ts';
import type { EventOf } from '../../shared/evidence.ts';
import { asEvent, callback, lookUp as lookedUp } from '../log/evidence.ts';

/** What the console asks the gateway by itself after it was told that a payment is paid. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const paid = (paymentId: string) =>
  asEvent(callback(0, 'sale', 'success', { id: paymentId }, undefined, { paymentId }));

/** A gateway that takes a tenth of a second for an answer; how many were under way at once, and what was asked. */
const gateway = (answer: () => 'settled' | 'pending') => {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const lookUp: LookUp = async (_profileId, key) => {
    asked.push(key.value);
    now += 1;
    most = Math.max(most, now);
    await new Promise(resolve => setTimeout(resolve, 100));
    now -= 1;
    return ok(asEvent(lookedUp(0, answer())) as EventOf<'status.observed'>);
  };
  return { lookUp, asked, most: () => most };
};

test('of a thousand payments that turn paid at once each is asked about once, and two at a time', async () => {
  const { lookUp, asked, most } = gateway(() => 'settled');
  const confirming = confirmations(lookUp, () => true);
  const ids = Array.from({ length: 1_000 }, (_, at) => `payment-${at}`);
  confirming.consider(ids.map(paid));
  // The same callback delivered again while it waits asks for nothing more.
  confirming.consider(ids.slice(0, 10).map(paid));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual(ids);
  expect(most()).toBe(2);
  confirming.stop();
});

test('one that is not settled yet is asked about again, later each time, and then no more', async () => {
  const { lookUp, asked } = gateway(() => 'pending');
  const confirming = confirmations(lookUp, () => true);
  confirming.consider([paid('slow')]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(75_000);
  expect(asked).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(asked).toHaveLength(5);
});

test('nothing is asked where the settings do not want it, nor after it was stopped', async () => {
  const { lookUp, asked } = gateway(() => 'settled');
  let wanted = false;
  const confirming = confirmations(lookUp, () => wanted);
  confirming.consider([paid('unwanted')]);
  wanted = true;
  confirming.consider([paid('stopped')]);
  confirming.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
});
