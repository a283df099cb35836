import type { Event } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import { createDeliveryCounter } from '../../evidence/chain.ts';
import type { LogDatabase } from '../store/database.ts';
import {
  eventReading,
  rowsOfPayments,
  selectEvents,
  selectForeignEvents,
  selectKnown,
  type ReadPayments,
  type StoredEvent,
} from '../store/stored-event.ts';
import { JournalError, onJournal } from './broken-list.ts';
import type { PlacedEvent } from './place.ts';

/** An order; without a number it gathers what names none. */
export type Order = { profileId: string; orderNumber: string | null };

/** An order as one text: another installation may name a profile in any way. */
export const orderKey = ({ profileId, orderNumber }: Order): string =>
  JSON.stringify([profileId, orderNumber]);

/** A position between events: a place. */
export type Place = readonly [at: number, writer: string, writerSeq: number];

export const placeOf = (row: StoredEvent): Place => [row[19], row[2], row[3]];
const compared = (one: Place, other: Place): number =>
  one[0] - other[0] || (one[1] < other[1] ? -1 : one[1] > other[1] ? 1 : one[2] - other[2]);
export const byPlace = (one: StoredEvent, other: StoredEvent): number =>
  compared(placeOf(one), placeOf(other));

/** A place as text, for a cursor. */
export const placeText = ([at, writer, writerSeq]: Place): string => `${at} ${writerSeq} ${writer}`;
/** Null if the text is not a place. */
export const readPlace = (text: string): Place | null => {
  const [, at, writerSeq, writer] = /^(-?\d+) (\d+) (.*)$/s.exec(text) ?? [];
  return writer === undefined ? null : [Number(at), writer, Number(writerSeq)];
};

/** Scan limit, events of each file. */
const maxLatest = 20_000;

const nothing: ReadPayments = { read: new Map(), unreadFrom: Number.POSITIVE_INFINITY };

/**
 * The evidence of all installations: own events from the journal, those of others, which were checked, from the list. The
 * only way to it. Every method throws SQLite errors.
 */
export type Evidence = ReturnType<typeof evidenceOf>;

const orderOf = (database: LogDatabase) => {
  const find = database
    .prepare<[string | null, string], number>(
      'SELECT id FROM payment WHERE order_number IS ? AND profile_id = ?',
    )
    .pluck();
  return ({ profileId, orderNumber }: Order): number | undefined => find.get(orderNumber, profileId);
};

/** Merges rows of two files, newest first. */
function* merged(
  one: Iterator<StoredEvent, undefined>,
  other: Iterator<StoredEvent, undefined>,
): Generator<StoredEvent, undefined> {
  try {
    let first = one.next();
    let second = other.next();
    for (;;)
      if (!first.done && (second.done || byPlace(first.value, second.value) > 0)) {
        yield first.value;
        first = one.next();
      } else if (!second.done) {
        yield second.value;
        second = other.next();
      } else return;
  } finally {
    // A statement that is not read to its end keeps its file from being written.
    one.return?.();
    other.return?.();
  }
}

