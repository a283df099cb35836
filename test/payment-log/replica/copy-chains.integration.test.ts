import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCopier, type ChainSource } from '../../../main/payment-log/replica/copy-chains.ts';
import { chainsOf } from '../../../tools/evidence/chains.ts';
import { note, start } from '../../../tools/evidence/evidence.ts';
import { expectConsistent, expected, growing, histories, listed, opened, recorded } from './replicas.ts';

/** Copying chains into a replica, from a source that grows meanwhile. */

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
        const { database, replica } = opened();
        const { source, grow } = growing(chains, atOnce);
        const seen: string[] = [];
        for (const { share, steps } of [...runs, { share: 1, steps: Number.POSITIVE_INFINITY }]) {
          grow(share);
          // A new copier, as after a restart.
          const copier = createCopier(
            replica,
            source,
            stored => seen.push(...stored.events.map(({ id }) => id)),
            { atMost: pageSize },
          );
          await copier.forward();
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
    { numRuns: 50 },
  );
});

test('events of one millisecond keep the order of their chain, however it is read', async () => {
  const chains = chainsOf(
    Array.from({ length: 60 }, (_, at) => ({
      writer: 'console-2',
      at: start + Math.floor(at / 25),
      draft: note(at, `Note ${at}`),
    })),
  );
  const { database, replica } = opened();
  const { source, grow } = growing(chains, 4);
  grow(0.6);
  const first = createCopier(replica, source, () => undefined, { atMost: 3 });
  await first.forward();
  await first.backward();
  grow(1);
  const second = createCopier(replica, source, () => undefined, { atMost: 3 });
  await second.forward();
  while (await second.backward());
  expect(database.prepare<[], number>('SELECT writer_seq FROM event ORDER BY seq').pluck().all()).toEqual(
    Array.from({ length: 60 }, (_, at) => at + 1),
  );
});

test('a chain with a gap is copied down to the gap', async () => {
  const chains = chainsOf(
    Array.from({ length: 20 }, (_, at) => ({
      writer: 'console-2',
      at: start + at,
      draft: note(at, `Note ${at}`),
    })),
  );
  const { replica } = opened();
  const { source, grow } = growing(chains, 100);
  grow(1);
  const holed: ChainSource = {
    ...source,
    read: async (...range) => (await source.read(...range)).filter(({ writerSeq }) => writerSeq !== 8),
  };
  const copier = createCopier(replica, holed, () => undefined, { atMost: 5 });
  await copier.forward();
  while (await copier.backward());
  expect(replica.held()).toMatchObject([{ writer: 'console-2', low: 11, high: 20 }]);
  const mended = createCopier(replica, source, () => undefined, { atMost: 5 });
  await mended.forward();
  while (await mended.backward());
  expect(replica.held()).toMatchObject([{ low: 1, high: 20 }]);
});

test('a copy continues after its file could not be written for a while', async () => {
  const chains = chainsOf(
    Array.from({ length: 20 }, (_, at) => ({
      writer: 'console-2',
      at: start + at,
      draft: note(at, `Note ${at}`),
    })),
  );
  const { database, replica } = opened();
  const { source, grow } = growing(chains, 100);
  grow(1);
  const copier = createCopier(replica, source, () => undefined, { atMost: 5 });
  await copier.forward();
  await copier.backward();
  database.pragma('query_only = ON');
  await expect(copier.backward()).rejects.toThrow('readonly');
  database.pragma('query_only = OFF');
  await copier.forward();
  while (await copier.backward());
  expect(replica.held()).toMatchObject([{ low: 1, high: 20 }]);
});
