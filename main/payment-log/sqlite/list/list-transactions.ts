import type { LogDatabase } from '../store/database.ts';
import { erasedWords, type ErasureStep } from '../store/erased-words.ts';
import { orderKey, type Evidence, type Order } from './merged-evidence.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import { reportFailure } from '../../../app-log/failure-report.ts';
import { chainStart } from '../../evidence/chain.ts';
import { project, type Projected } from '../../projection/project.ts';
import { beginningOf, numbersAt, type PlacedEvent } from './place.ts';
import { projector } from './projector.ts';

/** Orders whose events are read at once. */
const readAtOnce = 32;

/** Where a payment begins: a time, the number of its chain here, and a number in that chain. */
type Beginning = { at: number; chain: number; number: number };

/** The rows of orders, which are written again when their evidence has changed. Inside a transaction only. */
type ListedOrders = ReturnType<typeof listedOrders>;

/** The row of an order; null if it has no evidence of a payment, or its evidence cannot be reduced. */
const projected = (events: readonly Event[]): Projected | null => {
  try {
    return events.length > 0 ? project(events) : null;
  } catch (thrown) {
    reportFailure('payment-log', 'A payment cannot be listed.', thrown);
    return null;
  }
};

/** Every method throws SQLite errors. */
const listedOrders = (database: LogDatabase, evidence: Evidence) => {
  const findChain = database.prepare<[string], number>('SELECT id FROM writer WHERE name = ?').pluck();
  const addChain = database
    .prepare<[string, string], number>(
      `INSERT INTO writer (name, account, last_seq, last_hash, last_at) VALUES (?, '', 0, ?, 0) RETURNING id`,
    )
    .pluck();
  const find = database.prepare<[string | null, string], Beginning & { id: number }>(
    'SELECT id, at, chain, number FROM payment WHERE order_number IS ? AND profile_id = ?',
  );
  const isTaken = database.prepare<[number], number>('SELECT 1 FROM payment WHERE id = ?').pluck();
  const lowest = database.prepare<[], number>('SELECT coalesce(min(id), 0) FROM payment').pluck();
  const add = database.prepare<[number, string, string | null, number, number, number]>(
    'INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?)',
  );
  const move = database.prepare<[number, number, number, number, number]>(
    'UPDATE payment SET id = ?, at = ?, chain = ?, number = ? WHERE id = ?',
  );
  const moveEvents = database.prepare<[number, number]>('UPDATE event SET payment = ? WHERE payment = ?');
  const drop = database.prepare<[number]>(
    'DELETE FROM payment WHERE id = ? AND NOT EXISTS (SELECT 1 FROM event WHERE payment = payment.id)',
  );
  const rows = projector(database);
  const chains = new Map<string, number>();
  const touched = new Map<string, PaymentKey>();

  const chainOf = (writer: string): number => {
    const known = chains.get(writer);
    if (known !== undefined) return known;
    const id = findChain.get(writer) ?? addChain.get(writer, chainStart) ?? 0;
    chains.set(writer, id);
    return id;
  };
  const freeNumber = ({ at, chain, number }: Beginning): number => {
    for (const id of numbersAt(at, chain, number)) if (isTaken.get(id) === undefined) return id;
    return 0;
  };
  const paymentAt = ({ profileId, orderNumber }: Order, place: Beginning): number => {
    const known = find.get(orderNumber, profileId);
    if (known) return known.id;
    // What names no order is in no list: it needs no place.
    const id = orderNumber === null ? Math.min(0, lowest.get() ?? 0) - 1 : freeNumber(place);
    add.run(id, profileId, orderNumber, place.at, place.chain, place.number);
    return id;
  };

  const listFrom = (order: PaymentKey, events: readonly PlacedEvent[]): void => {
    const row = projected(events.map(({ event }) => event));
    const known = find.get(order.orderNumber, order.profileId);
    const first = beginningOf(events);
    if (!row || !first) {
      if (known) {
        rows.remove(known.id);
        drop.run(known.id);
      }
      return;
    }
    const place = {
      at: first.at,
      chain: chainOf(first.event.writer),
      number: first.event.writerSeq,
    };
    const isHere = known?.at === place.at && known.chain === place.chain && known.number === place.number;
    if (known && !isHere) {
      rows.remove(known.id);
      const id = freeNumber(place);
      moveEvents.run(id, known.id);
      move.run(id, place.at, place.chain, place.number, known.id);
      rows.set(id, row);
    } else rows.set(known?.id ?? paymentAt(order, place), row);
  };

  const list = (
    orders: readonly PaymentKey[],
    isOver: () => boolean = () => false,
  ): readonly PaymentKey[] => {
    let left = orders;
    while (left.length > 0) {
      const some = left.slice(0, readAtOnce);
      const read = evidence.ofOrders(some);
      for (const order of some) {
        const events = read.get(orderKey(order));
        if (events) listFrom(order, events);
      }
      left = [...some.filter(order => !read.has(orderKey(order))), ...left.slice(readAtOnce)];
      if (isOver()) break;
    }
    return left;
  };

  return {
    /** The number of a chain in this list. */
    chainOf,
    /** The number of the payment to which an event at a place belongs; there is one from now on. */
    paymentAt,
    /** An event of this order was added; `events`: all that this order has, if there was none before. */
    touch: ({ profileId, orderNumber }: Order): void => {
      if (orderNumber !== null) touched.set(orderKey({ profileId, orderNumber }), { profileId, orderNumber });
    },
    /** Lists these orders again from their evidence; those after the first few only until `isOver`. Returns what is left. */
    list,
    /** Lists an order of which these are all events, in the order of their places. */
    listFrom,
    /** Lists the touched orders again. Returns them. */
    listTouched: (): PaymentKey[] => {
      const orders = [...touched.values()];
      list(orders);
      touched.clear();
      return orders;
    },
    /** Writes what was gathered. Call it before the transaction commits. */
    flush: (): void => rows.flush(),
    /** Discards it, after a transaction was rolled back and before each one. */
    reset: (): void => {
      rows.reset();
      chains.clear();
      touched.clear();
    },
  };
};

/** How a list is written: each piece of work is one transaction, with the rows and the search index of its orders. */
export type ListTransactions = {
  orders: ListedOrders;
  /** Runs a transaction; nothing of a failed one stays in memory. */
  run: <T>(work: () => T) => T;
  /** Call it inside a transaction that deletes personal values: their words are in the index until its parts are merged. */
  haveErased: () => void;
  /** Whether the search index may still have erased words, for example since an erasure was interrupted. */
  hasErasedWords(): boolean;
  /** Removes some of them, in one short transaction. */
  removeErasedWords(): ErasureStep;
};

/** Every method throws SQLite errors. */
export const listTransactions = (database: LogDatabase, evidence: Evidence): ListTransactions => {
  const orders = listedOrders(database, evidence);
  const wordsLeft = database.prepare<[], number>('SELECT words_left FROM state').pluck();
  const noteWords = database.prepare<[number]>('UPDATE state SET words_left = ?');
  const words = erasedWords(database, wordsLeft.get() === 1, true);
  return {
    orders,
    run: work => {
      orders.reset();
      try {
        return database
          .transaction(() => {
            const result = work();
            orders.flush();
            return result;
          })
          .immediate();
      } catch (thrown) {
        orders.reset();
        throw thrown;
      }
    },
    haveErased: () => {
      noteWords.run(1);
      words.added();
    },
    hasErasedWords: () => words.areLeft(),
    removeErasedWords: () => {
      const step = words.remove();
      if (step === 'done') noteWords.run(0);
      return step;
    },
  };
};
