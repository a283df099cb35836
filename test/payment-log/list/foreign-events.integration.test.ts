import fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import type { ChainedEvent } from '../../../main/payment-log/answers.ts';
import type { ForeignEvents } from '../../../main/payment-log/sqlite/list/foreign-events.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { chainsOf, note, requested, start, type Written } from '../../../tools/evidence/evidence.ts';
import {
  expectConsistent,
  expected,
  histories,
  inOrder,
  listed,
  newOrders,
  notes,
  now,
  opened,
  recorded,
  writers,
} from './lists.ts';

/** The chains of several installations in a list. */

/** How the chains arrive: the part that is held grows at either end, by a number of events each time. */
const arrivals = fc.array(
  fc.record({ chain: fc.nat({ max: 2 }), isNewer: fc.boolean(), length: fc.integer({ min: 1, max: 9 }) }),
  { maxLength: 60 },
);

/** Stores chains in this way, beginning somewhere in the middle of each, until all of it is there. */
const store = (
  foreign: ForeignEvents,
  chains: ReadonlyMap<string, readonly ChainedEvent[]>,
  order: readonly { chain: number; isNewer: boolean; length: number }[],
): void => {
  const ranges = new Map<string, { low: number; high: number }>();
  const grow = (name: string, isNewer: boolean, length: number): ChainedEvent[] => {
    const chain = chains.get(name) ?? [];
    const middle = Math.floor(chain.length / 2);
    const { low, high } = ranges.get(name) ?? { low: middle, high: middle };
    const [from, to] = isNewer
      ? [high, Math.min(chain.length, high + length)]
      : [Math.max(0, low - length), low];
    ranges.set(name, { low: Math.min(low, from), high: Math.max(high, to) });
    return chain.slice(from, to);
  };
  const left = [...chains.keys()].flatMap(name =>
    [true, false].map(isNewer => ({ name, isNewer, length: Number.MAX_SAFE_INTEGER })),
  );
  const steps = order.flatMap(({ chain, ...step }) => {
    const name = writers[chain] ?? '';
    return chains.has(name) ? [{ name, ...step }] : [];
  });
  for (const { name, isNewer, length } of [...steps, ...left]) {
    const part = grow(name, isNewer, length);
    if (part.length > 0) foreign.store([part], false);
  }
};

test('a list shows what the reducer says, in any order in which the chains arrive', () => {
  fc.assert(
    fc.property(histories, arrivals, (events, order) => {
      const chains = chainsOf(events);
      const { database, foreign } = opened();
      store(foreign, chains, order);
      expect(foreign.leftOut()).toEqual([]);
      expect(listed(database)).toEqual(expected(database, chains, recorded(events, chains)));
      expectConsistent(database);
      for (const { writer, low, high } of foreign.held())
        expect([low, high]).toEqual([1, chains.get(writer)?.length]);
      database.close();
    }),
    { numRuns: runs(15) },
  );
});

test('a list shows the newest payment first, whenever its events arrive', () => {
  const written = newOrders('console-2', 'CF', 4, 86_400_000).slice(1);
  const late: Written = {
    writer: 'intake',
    at: start,
    draft: { ...note(0, 'Dated earlier'), orderNumber: 'CF-3' },
  };
  const chains = chainsOf([...written, late]);
  const { database, foreign } = opened();
  foreign.store([(chains.get('console-2') ?? []).slice(1)]);
  foreign.store([(chains.get('console-2') ?? []).slice(0, 1)]);
  expect(inOrder(database)).toEqual(['CF-3', 'CF-2', 'CF-1']);
  // An event of another installation moves a payment nowhere, for any time that it claims.
  foreign.store([chains.get('intake') ?? []]);
  expect(inOrder(database)).toEqual(['CF-3', 'CF-2', 'CF-1']);
});

test('a clock that is ahead lifts no payment above those of now', () => {
  const ahead: Written = { writer: 'console-2', at: now + 86_400_000_000, draft: requested(0) };
  const { database, foreign } = opened();
  foreign.store([...chainsOf([ahead]).values()]);
  expect(database.prepare<[], number>('SELECT placed_at FROM event').pluck().get()).toBe(now);
});

test('any number of events of one instant, however early, are listed, and the newest payments stay first', () => {
  const orders = 3_000;
  const chain = chainsOf(newOrders('console-2', 'OLD', orders).map(one => ({ ...one, at: 0 }))).get(
    'console-2',
  );
  const { database, foreign } = opened();
  foreign.store([...chainsOf([{ writer: 'intake', at: start, draft: requested(0) }]).values()]);
  for (let from = 0; from < orders; from += 100) foreign.store([(chain ?? []).slice(from, from + 100)]);
  const order = inOrder(database);
  expect(order).toHaveLength(orders + 1);
  expect(order[0]).toBe('CF-1001');
  expect(foreign.leftOut()).toEqual([]);
  expectConsistent(database);
});

test('two lists that got the same chains in any order show the same payments in the same order', () => {
  fc.assert(
    fc.property(histories, arrivals, arrivals, (events, one, other) => {
      const chains = chainsOf(events);
      const orders = [one, other].map(order => {
        const { database, foreign } = opened();
        store(foreign, chains, order);
        const listedInOrder = inOrder(database);
        database.close();
        return listedInOrder;
      });
      expect(orders[0]).toEqual(orders[1]);
    }),
    { numRuns: runs(15) },
  );
});

