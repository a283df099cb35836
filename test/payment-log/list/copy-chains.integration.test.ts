import fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import { createCopier, type ChainSource, type Copier } from '../../../main/payment-log/list/copy-chains.ts';
import { chainsOf, requested, start } from '../../../tools/evidence/evidence.ts';
import {
  expectConsistent,
  expected,
  growing,
  histories,
  listed,
  newOrders,
  notes,
  opened,
  recorded,
  withTimes,
} from './lists.ts';

/** Copying chains into a list, from a source that grows meanwhile. */

const forward = async (copier: Copier): Promise<void> => {
  await copier.compare();
  while (await copier.forward());
};

test('a copy that is interrupted anywhere, while its chains grow, has everything once at the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), steps: fc.nat({ max: 6 }) }), {
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 5 }),
      async (events, runs, pageSize, atOnce) => {
        const chains = chainsOf(events);
        const { database, foreign } = opened();
        const { source, grow } = growing(chains, atOnce);
        const seen: string[] = [];
        for (const { share, steps } of [...runs, { share: 1, steps: Number.POSITIVE_INFINITY }]) {
          grow(share);
          // A new copier, as after a restart.
          const copier = createCopier(
            foreign,
            source,
            stored => seen.push(...stored.events.map(({ id }) => id)),
            pageSize,
          );
          await forward(copier);
          for (let step = 0; step < steps && (await copier.backward()); step += 1);
          const { done, total } = copier.progress();
          expect(done).toBeLessThanOrEqual(total);
          if (steps === Number.POSITIVE_INFINITY) expect(done).toBe(total);
        }
        expect(seen.toSorted()).toEqual(events.map(({ draft }) => draft.id).toSorted());
        expect(listed(database)).toEqual(expected(database, chains, recorded(events, chains)));
        expectConsistent(database);
        database.close();
      },
    ),
    { numRuns: runs(20) },
  );
});

test('events of one millisecond keep the order of their chain, however it is read', async () => {
  const chains = chainsOf(notes(60).map((one, index) => ({ ...one, at: start + Math.floor(index / 25) })));
  const { database, foreign } = opened();
  const { source, grow } = growing(chains, 4);
  grow(0.6);
  const first = createCopier(foreign, source, () => undefined, 3);
  await forward(first);
  await first.backward();
  grow(1);
  const second = createCopier(foreign, source, () => undefined, 3);
  await forward(second);
  while (await second.backward());
  expect(
    database.prepare<[], number>('SELECT writer_seq FROM event ORDER BY placed_at, writer_seq').pluck().all(),
  ).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
});

test('a chain with a gap is copied down to the gap', async () => {
  const chains = chainsOf(notes(20));
  const { foreign } = opened();
  const { source, grow } = growing(chains, 100);
  grow(1);
  const holed: ChainSource = {
    ...source,
    read: async (...range) => (await source.read(...range)).filter(({ writerSeq }) => writerSeq !== 8),
  };
  const copier = createCopier(foreign, holed, () => undefined, 5);
  await forward(copier);
  while (await copier.backward());
  expect(foreign.held()).toMatchObject([{ writer: 'console-2', low: 11, high: 20 }]);
  const mended = createCopier(foreign, source, () => undefined, 5);
  await forward(mended);
  while (await mended.backward());
  expect(foreign.held()).toMatchObject([{ low: 1, high: 20 }]);
});

test('a copy continues after its file could not be written for a while', async () => {
  const chains = chainsOf(notes(20));
  const { database, foreign } = opened();
  const { source, grow } = growing(chains, 100);
  grow(1);
  const copier = createCopier(foreign, source, () => undefined, 5);
  await forward(copier);
  await copier.backward();
  database.pragma('query_only = ON');
  await expect(copier.backward()).rejects.toThrow('readonly');
  database.pragma('query_only = OFF');
  await forward(copier);
  while (await copier.backward());
  expect(foreign.held()).toMatchObject([{ low: 1, high: 20 }]);
});

test('a chain whose times decrease keeps no other chain out of a new list', async () => {
  const hostile = chainsOf(newOrders('console-2', 'X', 600)).get('console-2') ?? [];
  const { database, foreign } = opened();
  const { source, grow } = growing(
    new Map([
      ['console-2', withTimes(hostile, at => start + (600 - at) * 1_000_000)],
      ...chainsOf(newOrders('intake', 'CF', 30)),
    ]),
    1_000,
  );
  grow(1);
  const copier = createCopier(foreign, source, () => undefined);
  await forward(copier);
  let rounds = 0;
  for (; await copier.backward(); rounds += 1) expect(rounds).toBeLessThan(10);
  expect(copier.progress()).toEqual({ done: 630, total: 630 });
  expect(Object.keys(listed(database)).filter(order => order.startsWith('CF-'))).toHaveLength(30);
});

test('a chain that was continued otherwise than it is here is copied again', async () => {
  const written = (agent: string, events: number) =>
    Array.from({ length: events }, (_, at) => ({
      writer: 'console-2',
      at: start + at,
      draft: {
        ...requested(at),
        orderNumber: at < 5 ? `CF-${at}` : `CF-${agent}-${at}`,
        agent: at < 5 ? 'Ada' : agent,
      },
    }));
  const { database, foreign } = opened();
  const before = growing(chainsOf(written('Ada', 8)), 100);
  before.grow(1);
  const first = createCopier(foreign, before.source, () => undefined);
  await forward(first);
  while (await first.backward());
  for (const events of [12, 8, 7]) {
    const continued = growing(chainsOf(written(`Ben${events}`, events)), 100);
    continued.grow(1);
    const second = createCopier(foreign, continued.source, () => undefined);
    // A fork that shows only in the next event is found while it is stored.
    for (let round = 0; round < 3; round += 1) await forward(second);
    while (await second.backward());
    expect(Object.keys(listed(database)).toSorted()).toEqual(
      written(`Ben${events}`, events)
        .map(({ draft }) => draft.orderNumber)
        .toSorted(),
    );
    expect(foreign.leftOut()).toEqual([]);
    expectConsistent(database);
  }
});
