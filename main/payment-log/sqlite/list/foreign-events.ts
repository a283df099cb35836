import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import type { LeftOut, LeftOutProblem } from '../../../../shared/team/team-standing.ts';
import type { AmendedEvent } from '../../answers.ts';
import { chainStart, linkHash, uuidBytes } from '../../evidence/chain.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectForeignEvents, type StoredEvent } from '../store/stored-event.ts';
import type { ForeignEventCheck, SourceEvent, ForeignEvent } from '../../evidence/check-foreign-event.ts';
import { foreignStatements, type Chain, type Held } from './foreign-statements.ts';
import type { ListTransactions } from './list-transactions.ts';

/** Limits of what one account adds to one order, events and characters: its own payment log stores fewer. */
const maxOfOrder = { events: 2_000, chars: 8 * 1024 * 1024 };
/** Size of an event that is kept although it is left out, characters; of a larger one only its place is noted. */
const maxKept = 10_000;

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

/** A chain that was continued otherwise than it is here: it has to be copied again. */
export class ForkedChain extends Error {
  override readonly name = 'ForkedChain';
  readonly writer: string;
  constructor(writer: string) {
    super('a chain was continued otherwise');
    this.writer = writer;
  }
}

/** The chains of other installations in a list. Every method is one transaction, and throws SQLite errors. */
export type ForeignEvents = ReturnType<typeof foreignEvents>;

type Good = Extract<ForeignEvent, { problem: null }>;
type Placed = { chain: Chain; good: Good; at: number };