/** `own`: the chain of this installation. `list`: null if there is none, as at an intake. */
export const evidenceOf = (journal: LogDatabase, list: LogDatabase | null, own: string) => {
  const reading = eventReading(journal);
  const foreignReading = list && eventReading(list);
  const findHere = orderOf(journal);
  const hereOf = (order: Order): number | undefined => onJournal(() => findHere(order));
  const readRows = rowsOfPayments(journal, true);
  const readHere = (payments: readonly number[]): ReadPayments => onJournal(() => readRows(payments));
  const foreignOf = list && orderOf(list);
  const readForeign = list && rowsOfPayments(list, false);
  const isCopied = list
    ?.prepare<[string, number], number>(
      'SELECT 1 FROM event WHERE writer = (SELECT id FROM writer WHERE name = ?) AND writer_seq = ?',
    )
    .pluck();
  const known = journal.prepare<[number, string, string], number>(selectKnown).pluck();
  const knownForeign = list?.prepare<[number, string, string], number>(selectKnown).pluck();
  /** The rows of a list: both files number their shapes. */
  const foreign = new WeakSet<StoredEvent>();

  /** An event of a former chain of this installation, which the shared log has: as it is there. */
  const isReplaced = (row: StoredEvent): boolean =>
    row[2] !== own && isCopied?.get(row[2], row[3]) !== undefined;
  const merge = (here: readonly StoredEvent[], there: readonly StoredEvent[]): StoredEvent[] => {
    for (const row of there) foreign.add(row);
    const kept = there.length === 0 ? here : here.filter(row => !isReplaced(row));
    return [...kept, ...there].sort(byPlace);
  };
  const readingOf = (row: StoredEvent) => (foreign.has(row) ? (foreignReading ?? reading) : reading);
  const rowsOf = (order: Order): StoredEvent[] => {
    const [here, there] = [hereOf(order), foreignOf?.(order)];
    return merge(
      here === undefined ? [] : (readHere([here]).read.get(here)?.rows ?? []),
      there === undefined ? [] : (readForeign?.([there]).read.get(there)?.rows ?? []),
    );
  };
  const counted = (rows: readonly StoredEvent[]): StoredEvent[] => {
    const counts = createDeliveryCounter();
    return rows.filter(row => counts(row[12]));
  };
  const event = (row: StoredEvent, text?: string): Event => readingOf(row).event(row, text);

  const readOrders = (orders: readonly PaymentKey[]): Map<string, PlacedEvent[]> => {
    const found = orders.map(order => ({ order, here: hereOf(order), there: foreignOf?.(order) }));
    const here = readHere(found.flatMap(one => one.here ?? []));
    const there = readForeign?.(found.flatMap(one => one.there ?? [])) ?? nothing;
    const all = new Map<string, PlacedEvent[]>();
    for (const one of found) {
      const isUnread =
        (one.here !== undefined && one.here >= here.unreadFrom) ||
        (one.there !== undefined && one.there >= there.unreadFrom);
      if (isUnread) continue;
      const rows = merge(
        here.read.get(one.here ?? 0)?.rows ?? [],
        there.read.get(one.there ?? 0)?.rows ?? [],
      );
      all.set(
        orderKey(one.order),
        counted(rows).map(row => ({ event: event(row), at: row[19] })),
      );
    }
    return all;
  };

  const lastSeq = journal.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
  const foreignFrom = list
    ?.prepare<[], number>(`SELECT placed_at FROM event ORDER BY placed_at DESC LIMIT 1 OFFSET ${maxLatest}`)
    .pluck();
  const countForeign = list
    ?.prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM event LIMIT ${maxLatest})`)
    .pluck();
  const latestFrom = (): [seq: number, at: number] => [
    onJournal(() => lastSeq.get() ?? 0) - maxLatest,
    foreignFrom?.get() ?? Number.MIN_SAFE_INTEGER,
  ];
  const prepareNewest = (where: string, others = list, further = '') =>
    [
      journal
        .prepare<(string | number)[], StoredEvent>(`${selectEvents} WHERE ${where} ORDER BY event.seq DESC`)
        .raw(),
      others
        ?.prepare<(string | number)[], StoredEvent>(
          `${selectForeignEvents} WHERE ${where.replaceAll('event.recorded_at', 'event.placed_at')} ${further}
           ORDER BY event.placed_at DESC, writer.name DESC, event.writer_seq DESC`,
        )
        .raw(),
    ] as const;
  function* ofOthers(rows: Iterable<StoredEvent>): Generator<StoredEvent, undefined> {
    for (const row of rows) {
      foreign.add(row);
      yield row;
    }
  }
  function* ofOwn(rows: Iterable<StoredEvent>): Generator<StoredEvent, undefined> {
    try {
      for (const row of rows) if (!isReplaced(row)) yield row;
    } catch (thrown) {
      throw new JournalError(thrown);
    }
  }
  const read = (
    here: Iterable<StoredEvent>,
    there: Iterable<StoredEvent> = [],
  ): Generator<StoredEvent, undefined> => merged(ofOwn(here), ofOthers(there));

  return {
    /** All events of an order, in the order of their places. */
    rowsOf,
    /** Those that count. */
    eventsOf: (order: Order): Event[] => counted(rowsOf(order)).map(row => event(row)),
    /**
     * Those that count of several orders, by the orders' keys; of some orders only, at least of one, if there is much to
     * read.
     */
    ofOrders: (orders: readonly PaymentKey[]): Map<string, PlacedEvent[]> => {
      const all = readOrders(orders);
      return all.size > 0 ? all : readOrders(orders.slice(0, 1));
    },
    /**
     * Events that fulfil a condition on `event` and `payment`, newest first, read one by one. The condition needs an index
     * in the order of places in both files.
     */
    newest: (where: string): ((values: readonly (string | number)[]) => Generator<StoredEvent>) => {
      const [here, there] = prepareNewest(where);
      return values => read(here.iterate(...values), there?.iterate(...values));
    },
    /** The same among the latest events of both files only, `maxLatest` of each; no index is needed. */
    latest: (where: string): ((values: readonly (string | number)[]) => Generator<StoredEvent>) => {
      const [here, there] = prepareNewest(`${where} AND event.seq > ?`, list, 'AND event.placed_at > ?');
      return values => {
        const [seq, at] = latestFrom();
        return read(here.iterate(...values, seq), there?.iterate(...values, Number.MIN_SAFE_INTEGER, at));
      };
    },
    /** How many events these are at most. */
    countLatest: (): number =>
      Math.min(
        maxLatest,
        onJournal(() => lastSeq.get() ?? 0),
      ) + (countForeign?.get() ?? 0),
    /** The same for the events of this installation alone. */
    newestOwn: (where: string): (() => Generator<StoredEvent>) => {
      const [here] = prepareNewest(where, null);
      return () => read(here.iterate());
    },
    /** The same for the events of one order, before a place (null: all). */
    newestOf: (where: string): ((order: Order, before: Place | null) => Generator<StoredEvent>) => {
      const [here, there] = prepareNewest(`event.payment = ? AND event.recorded_at <= ? AND ${where}`);
      return function* ofOrder(order, before) {
        const until = before?.[0] ?? Number.MAX_SAFE_INTEGER;
        const [own, others] = [hereOf(order), foreignOf?.(order)];
        const rows = read(
          own === undefined ? [].values() : here.iterate(own, until),
          others === undefined ? undefined : there?.iterate(others, until),
        );
        for (const row of rows) if (before === null || compared(placeOf(row), before) < 0) yield row;
      };
    },
    has: (order: Order, dedupeKey: string): boolean => {
      const [here, there] = [hereOf(order), foreignOf?.(order)];
      return (
        (here !== undefined && onJournal(() => known.get(here, dedupeKey, dedupeKey)) !== undefined) ||
        (there !== undefined && knownForeign?.get(there, dedupeKey, dedupeKey) !== undefined)
      );
    },
    body: (row: StoredEvent): string => readingOf(row).body(row),
    event,
  };
};
