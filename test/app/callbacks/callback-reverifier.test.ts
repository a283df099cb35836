import { afterEach, expect, test, vi } from 'vitest';
import { createCallbackReverifier } from '../../../main/app/callbacks/callbacks-feature.ts';
import { logFailure } from '../../../main/payment-log/log-failures.ts';
import { ok } from '../../../shared/errors.ts';
import type { Event, Verification } from '../../../shared/payments/evidence.ts';
import { asEvent, callback, verified } from '../../../tools/evidence/evidence.ts';

const noPassword: Verification = { verdict: 'no-password', uppercasing: null, digest: 'md5' };
const received = (profileId: string, verification = noPassword): Event =>
  asEvent(callback(0, 'sale', 'success', {}, verification, { profileId }));

/** Installations that share one table of claims. */
const claims = new Map<string, string>();
const done: string[] = [];
const installation = (name: string, profiles: readonly string[], recent: readonly Event[] = []) =>
  createCallbackReverifier({
    hasPassword: async profileId => profiles.includes(profileId),
    claim: async task => {
      const holder = claims.get(task) ?? name;
      claims.set(task, holder);
      return holder === name;
    },
    reverify: async (profileId, callbacks) => {
      done.push(...callbacks.map(() => `${name} ${profileId}`));
      return ok(undefined);
    },
    recent: async () => recent,
  });
afterEach(() => {
  vi.useRealTimers();
  claims.clear();
  done.length = 0;
});

test('one installation with the password verifies a callback for all', async () => {
  const consoles = [
    installation('one', []),
    installation('two', ['shop', 'sandbox']),
    installation('three', ['shop']),
  ];
  const events = [received('shop'), received('shop', verified), received('hotel'), received('sandbox')];
  for (const installed of consoles) installed.onEventsElsewhere(events);
  await expect.poll(() => done).toEqual(['two shop']);
  for (const installed of consoles) installed.stop();
});

test('callbacks that the claiming installation has left are verified by another one later', async () => {
  vi.useFakeTimers();
  claims.set('verify:shop', 'gone');
  const installed = installation('two', ['shop']);
  installed.onEventsElsewhere([received('shop')]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual([]);
  // It may hold the claim for ever.
  await vi.advanceTimersByTimeAsync(150_000);
  expect(done).toEqual(['two shop']);
  installed.stop();
});

test('a new connection looks at the last callbacks, once', async () => {
  const installed = installation('one', ['shop'], [received('shop')]);
  for (const isConnected of [false, true, true]) installed.onConnection(isConnected);
  await expect.poll(() => done).toEqual(['one shop']);
  installed.onConnection(false);
  installed.onConnection(true);
  await expect.poll(() => done).toHaveLength(2);
});

test('callbacks that could not be read or verified are verified later, without a new connection', async () => {
  vi.useFakeTimers();
  let failures = 2;
  let refusals = 1;
  const verifiedFor: string[] = [];
  const failOnce = (): void => {
    failures -= 1;
    if (failures >= 0) throw new Error('the log cannot be read');
  };
  const installed = createCallbackReverifier({
    hasPassword: async () => true,
    claim: async () => true,
    reverify: async profileId => {
      failOnce();
      refusals -= 1;
      if (refusals >= 0) return logFailure('log.full');
      verifiedFor.push(profileId);
      return ok(undefined);
    },
    recent: async () => {
      failOnce();
      return [received('shop')];
    },
  });
  installed.onConnection(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(verifiedFor).toEqual(['shop']);
  installed.stop();
});
