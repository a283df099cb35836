import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { followJournal } from '../../../main/payment-log/sqlite/list/follow-journal.ts';
import { keepList, type KeptList, type SharedConnection } from '../../../main/payment-log/list/keep-list.ts';
import { logWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { chainsOf, requested, start } from '../../../tools/evidence/evidence.ts';
import { expectConsistent, growing, listed, newOrders, now, opened } from './lists.ts';

/** A list that follows a journal and a shared log, which comes and goes. */

const closing: KeptList[] = [];
afterEach(async () => {
  for (const kept of closing.splice(0)) await kept.close();
});

const kept = () => {
  const { database, foreign, transactions, journal } = opened();
  const writer = logWriter(journal, 'here', () => start);
  let own = 0;
  const others = growing(
    chainsOf([...newOrders('console-2', 'TWO', 6, 1_000), ...newOrders('intake', 'IN', 6, 1_000)]),
    100,
  );
  let news: () => void = () => undefined;
  let isAway = false;
  let silence: Promise<never> | null = null;
  let endSilence: () => void = () => undefined;
  let connections = 0;
  let looks = 0;
  const fresh: string[] = [];
  const lost = (): Promise<never> => Promise.reject(new Error('Connection terminated'));
  const source: SharedConnection['source'] = {
    ends: () => {
      looks += 1;
      return silence ?? (isAway ? lost() : others.source.ends());
    },
    read: (...range) => (isAway ? lost() : others.source.read(...range)),
    confirmErased: () => Promise.resolve(true),
    erasedOf: () => Promise.resolve([]),
  };
  const follower = keepList({
    journal: followJournal(database, journal, transactions),
    foreign,
    transactions,
    onListed: () => undefined,
    onBroken: () => undefined,
    onStored: ({ events }, isNew) => {
      if (isNew) fresh.push(...events.map(({ orderNumber }) => orderNumber ?? ''));
    },
    clock: () => now,
  });
  follower.follow(() => {
    if (isAway) return Promise.resolve(fail('log.unreachable', msg('error.log.unreachable')));
    connections += 1;
    return Promise.resolve(
      ok({
        source,
        onNews: listener => (news = listener),
        // A connection that is closed ends its requests.
        close: () => Promise.resolve(endSilence()),
      }),
    );
  });
  closing.push(follower);
  return {
    database,
    follower,
    /** Writes this number of own payments. */
    write: (payments: number): void => {
      for (; payments > 0; payments -= 1, own += 1)
        writer.write([[{ ...requested(own), orderNumber: `OWN-${own}` }]]);
    },
    others,
    fresh,
    news: () => news(),
    connections: () => connections,
    looks: () => looks,
    setSilent: () => {
      silence = new Promise((_, reject) => {
        endSilence = () => reject(new Error('Connection terminated'));
      });
    },
    setAway: (away: boolean) => (isAway = away),
    count: (prefix: string) => Object.keys(listed(database)).filter(order => order.startsWith(prefix)).length,
  };
};

test('a list shows at once what is written here and elsewhere, and only that is new', async () => {
  const { database, follower, write, others, fresh, news, count } = kept();
  write(3);
  others.grow(0.5);
  await expect.poll(() => follower.foreign()?.levelAt).toBe(now);
  expect([count('OWN'), count('TWO'), count('IN')]).toEqual([3, 3, 3]);
  expect(fresh).toEqual([]);
  others.grow(0.6);
  news();
  await expect.poll(() => count('TWO')).toBe(4);
  write(1);
  follower.ownWritten();
  await expect.poll(() => count('OWN')).toBe(4);
  expect(fresh.toSorted()).toEqual(['IN-3', 'TWO-3']);
  expect(follower.foreign()).toMatchObject({
    isConnected: true,
    problem: null,
    progress: { done: 8, total: 8 },
    leftOut: [],
  });
  expectConsistent(database);
});

test('a list shows its own payments without the shared log, and everything after it returns', async () => {
  const { database, follower, write, others, news, connections, setAway, count } = kept();
  others.grow(0.5);
  await expect.poll(() => count('TWO')).toBe(3);
  setAway(true);
  news();
  await expect.poll(() => follower.foreign()?.isConnected).toBe(false);
  expect(follower.foreign()?.problem?.code).toBe('log.unreachable');
  write(6);
  others.grow(1);
  follower.ownWritten();
  await expect.poll(() => count('OWN')).toBe(6);
  // What it knows of the others stays.
  expect(count('TWO')).toBe(3);
  setAway(false);
  await expect.poll(() => count('TWO') + count('IN')).toBe(12);
  await expect.poll(() => follower.foreign()?.problem).toBeNull();
  expect(connections()).toBe(2);
  expectConsistent(database);
});

test('a shared log that does not answer keeps no own payment out of the list', async () => {
  const { follower, write, news, setSilent, count } = kept();
  write(3);
  await expect.poll(() => count('OWN')).toBe(3);
  setSilent();
  news();
  write(3);
  follower.ownWritten();
  await expect.poll(() => count('OWN')).toBe(6);
});

test('a file that cannot be written is the problem, not the server, and it is level after it can be', async () => {
  const { database, follower, others, news, connections, count } = kept();
  others.grow(0.5);
  await expect.poll(() => count('TWO')).toBe(3);
  await expect.poll(() => follower.foreign()?.isLevel).toBe(true);
  database.pragma('query_only = ON');
  others.grow(1);
  news();
  await expect.poll(() => follower.foreign()?.problem?.code).toBe('log.read-only');
  expect(follower.foreign()).toMatchObject({ isConnected: true, isLevel: false });
  database.pragma('query_only = OFF');
  news();
  await expect.poll(() => follower.foreign()?.isLevel).toBe(true);
  expect([count('TWO'), connections(), follower.foreign()?.problem]).toEqual([6, 1, null]);
});

test('a list reads no news without a person at the console, and everything is there when one comes', async () => {
  const { follower, others, news, looks, count } = kept();
  await expect.poll(() => follower.foreign()?.isLevel).toBe(true);
  follower.attend(false);
  const before = looks();
  others.grow(1);
  for (let round = 0; round < 20; round += 1) {
    news();
    await setImmediate();
  }
  expect(looks()).toBe(before);
  follower.attend(true);
  await expect.poll(() => count('TWO')).toBe(6);
});
