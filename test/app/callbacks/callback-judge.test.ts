import { afterEach, expect, test, vi } from 'vitest';
import { createCallbackJudge } from '../../../main/app/callbacks/callback-judge.ts';
import type { Event, Verification } from '../../../shared/payments/evidence.ts';
import { asEvent, callback, verified } from '../../../tools/evidence/evidence.ts';

const noPassword: Verification = { verdict: 'no-password', uppercasing: null, digest: 'md5' };
const received = (profileId: string, verification = noPassword): Event =>
  asEvent(callback(0, 'sale', 'success', {}, verification, { profileId }));

/** Installations that share one table of claims. */
const claims = new Map<string, string>();
const judged: string[] = [];
const installation = (name: string, profiles: readonly string[], recent: readonly Event[] = []) =>
  createCallbackJudge({
    hasPassword: async profileId => profiles.includes(profileId),
    claim: async task => {
      const holder = claims.get(task) ?? name;
      claims.set(task, holder);
      return holder === name;
    },
    judge: async (profileId, callbacks) => {
      judged.push(...callbacks.map(() => `${name} ${profileId}`));
    },
    recent: async () => recent,
  });
afterEach(() => {
  vi.useRealTimers();
  claims.clear();
  judged.length = 0;
});

test('one installation with the password judges a callback for all', async () => {
  const desks = [
    installation('one', []),
    installation('two', ['shop', 'sandbox']),
    installation('three', ['shop']),
  ];
  const events = [received('shop'), received('shop', verified), received('hotel'), received('sandbox')];
  for (const desk of desks) desk.onEventsElsewhere(events);
  await vi.waitFor(() => expect(judged).toEqual(['two shop']));
  for (const desk of desks) desk.stop();
});

test('callbacks that the claiming installation has left are judged by another one later', async () => {
  vi.useFakeTimers();
  claims.set('judge:shop', 'gone');
  const desk = installation('two', ['shop']);
  desk.onEventsElsewhere([received('shop')]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(judged).toEqual([]);
  claims.clear();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(judged).toEqual(['two shop']);
  desk.stop();
});

test('a new connection looks at the last callbacks, once', async () => {
  const desk = installation('one', ['shop'], [received('shop')]);
  for (const isConnected of [false, true, true]) desk.onConnection(isConnected);
  await vi.waitFor(() => expect(judged).toEqual(['one shop']));
  desk.onConnection(false);
  desk.onConnection(true);
  await vi.waitFor(() => expect(judged).toHaveLength(2));
});
