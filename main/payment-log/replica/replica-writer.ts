import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { LeftOut, LeftOutProblem } from '../../../shared/team/replica-standing.ts';
import type { AmendedEvent, ChainedEvent } from '../answers.ts';
import { chainStart, linkHash } from '../evidence/chain.ts';
import { maxDeliveries, uuidBytes } from '../evidence/event-content.ts';
import { project } from '../projection/project.ts';
import type { LogDatabase } from '../sqlite/store/database.ts';
import { projector } from '../sqlite/store/projection.ts';
import { erasedWords, type ErasureStep } from '../sqlite/store/erased-words.ts';
import {
  eventReading,
  eventsOfPayments,
  selectEvents,
  type StoredEvent,
} from '../sqlite/store/stored-event.ts';
import { foreignEventCheck, type ForeignEvent, type SourceEvent } from './check-foreign-event.ts';
import { positionOf } from './positions.ts';
import { replicaStatements, type Chain, type Held, type UnfinishedOrder } from './replica-statements.ts';

/** Limit of the events that one installation adds to one order. Its own payment log stores fewer. */
const maxOfOrder = 2_000;
/** Size of an event that is kept although it is left out, characters; of a larger one only its place is noted. */
const maxKept = 10_000;
/** Payments whose events are read at once. */
const readAtOnce = 32;
/** Payments that one transaction of pruning passes. */
const prunedAtOnce = 500;

/** Consecutive events of one chain: those before or after what is held, or the first ones of it. */
export type ChainPart = readonly SourceEvent[];

/**
 * What a transaction has changed. `events`: those that are in the list now. `named`: events of other chains whose
 * personal values its amendments name; whether they are erased, the shared log knows.
 */
export type Stored = {
  payments: readonly PaymentKey[];
  events: readonly Event[];
  named: readonly AmendedEvent[];
};

/** The only writer of a replica. Evidence and list change together. Every method throws SQLite errors. */
export type ReplicaWriter = {
  held(): readonly Held[];
  /**
   * Checks and stores parts of chains, and lists their payments again. What is wrong is left out and counted; it stops
   * nothing else. Throws if a part is not next to what is held.
   */
  store(parts: readonly ChainPart[]): Stored;
  /** `named` of all that is stored: after a restart, what was not answered is asked again. */
  named(): readonly AmendedEvent[];
  /**
   * Erases the personal values of events that were erased in the shared log. `at`: when the shared log named them, and
   * everything before them, milliseconds.
   */
  erase(events: readonly AmendedEvent[], at: number): Stored;
  /** Whether the search index may still have erased words, for example since an erasure was interrupted. */
  hasErasedWords(): boolean;
  /** Removes some of them, in one short transaction. */
  removeErasedWords(): ErasureStep;
  leftOut(): readonly LeftOut[];
  /**
   * Orders of which the shared log may have events from before the months that are copied, the newest first, at most
   * `limit`; none if all months are copied.
   */
  unfinished(limit: number): readonly UnfinishedOrder[];
  /**
   * Stores events of single orders that are not here. What is wrong is left out; that they follow from the events before
   * them is not checked, because those are not here. `payments`: orders that are complete afterwards.
   */
  complete(payments: readonly number[], events: readonly SourceEvent[]): Stored;
  /** Removes some payments of which no event was recorded since an instant, milliseconds; false if none is left. */
  prune(since: number): boolean;
  /** Notes up to when everything in the shared log is here, milliseconds. */
  noteLevel(at: number): void;
  /** As noted last; null: never. */
  levelAt(): number | null;
};

type Good = Extract<ForeignEvent, { problem: null }>;