/** `clock`: milliseconds since 1970. `check`: its schemas are loaded only where others' events arrive. */
export const foreignEvents = (
  database: LogDatabase,
  { orders, run, haveErased }: ListTransactions,
  clock: () => number,
  check: ForeignEventCheck,
) => {
  const sql = foreignStatements(database);
  const amendments = database
    .prepare<[], StoredEvent>(`${selectForeignEvents} WHERE event.kind = 'amended' ORDER BY event.seq`)
    .raw();
  const reading = eventReading(database);
  const shapes = new Map<string, number>();
  /** What an account has added to an order, counted in this transaction. */
  let used = new Map<string, { events: number; chars: number }>();

  const begin = <T>(work: () => T): T => {
    used = new Map();
    try {
      return run(work);
    } catch (thrown) {
      shapes.clear();
      throw thrown;
    }
  };
  const chainOf = (writer: string): Chain => {
    orders.chainOf(writer);
    const chain = sql.findChain.get(writer);
    if (!chain) throw new Error('A chain cannot be added.');
    return chain;
  };
  const touchPayment = (payment: number): void => {
    const order = sql.orderOf.get(payment);
    if (order) orders.touch(order);
  };
  /** The events of other chains that an amendment names and that have personal values here. */
  const namedBy = (payment: number, chain: number, { body, writer, writerSeq }: EventOf<'amended'>) =>
    body.events.flatMap(id =>
      sql.namedElsewhere
        .all(payment, chain, uuidBytes(id))
        .map((place): AmendedEvent => ({ ...place, id, by: { writer, writerSeq } })),
    );
  const shapeNumber = (text: string): number => {
    const known = shapes.get(text);
    if (known !== undefined) return known;
    const id = sql.shapeOf.get(text) ?? sql.addShape.get(text) ?? 0;
    if (shapes.size < 10_000) shapes.set(text, id);
    return id;
  };
  /** Whether an account has added to an order what it may. */
  const isOneTooMany = (payment: number, { account }: Chain, chars: number): boolean => {
    const key = `${payment} ${account}`;
    const count = used.get(key) ?? sql.usedBy.get(payment, account) ?? { events: 0, chars: 0 };
    used.set(key, { events: count.events + 1, chars: count.chars + chars });
    return count.events >= maxOfOrder.events || count.chars + chars > maxOfOrder.chars;
  };
  /** Notes an event that is left out. */
  const leaveOut = (chain: Chain, one: SourceEvent, problem: LeftOutProblem): void => {
    const text = JSON.stringify(one);
    sql.leaveOut.run(chain.id, one.writerSeq, problem, text.length > maxKept ? '' : text);
  };

  /** The event at the lower end does not follow from the one that arrived before it. */
  const takeOut = (chain: Chain, number: number): void => {
    const found = sql.findEvent.get(chain.id, number);
    if (!found) return;
    touchPayment(found.payment);
    sql.dropEvent.run(found.seq);
    sql.dropPersonal.run(found.seq);
    haveErased();
    sql.leaveOut.run(chain.id, number, 'link', '');
  };

  /** Checks a part, notes what is held afterwards, and returns its events that can be listed, with their places. */
  const checkPart = (part: ChainPart, mayFork: boolean): Placed[] => {
    const first = part[0];
    const last = part.at(-1);
    if (!first || !last) throw new Error('A part of a chain is empty.');
    const chain = chainOf(first.writer);
    const held = sql.findLow.get(chain.id);
    const isNewer = held !== undefined && first.writerSeq === chain.seq + 1;
    const isOlder = held !== undefined && last.writerSeq === held.low - 1;
    if (held !== undefined && !isNewer && !isOlder)
      throw new Error(`Events ${first.writerSeq} to ${last.writerSeq} are not next to what is held.`);
    let before: string | null = isNewer ? chain.hash : first.writerSeq === 1 ? chainStart : null;
    const now = clock();
    let at = isNewer ? chain.at : 0;
    const placed: Placed[] = [];
    for (const [index, one] of part.entries()) {
      if (one.writer !== chain.name || one.writerSeq !== first.writerSeq + index)
        throw new Error(`Event ${one.writerSeq} is not the next one.`);
      const checked = check(one, before);
      if (checked.problem === 'link' && isNewer && index === 0 && mayFork) throw new ForkedChain(one.writer);
      if (checked.problem === null) {
        at = Math.max(at, Math.min(checked.event.recordedAt, now));
        placed.push({ chain, good: checked, at });
      } else leaveOut(chain, one, checked.problem);
      if (index === 0 && !isNewer) sql.setLow.run(chain.id, one.writerSeq, checked.content, one.hash);
      // What follows is compared with what this event says its link is.
      before = one.hash;
    }
    if (isOlder && held && linkHash(last.hash, held.content) !== held.hash) takeOut(chain, held.low);
    if (!isOlder) sql.setEnd.run(last.writerSeq, last.hash, chain.id);
    sql.setAt.run(at, chain.id);
    return placed;
  };

  const storeAll = (parts: readonly ChainPart[], mayFork: boolean): Stored => {
    const all = parts
      .flatMap(part => checkPart(part, mayFork))
      .sort(
        (one, other) =>
          one.at - other.at ||
          one.chain.id - other.chain.id ||
          one.good.one.writerSeq - other.good.one.writerSeq,
      );
    const events: Event[] = [];
    const named: AmendedEvent[] = [];
    let next = sql.lastEvent.get() ?? 0;
    for (const { chain, good, at } of all) {
      const { event, id, one } = good;
      const payment = orders.paymentAt(event, { at, chain: chain.id, number: one.writerSeq });
      if (event.orderNumber !== null && isOneTooMany(payment, chain, one.values.length)) {
        leaveOut(chain, one, 'size');
        continue;
      }
      next += 1;
      const digest = one.digest === null ? null : Buffer.from(one.digest, 'hex');
      const hash = Buffer.from(one.hash, 'hex');
      const { writerSeq, paymentId, happenedAt, recordedAt, agent, kind, dedupeKey, values } = one;
      const shape = shapeNumber(one.shape);
      const header = [next, id, chain.id, writerSeq, payment, paymentId, happenedAt, recordedAt];
      sql.insert.run(...header, agent, kind, dedupeKey, shape, values, digest, hash, at);
      if (one.personal)
        sql.insertPersonal.run(next, Buffer.from(one.personal.salt, 'hex'), one.personal.values);
      if (event.kind === 'amended') {
        for (const amended of event.body.events) sql.dropNamed.run(payment, chain.id, uuidBytes(amended));
        named.push(...namedBy(payment, chain.id, event));
        haveErased();
      }
      orders.touch(event);
      events.push(event);
    }
    return { payments: orders.listTouched(), events, named };
  };

  return {
    held: (): readonly Held[] => sql.chains.all(),
    /**
     * Checks and stores parts of chains, and lists their payments again. What is wrong is left out and counted; it stops
     * nothing else. Throws if a part is not next to what is held, and a ForkedChain if it does not follow from it.
     */
    store: (parts: readonly ChainPart[], mayFork: boolean = true): Stored =>
      begin(() => storeAll(parts, mayFork)),
    /** Notes which account writes a chain. */
    noteAccount: (writer: string, account: string): void =>
      begin(() => {
        if (chainOf(writer).account !== account) sql.setAccount.run(account, writer);
      }),
    /** Removes a chain, and lists its payments again. */
    drop: (writer: string): Stored =>
      begin(() => {
        const { id } = chainOf(writer);
        for (const order of sql.ordersOf.all(id)) orders.touch(order);
        sql.dropChainPersonal.run(id);
        sql.dropChainEvents.run(id);
        sql.dropChainLeftOut.run(id);
        sql.dropHeld.run(id);
        sql.clearChain.run(chainStart, id);
        haveErased();
        return { payments: orders.listTouched(), events: [], named: [] };
      }),
    /** `named` of all that is stored: after a restart, what was not answered is asked again. */
    named: (): readonly AmendedEvent[] =>
      amendments.all().flatMap(row => {
        const event = reading.event(row);
        return event.kind === 'amended'
          ? namedBy(row[4], sql.findChain.get(event.writer)?.id ?? 0, event)
          : [];
      }),
    /**
     * Erases the personal values of events that were erased in the shared log. `at`: when the shared log named them, and
     * everything before them, milliseconds.
     */
    erase: (amended: readonly AmendedEvent[], at: number): Stored =>
      begin(() => {
        sql.noteCurrent.run(at);
        for (const { writer, writerSeq, id } of amended) {
          const chain = sql.findChain.get(writer);
          const found = chain && sql.findEvent.get(chain.id, writerSeq);
          if (!found || uuidBytes(id)?.equals(found.id) !== true) continue;
          if (sql.dropPersonal.run(found.seq).changes === 0) continue;
          touchPayment(found.payment);
          haveErased();
        }
        return { payments: orders.listTouched(), events: [], named: [] };
      }),
    leftOut: (): readonly LeftOut[] => sql.leftOut.all(),
    /** Notes up to when everything in the shared log is here, milliseconds. */
    noteLevel: (at: number): void => void sql.noteLevel.run(at),
    /** As noted last; null: never. */
    levelAt: (): number | null => sql.levelAt.get() ?? null,
  };
};
