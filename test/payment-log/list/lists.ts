import fc from 'fast-check';
import { expect } from 'vitest';
import type { ChainedEvent } from '../../../main/payment-log/answers.ts';
import { decodeBody, readShape } from '../../../main/payment-log/evidence/body-codec.ts';
import {
  chainStart,
  contentHash,
  createDeliveryCounter,
  linkHash,
} from '../../../main/payment-log/evidence/chain.ts';
import { project } from '../../../main/payment-log/projection/project.ts';
import type { ChainSource } from '../../../main/payment-log/list/copy-chains.ts';
import type { LogDatabase } from '../../../main/payment-log/sqlite/store/database.ts';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { note, requested, start, type Written } from '../../../tools/evidence/evidence.ts';
import { listInMemory } from '../../../tools/postgres-harness/list.ts';

/** Lists of the chains of three installations, and what must be in them. */

export const writers = ['console-1', 'console-2', 'intake'];
export const maxAwayMs = 30 * 24 * 3_600_000;
export const now = start + 10 * 24 * 3_600_000;

export const opened = () => listInMemory('here', () => now);

/** Notes that an installation writes about one order, a millisecond apart. */
export const notes = (count: number, writer = 'console-2'): Written[] =>
  Array.from({ length: count }, (_, at) => ({ writer, at: start + at, draft: note(at, `Note ${at}`) }));

/** Orders `prefix-0`, `prefix-1`, … that an installation creates, this number of milliseconds apart. */
export const newOrders = (writer: string, prefix: string, count: number, apart = 1): Written[] =>
  Array.from({ length: count }, (_, index) => {
    const at = index * apart;
    return { writer, at: start + at, draft: { ...requested(at), orderNumber: `${prefix}-${index}` } };
  });

/** Orders whose events are written by several installations, mixed, some of them in one millisecond. */
export const histories = fc
  .array(fc.tuple(evidence, fc.infiniteStream(fc.nat({ max: 5 }))), { minLength: 1, maxLength: 6 })
  .map(orders => {
    const all: Written[] = orders.flatMap(([drafts, choices], order) =>
      drafts.map(one => ({
        writer: writers[(choices.next().value ?? 0) % 3] ?? '',
        at: start + (one.happenedAt - start) / 1_000 + (choices.next().value ?? 0) * 1_000,
        draft: { ...one, orderNumber: `CF-${order}` } as EventDraft,
      })),
    );
    return all.map(one => ({ ...one, at: Math.floor(one.at) })).sort((one, other) => one.at - other.at);
  });

/** The rows of the list, by order. */
export const listed = (database: LogDatabase): Record<string, string> =>
  Object.fromEntries(
    database
      .prepare<[], { order: string; row: string }>(
        `SELECT p.order_number AS "order", l."row" AS row FROM listed l JOIN payment p ON p.id = l.payment`,
      )
      .all()
      .map(({ order, row }) => [order, row]),
  );

/** The order numbers of the list, the newest payment first. */
export const inOrder = (database: LogDatabase): string[] =>
  database
    .prepare<[], string>(
      'SELECT p.order_number FROM listed l JOIN payment p ON p.id = l.payment ORDER BY l.payment DESC',
    )
    .pluck()
    .all();

/** The rows that the reducer gives for the events of the list, in the order of their places. */
export const expected = (
  database: LogDatabase,
  chains: ReadonlyMap<string, readonly ChainedEvent[]>,
  events: ReadonlyMap<string, Event>,
): Record<string, string> => {
  const places = database
    .prepare<[], { order: string; writer: string; number: number }>(
      `SELECT p.order_number AS "order", w.name AS writer, e.writer_seq AS number FROM event e
       JOIN payment p ON p.id = e.payment JOIN writer w ON w.id = e.writer
       ORDER BY e.placed_at, w.name, e.writer_seq`,
    )
    .all();
  expect(places).toHaveLength([...chains.values()].flat().length);
  const orders = new Map<string, Event[]>();
  const counters = new Map<string, ReturnType<typeof createDeliveryCounter>>();
  for (const { order, writer, number } of places) {
    const event = events.get(`${writer} ${number}`);
    const counts = counters.get(order) ?? createDeliveryCounter();
    counters.set(order, counts);
    if (event && counts(event.dedupeKey)) orders.set(order, [...(orders.get(order) ?? []), event]);
  }
  return Object.fromEntries(
    [...orders].flatMap(([order, some]) => {
      const projected = project(some);
      return projected ? [[order, projected.row]] : [];
    }),
  );
};

/** Each event as its installation recorded it. */
export const recorded = (
  events: readonly Written[],
  chains: ReadonlyMap<string, readonly ChainedEvent[]>,
): Map<string, Event> => {
  const numbers = new Map<string, number>();
  return new Map(
    events.map(({ writer, draft: one }) => {
      const number = (numbers.get(writer) ?? 0) + 1;
      numbers.set(writer, number);
      const recordedAt = chains.get(writer)?.[number - 1]?.recordedAt ?? 0;
      return [`${writer} ${number}`, { ...one, recordedAt, writer, writerSeq: number }];
    }),
  );
};

/** Everything beside the rows agrees with them. */
export const expectConsistent = (database: LogDatabase): void => {
  database.exec("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)");
  const facets = database.prepare(
    `SELECT f.id, f.n, (SELECT count(*) FROM listed WHERE facet = f.id) AS counted FROM facet f`,
  );
  for (const { n, counted } of facets.all() as { n: number; counted: number }[]) expect(n).toBe(counted);
  for (const table of ['payment_flag', 'payment_id', 'movement', 'review'])
    expect(
      database.prepare(`SELECT 1 FROM ${table} WHERE payment NOT IN (SELECT payment FROM listed)`).all(),
    ).toEqual([]);
  expect(database.prepare('SELECT 1 FROM personal WHERE event NOT IN (SELECT seq FROM event)').all()).toEqual(
    [],
  );
};

/** Chains of which a part is there already; a read answers with a few events at a time. */
export const growing = (chains: ReadonlyMap<string, readonly ChainedEvent[]>, atOnce: number) => {
  const there = new Map<string, number>();
  const source: ChainSource = {
    ends: () =>
      Promise.resolve(
        [...there]
          .filter(([, seq]) => seq > 0)
          .map(([writer, seq]) => ({
            writer,
            account: writer,
            seq,
            hash: chains.get(writer)?.[seq - 1]?.hash ?? '',
          })),
      ),
    read: (writer, from, to) =>
      Promise.resolve(
        (chains.get(writer) ?? []).slice(from - 1, Math.min(to, there.get(writer) ?? 0, from - 1 + atOnce)),
      ),
  };
  return {
    source,
    /** More of every chain is there: this share of it. */
    grow: (share: number): void => {
      for (const [writer, chain] of chains)
        there.set(writer, Math.max(there.get(writer) ?? 0, Math.ceil(share * chain.length)));
    },
  };
};

/** A chain with other times of recording, which no payment log writes, but a hostile installation may. */
export const withTimes = (
  chain: readonly ChainedEvent[],
  timeOf: (index: number) => number,
): ChainedEvent[] => {
  let before = chainStart;
  return chain.map((one, index) => {
    const changed = { ...one, recordedAt: timeOf(index) };
    const body = decodeBody(readShape(one.shape), one.values, one);
    before = linkHash(before, contentHash(changed, body, one.digest));
    return { ...changed, hash: before };
  });
};