/** `own`: the chain of this installation. `clock`: milliseconds since 1970. */
export const replicaWriter = (database: LogDatabase, own: string, clock: () => number): ReplicaWriter => {
  const sql = replicaStatements(database);
  const words = erasedWords(database, sql.wordsLeft.get() === 1);
  /** Personal values were deleted: their words are in the index until its parts are merged. */
  const haveErased = (payment: number): void => {
    touched.set(payment, null);
    sql.noteWords.run(1);
    words.added();
  };
  /** The events of other chains that an amendment names and that have personal values here. */
  const namedBy = (payment: number, chain: number, { body, writer, writerSeq }: EventOf<'amended'>) =>
    body.events.flatMap(id =>
      sql.namedElsewhere
        .all(payment, chain, uuidBytes(id))
        .map((place): AmendedEvent => ({ ...place, id, by: { writer, writerSeq } })),
    );
  const amendments = database
    .prepare<[], StoredEvent>(`${selectEvents} WHERE event.kind = 'amended' ORDER BY event.seq`)
    .raw();
  const reading = eventReading(database);
  const rows = projector(database);
  const readEvents = eventsOfPayments(database);
  const checks = foreignEventCheck();
  const shapes = new Map<string, number>();
  const isBounded = sql.isBounded.get() === 1;
  /** The last payment that pruning has passed. */
  let prunedThrough = 0;

  /** Payments that are listed again at the end of a transaction, with their events if all of them are new. */
  let touched = new Map<number, Event[] | null>();
  /** Events of one chain in one order, counted in this transaction. */
  let counted = new Map<string, number>();

  const shapeNumber = (text: string): number => {
    const known = shapes.get(text);
    if (known !== undefined) return known;
    const id = sql.shapeOf.get(text) ?? sql.addShape.get(text) ?? 0;
    if (shapes.size < 10_000) shapes.set(text, id);
    return id;
  };

  const isOneTooMany = (payment: number, chain: Chain): boolean => {
    if (chain.name === own) return false;
    const key = `${payment} ${chain.id}`;
    const count = counted.get(key) ?? (touched.get(payment) ? 0 : (sql.countOf.get(payment, chain.id) ?? 0));
    counted.set(key, count + 1);
    return count >= maxOfOrder;
  };

  /** The payment of an order with an event at `position`, which may be its first one. */
  const paymentAt = (position: number, { profileId, orderNumber }: ChainedEvent): number => {
    const known = sql.findPayment.get(orderNumber, profileId);
    if (known === undefined) {
      sql.addPayment.run(position, profileId, orderNumber);
      if (isBounded && orderNumber !== null) sql.queue.run(position);
      touched.set(position, []);
      return position;
    }
    if (known <= position) {
      if (!touched.has(known)) touched.set(known, null);
      return known;
    }
    rows.remove(known);
    sql.moveEvents.run(position, known);
    sql.movePayment.run(position, known);
    if (isBounded && sql.finish.run(known).changes > 0) sql.queue.run(position);
    touched.delete(known);
    touched.set(position, null);
    return position;
  };

  /** The first free position from `from` on. */
  const insertAt = (
    from: number,
    chain: Chain,
    payment: (position: number) => number,
    good: Good,
  ): number => {
    const { one, id } = good;
    const { digest } = one;
    for (let position = from, step = 1; ; position += step, step *= 2) {
      if (sql.isUsed.get(position, position) !== undefined) continue;
      sql.insert.run(
        position,
        id,
        chain.id,
        one.writerSeq,
        payment(position),
        one.paymentId,
        one.happenedAt,
        one.recordedAt,
        one.agent,
        one.kind,
        one.dedupeKey,
        shapeNumber(one.shape),
        one.values,
        digest === null ? null : Buffer.from(digest, 'hex'),
        Buffer.from(one.hash, 'hex'),
      );
      return position;
    }
  };
  /** Notes an event that is left out. */
  const keep = (chain: Chain, one: SourceEvent, problem: LeftOutProblem): void => {
    const text = JSON.stringify(one);
    sql.leaveOut.run(chain.id, one.writerSeq, problem, text.length > maxKept ? '' : text);
  };

  /** Lists the touched payments again. */
  const listTouched = (): PaymentKey[] => {
    const set = (payment: number, events: readonly Event[]): void => {
      try {
        const projected = events.length > 0 && events[0]?.orderNumber !== null ? project(events) : null;
        if (projected) rows.set(payment, projected);
        else rows.remove(payment);
      } catch (thrown) {
        reportFailure('payment-log', 'A payment of the team cannot be listed.', thrown);
        rows.remove(payment);
      }
    };
    let unread: number[] = [];
    for (const [payment, events] of touched) {
      // Of many deliveries of one callback not all count.
      if (events === null || events.length > maxDeliveries) unread.push(payment);
      else set(payment, events);
    }
    unread.sort((one, other) => one - other);
    while (unread.length > 0) {
      const some = unread.slice(0, readAtOnce);
      const { read, unreadFrom } = readEvents(some);
      for (const payment of some) if (payment < unreadFrom) set(payment, read.get(payment)?.events ?? []);
      unread = unread.filter((payment, at) => at >= readAtOnce || payment >= unreadFrom);
    }
    const keys = [...touched.keys()].flatMap(payment => {
      const { profileId, orderNumber } = sql.paymentKeyOf.get(payment) ?? { orderNumber: null };
      sql.dropPayment.run(payment);
      return profileId === undefined || orderNumber === null ? [] : [{ profileId, orderNumber }];
    });
    rows.flush();
    return keys;
  };

  /** The event at the lower end does not follow from the one that arrived before it. */
  const takeOut = (chain: Chain, number: number): void => {
    const found = sql.findEvent.get(chain.id, number);
    if (!found) return;
    sql.dropEvent.run(found.seq);
    sql.dropPersonal.run(found.seq);
    haveErased(found.payment);
    sql.leaveOut.run(chain.id, number, 'link', '');
  };

  /** Checks a part, notes what is held afterwards, and returns its events that can be listed. */
  const checkPart = (part: ChainPart): { chain: Chain; good: Good[] } => {
    const first = part[0];
    const last = part.at(-1);
    if (!first || !last) throw new Error('A part of a chain is empty.');
    const chain = sql.findChain.get(first.writer) ?? sql.addChain.get(first.writer, chainStart);
    if (!chain) throw new Error('A chain cannot be added.');
    const held = sql.findLow.get(chain.id);
    const isNewer = held !== undefined && first.writerSeq === chain.seq + 1;
    const isOlder = held !== undefined && last.writerSeq === held.low - 1;
    if (held !== undefined && !isNewer && !isOlder)
      throw new Error(`Events ${first.writerSeq} to ${last.writerSeq} are not next to what is held.`);
    let before: string | null = isNewer ? chain.hash : first.writerSeq === 1 ? chainStart : null;
    const good: Good[] = [];
    for (const [at, one] of part.entries()) {
      if (one.writer !== chain.name || one.writerSeq !== first.writerSeq + at)
        throw new Error(`Event ${one.writerSeq} is not the next one.`);
      const checked = checks.check(one, before);
      if (checked.problem === null) good.push(checked);
      else {
        // A question for its order may have brought it before, when its link could not be checked.
        if (isBounded) takeOut(chain, one.writerSeq);
        keep(chain, one, checked.problem);
      }
      if (at === 0 && !isNewer) sql.setLow.run(chain.id, one.writerSeq, checked.content, one.hash);
      // What follows is compared with what this event says its link is.
      before = one.hash;
    }
    if (isOlder && held && linkHash(last.hash, held.content) !== held.hash) takeOut(chain, held.low);
    if (!isOlder) sql.setEnd.run(last.writerSeq, last.hash, chain.id);
    return { chain, good };
  };

  const storeGood = (checked: readonly { chain: Chain; good: readonly Good[] }[]): Stored => {
    const now = clock();
    const all = checked
      .flatMap(({ chain, good }) =>
        good.map(one => ({ chain, one, from: positionOf(one.event.recordedAt, now) })),
      )
      .sort((one, other) => one.from - other.from || one.chain.id - other.chain.id);
    const events: Event[] = [];
    const named: AmendedEvent[] = [];
    let next = 0;
    for (const { chain, one, from } of all) {
      const { event, one: stored } = one;
      if (isBounded && sql.findEvent.get(chain.id, stored.writerSeq)) continue;
      const known = sql.findPayment.get(event.orderNumber, event.profileId);
      if (known !== undefined && event.orderNumber !== null && isOneTooMany(known, chain)) {
        keep(chain, stored, 'size');
        continue;
      }
      let payment = 0;
      const position = insertAt(Math.max(from, next), chain, at => (payment = paymentAt(at, stored)), one);
      next = position + 1;
      if (stored.personal)
        sql.insertPersonal.run(position, Buffer.from(stored.personal.salt, 'hex'), stored.personal.values);
      if (event.kind === 'amended') {
        for (const id of event.body.events) sql.dropNamed.run(payment, chain.id, uuidBytes(id));
        named.push(...namedBy(payment, chain.id, event));
        haveErased(payment);
      }
      touched.get(payment)?.push(event);
      events.push(event);
    }
    return { payments: listTouched(), events, named };
  };
  const storeAll = database.transaction((parts: readonly ChainPart[]): Stored =>
    storeGood(parts.map(checkPart)),
  );

  /** The event, if it is right by what it contains; null if it is here already, or left out. */
  const checkSingle = (one: SourceEvent): { chain: Chain; good: Good[] } | null => {
    const chain = sql.findChain.get(one.writer) ?? sql.addChain.get(one.writer, chainStart);
    if (!chain || sql.isHere.get(chain.id, one.writerSeq, chain.id, one.writerSeq)) return null;
    const checked = checks.check(one, null);
    if (checked.problem === null) return { chain, good: [checked] };
    keep(chain, one, checked.problem);
    return { chain, good: [] };
  };
  const completeAll = database.transaction(
    (payments: readonly number[], events: readonly SourceEvent[]): Stored => {
      for (const payment of payments) sql.finish.run(payment);
      return storeGood(events.flatMap(one => checkSingle(one) ?? []));
    },
  );

  const pruneSome = database.transaction((before: number): boolean => {
    const some = sql.paymentsBetween.all(prunedThrough, before, prunedAtOnce);
    for (const { id, isOrder, last } of some) {
      // What names no order is one payment of each profile, which continues.
      if (isOrder === 1 && last >= before) continue;
      sql.dropPersonalBefore.run(id, before);
      sql.dropEventsBefore.run(id, before);
      sql.finish.run(id);
      if (last >= before) continue;
      rows.remove(id);
      sql.dropPayment.run(id);
    }
    rows.flush();
    prunedThrough = some.at(-1)?.id ?? prunedThrough;
    if (some.length === prunedAtOnce) return true;
    prunedThrough = 0;
    sql.notePruned.run(before);
    return false;
  });

  const eraseAll = database.transaction((amended: readonly AmendedEvent[], at: number): Stored => {
    sql.noteCurrent.run(at);
    for (const { writer, writerSeq, id } of amended) {
      const chain = sql.findChain.get(writer);
      const found = chain && sql.findEvent.get(chain.id, writerSeq);
      if (!found || uuidBytes(id)?.equals(found.id) !== true) continue;
      if (sql.dropPersonal.run(found.seq).changes > 0) haveErased(found.payment);
    }
    return { payments: listTouched(), events: [], named: [] };
  });

  /** Runs a transaction; nothing of it stays in memory. */
  const run = <T>(work: () => T): T => {
    touched = new Map();
    counted = new Map();
    try {
      return work();
    } catch (thrown) {
      rows.reset();
      shapes.clear();
      throw thrown;
    }
  };

  return {
    held: () => sql.chains.all(),
    store: parts => run(() => storeAll.immediate(parts)),
    named: () =>
      amendments.all().flatMap(row => {
        const event = reading.event(row);
        return event.kind === 'amended'
          ? namedBy(row[4], sql.findChain.get(event.writer)?.id ?? 0, event)
          : [];
      }),
    erase: (events, at) => run(() => eraseAll.immediate(events, at)),
    hasErasedWords: () => words.areLeft(),
    removeErasedWords: () => {
      const step = words.remove();
      if (step === 'done') sql.noteWords.run(0);
      return step;
    },
    leftOut: () => sql.leftOut.all(),
    unfinished: limit => sql.unfinished.all(limit),
    complete: (payments, events) => run(() => completeAll.immediate(payments, events)),
    prune: since => {
      const before = positionOf(since, clock());
      return (sql.prunedTo.get() ?? 0) < before && run(() => pruneSome.immediate(before));
    },
    noteLevel: at => void sql.noteLevel.run(at),
    levelAt: () => sql.levelAt.get() ?? null,
  };
};
