import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChainedEvent } from '../../../main/payment-log/answers.ts';
import { createCopier } from '../../../main/payment-log/replica/copy-chains.ts';
import { monthsBefore } from '../../../main/payment-log/replica/positions.ts';
import type { ReplicaWriter } from '../../../main/payment-log/replica/replica-writer.ts';
import { chainsOf } from '../../../tools/evidence/chains.ts';
import { requested, start } from '../../../tools/evidence/evidence.ts';
import { expectConsistent, growing, histories, listed, opened } from './replicas.ts';

/** Replicas of some months only. */

type Chains = ReadonlyMap<string, readonly ChainedEvent[]>;

/** Copies what was recorded since an instant, and completes the orders that continue after it. */
const copySince = async (replica: ReplicaWriter, chains: Chains, since: number): Promise<void> => {
  const { source, grow } = growing(chains, 3);
  grow(1);
  const copier = createCopier(replica, source, () => undefined, { since: () => since, atMost: 2 });
  await copier.forward();
  while (await copier.backward());
  const { done, total } = copier.progress();
  expect(done).toBe(total);
  const all = [...chains.values()].flat();
  for (let orders = replica.unfinished(2); orders.length > 0; orders = replica.unfinished(2)) {
    const numbers = orders.map(({ orderNumber }) => orderNumber);
    replica.complete(
      orders.map(({ payment }) => payment),
      all.filter(one => numbers.includes(one.orderNumber ?? '') && one.recordedAt < since),
    );
  }
};

/** The events of each order, ten milliseconds apart, and an instant among them. */
const splitHistories = fc.tuple(histories, fc.nat({ max: 100 })).map(([events, share]) => ({
  chains: chainsOf(events.map((one, at) => ({ ...one, at: start + at * 10 }))),
  since: start + Math.floor((events.length * share) / 100) * 10,
}));

/** The rows of the orders that have an event since an instant, as a replica of everything lists them. */
const rowsSince = async (chains: Chains, since: number): Promise<Record<string, string>> => {
  const { database, replica } = opened();
  await copySince(replica, chains, 0);
  const recent = new Set(
    [...chains.values()].flat().flatMap(one => (one.recordedAt >= since ? [one.orderNumber] : [])),
  );
  const rows = Object.entries(listed(database)).filter(([order]) => recent.has(order));
  database.close();
  return Object.fromEntries(rows);
};

test('a replica of some months lists every payment with an event in them, as a replica of everything does', async () => {
  await fc.assert(
    fc.asyncProperty(splitHistories, async ({ chains, since }) => {
      const { database, replica } = opened(24);
      await copySince(replica, chains, since);
      expect(listed(database)).toEqual(await rowsSince(chains, since));
      expectConsistent(database);
      database.close();
    }),
    { numRuns: 50 },
  );
});

test('a month later it has what a copy of that day would have', async () => {
  await fc.assert(
    fc.asyncProperty(splitHistories, fc.nat({ max: 30 }), async ({ chains, since }, later) => {
      const { database, replica } = opened(24);
      await copySince(replica, chains, since);
      while (replica.prune(since + later * 10));
      expect(listed(database)).toEqual(await rowsSince(chains, since + later * 10));
      expectConsistent(database);
      // Nothing is left to do until the next month.
      expect(replica.prune(since + later * 10)).toBe(false);
      database.close();
    }),
    { numRuns: 50 },
  );
});

test('an event that a question for its order brought first is there once after its chain was copied', async () => {
  const chains = chainsOf([0, 1].map(at => ({ writer: 'console-2', at: start + at, draft: requested(at) })));
  const { database, replica } = opened(24);
  const [events = []] = chains.values();
  // A computer with a wrong clock has sent it meanwhile.
  replica.complete([], events.slice(1));
  replica.store([events]);
  expect(database.prepare('SELECT writer_seq AS seq FROM event ORDER BY seq').all()).toEqual([
    { seq: 1 },
    { seq: 2 },
  ]);
  expectConsistent(database);
});

test('an event whose link turns out to be wrong is left out, also if its order was fetched before and after', () => {
  const chains = chainsOf([0, 1].map(at => ({ writer: 'console-2', at: start + at, draft: requested(at) })));
  const [[first, second] = []] = chains.values();
  if (!first || !second) throw new Error('There are no events.');
  const forged = { ...second, hash: 'f'.repeat(64) };
  const { database, replica } = opened(24);
  const numbers = () => database.prepare('SELECT writer_seq FROM event ORDER BY seq').pluck().all();
  replica.complete([], [forged]);
  replica.store([[first, forged]]);
  expect(numbers()).toEqual([1]);
  replica.complete([], [forged]);
  expect(numbers()).toEqual([1]);
  expect(replica.leftOut()).toEqual([{ writer: 'console-2', problem: 'link', events: 1 }]);
  expectConsistent(database);
});

test('the months of a replica begin with the first of the month in UTC', () => {
  expect(new Date(monthsBefore(24, Date.UTC(2026, 10, 26, 12))).toISOString()).toBe(
    '2024-11-01T00:00:00.000Z',
  );
  expect(new Date(monthsBefore(1, Date.UTC(2026, 0, 1))).toISOString()).toBe('2025-12-01T00:00:00.000Z');
});