/** What a faulty or hostile installation makes of an event. */
const spoil = fc.constantFrom<(one: ChainedEvent) => ChainedEvent>(
  one => one,
  one => ({ ...one, values: one.values.replace(/\d/, '7').replace('a', 'b') }),
  one => ({ ...one, values: '[' }),
  one => ({ ...one, values: '[1,2,{"a":[]}]' }),
  one => ({ ...one, values: 'null' }),
  one => ({ ...one, shape: '\u0001' }),
  one => ({ ...one, shape: '{"fields":[["id"]]}', values: '' }),
  one => ({ ...one, shape: 'x'.repeat(2_000_000) }),
  one => ({ ...one, kind: 'session.accepted' }),
  one => ({ ...one, kind: 'unheard-of' }),
  one => ({ ...one, id: 'x' }),
  one => ({ ...one, hash: 'f'.repeat(64) }),
  one => ({ ...one, recordedAt: -1, happenedAt: Number.MAX_SAFE_INTEGER }),
  one => ({ ...one, recordedAt: Number.MAX_SAFE_INTEGER }),
  one => ({ ...one, personal: { salt: '00', values: '["x"]' } }),
  one => ({ ...one, agent: 'x'.repeat(5_000) }),
);

test('events of a hostile installation change no payment of others in a list', () => {
  let leftOut = 0;
  fc.assert(
    fc.property(histories, arrivals, fc.infiniteStream(spoil), (events, order, spoiled) => {
      const hostile = events
        .filter(({ writer }) => writer === 'console-2')
        .map(one => ({
          ...one,
          draft: { ...one.draft, orderNumber: `X-${one.draft.orderNumber}` } as EventDraft,
        }));
      const good = events.filter(({ writer }) => writer !== 'console-2');
      const alone = opened();
      const chains = chainsOf(good);
      store(alone.foreign, chains, order);
      const both = opened();
      const all = new Map(chains);
      for (const [name, chain] of chainsOf(hostile))
        all.set(
          name,
          chain.map(one => spoiled.next().value(one)),
        );
      store(both.foreign, all, order);
      const ofOthers = Object.entries(listed(both.database)).filter(([number]) => !number.startsWith('X-'));
      expect(Object.fromEntries(ofOthers)).toEqual(listed(alone.database));
      expectConsistent(both.database);
      for (const { writer, events: count } of both.foreign.leftOut()) {
        expect(writer).toBe('console-2');
        leftOut += count;
      }
      alone.database.close();
      both.database.close();
    }),
    { numRuns: runs(15) },
  );
  expect(leftOut).toBeGreaterThan(5);
});

test('an event that was changed afterwards is left out and named, at any place where reading began', () => {
  const chain = [...(chainsOf(newOrders('console-2', 'CF', 6)).get('console-2') ?? [])];
  const third = chain[2];
  if (!third) throw new Error('The chain is too short.');
  chain[2] = { ...third, agent: 'Mallory' };
  for (const cut of [0, 1, 2, 3, 4, 5]) {
    const { database, foreign } = opened();
    if (cut < 6) foreign.store([chain.slice(cut)]);
    if (cut > 0) foreign.store([chain.slice(0, cut)]);
    expect(Object.keys(listed(database)).toSorted()).toEqual(['CF-0', 'CF-1', 'CF-3', 'CF-4', 'CF-5']);
    expect(foreign.leftOut()).toEqual([{ writer: 'console-2', problem: 'link', events: 1 }]);
    expectConsistent(database);
  }
});

test('an account cannot fill the order of another one, with any number of chains', () => {
  const own: Written = { writer: 'intake', at: start, draft: requested(0) };
  const flood = ['console-1', 'console-2'].flatMap(writer => notes(1_050, writer));
  const chains = chainsOf([own, ...flood]);
  const { database, foreign } = opened();
  for (const writer of ['console-1', 'console-2']) foreign.noteAccount(writer, 'mallory');
  for (const writer of writers) foreign.store([chains.get(writer) ?? []]);
  expect(foreign.leftOut()).toEqual([{ writer: 'console-2', problem: 'size', events: 100 }]);
  expect(Object.keys(listed(database))).toHaveLength(1);
});

test('what was erased in the shared log is erased in a list, and found by no word', () => {
  const named: Written = {
    writer: 'console-2',
    at: start,
    draft: requested(0, { customer: { name: 'Zoë Quist', email: 'zoe@example.com' } }),
  };
  const chains = chainsOf([named]);
  const { database, foreign } = opened();
  foreign.store([...chains.values()]);
  const found = () =>
    database.prepare<[], number>("SELECT count(*) FROM search WHERE search MATCH 'uis'").pluck().get();
  expect(found()).toBe(1);
  const [event] = chains.get('console-2') ?? [];
  const amended = {
    writer: 'console-2',
    writerSeq: 1,
    id: event?.id ?? '',
    by: { writer: 'console-1', writerSeq: 9 },
  };
  expect(foreign.erase([amended], now).payments).toHaveLength(1);
  expect(found()).toBe(0);
  expect(database.prepare('SELECT * FROM personal').all()).toEqual([]);
  expect(foreign.erase([amended], now).payments).toEqual([]);
  expectConsistent(database);
});
