import { isConnectionCheck, isInquiry } from '../../shared/payment-reducer/evidence/inquiry.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { createDeliveryCounter } from '../payment-log/evidence/event-content.ts';
import { LogFailure } from '../payment-log/log-failures.ts';
import {
  callRead,
  createLogReader,
  type PaymentLog,
  type PaymentLogReader,
} from '../payment-log/payment-log.ts';
import type { TeamReplica } from './team-replica.ts';

const byTimeOfWriting = (one: Event, other: Event): number =>
  one.recordedAt - other.recordedAt ||
  (one.writer < other.writer ? -1 : one.writer > other.writer ? 1 : one.writerSeq - other.writerSeq);

/**
 * The payment log of an installation in a team: it writes to its journal, which is shipped, and reads from its replica,
 * with and without a connection.
 *
 * A read contains the installation's own earlier events: reads of one order add those that the replica does not have
 * yet; all others wait for them up to a limit, after which what they answer may lack them and is read again later. A
 * replica that cannot be opened fails every read: the journal alone would be a part of the payments.
 */
export const createTeamLog = ({
  journal,
  replica,
}: {
  journal: PaymentLog;
  replica: Pick<TeamReplica, 'current' | 'rebuild'>;
}): PaymentLog => {
  const { writer } = journal.ownChain;

  const opened = async () => {
    const current = await replica.current();
    if (!current.ok) throw new LogFailure(current.error);
    return current.value;
  };
  const read = async <T>(ask: (reader: PaymentLogReader) => Promise<T>): Promise<T> => {
    const current = await opened();
    await current.waitForOwn();
    return ask(current.reader);
  };
  /**
   * Reads again if nothing was found, and the shared log has an order with this number or payment id that is older than
   * the replica's months.
   */
  const readOlder = async <T>(
    ask: () => Promise<T>,
    isNothing: (answer: T) => boolean,
    numberOrId: string,
  ): Promise<T> => {
    const answer = await ask();
    if (numberOrId === '' || !isNothing(answer)) return answer;
    const found = await (await opened()).findOlder(numberOrId);
    return found.ok && found.value > 0 ? ask() : answer;
  };
  /** Own events of an order that the replica may lack; none if it has all of them. */
  const unlistedOf = async (profileId: string, orderNumber: string): Promise<readonly Event[]> =>
    (await opened()).showsOwn() ? [] : journal.events(profileId, orderNumber);

  /** An order's events of all installations, those that count, in the order of their writing. */
  const eventsOf = async (profileId: string, orderNumber: string): Promise<Event[]> => {
    const own = await unlistedOf(profileId, orderNumber);
    const { reader } = await opened();
    const listed = await readOlder(
      () => reader.events(profileId, orderNumber),
      events => events.length === 0,
      orderNumber,
    );
    const ids = new Set(listed.map(({ id }) => id));
    const all = [...listed, ...own.filter(({ id }) => !ids.has(id))].toSorted(byTimeOfWriting);
    const counts = createDeliveryCounter();
    return all.filter(({ dedupeKey }) => counts(dedupeKey));
  };

  return {
    ...createLogReader((name, args) => read(async reader => callRead(reader, name, args))),
    append: drafts => journal.append(drafts),
    payment: async (profileId, orderNumber) => {
      const events = await eventsOf(profileId, orderNumber);
      return isInquiry(events, orderNumber) ? null : reducePayment(events);
    },
    events: async (profileId, orderNumber) =>
      (await eventsOf(profileId, orderNumber)).toSorted((one, other) => one.happenedAt - other.happenedAt),
    change: async (profileId, orderNumber, since) => {
      const events = await eventsOf(profileId, orderNumber);
      if (isInquiry(events, orderNumber) || isConnectionCheck(events)) return null;
      const before = events.filter(
        event => event.writer !== since.writer || event.writerSeq < since.writerSeq,
      );
      return {
        payment: reducePayment(events),
        previousState:
          isInquiry(before, orderNumber) || isConnectionCheck(before) ? null : reducePayment(before).state,
      };
    },
    eventPage: async (profileId, orderNumber, before) => {
      // Further pages are those of the replica: own events that it lacks are added to the first one only.
      const own = before === null ? await read(() => unlistedOf(profileId, orderNumber)) : [];
      const page = await (await opened()).reader.eventPage(profileId, orderNumber, before);
      if (own.length === 0) return page;
      const ids = new Set(page.events.map(({ id }) => id));
      const latest = await journal.eventPage(profileId, orderNumber, null);
      const oldest = page.events.reduce((low, { recordedAt }) => Math.min(low, recordedAt), Infinity);
      const missing = latest.events.filter(event => !ids.has(event.id) && event.recordedAt >= oldest);
      return {
        events: [...page.events, ...missing].sort((one, other) => one.happenedAt - other.happenedAt),
        earlier: page.earlier,
      };
    },
    hasEvent: async (profileId, orderNumber, dedupeKey) =>
      (await journal.hasEvent(profileId, orderNumber, dedupeKey)) ||
      read(reader => reader.hasEvent(profileId, orderNumber, dedupeKey)),
    /** Only those of this installation: what the others sent, the shared log counts. */
    operationsSince: since => journal.operationsSince(since),
    proofPath: (profileId, orderNumber, chain, first, last) =>
      chain === writer
        ? journal.proofPath(profileId, orderNumber, chain, first, last)
        : read(reader => reader.proofPath(profileId, orderNumber, chain, first, last)),
    orderRecord: (...order) =>
      readOlder(
        () => read(reader => reader.orderRecord(...order)),
        record => record === null,
        order[1],
      ),
    ordersOf: paymentId =>
      readOlder(
        () => read(reader => reader.ordersOf(paymentId)),
        orders => orders.length === 0,
        paymentId,
      ),
    list: (filter, cursor, limit) =>
      readOlder(
        () => read(reader => reader.list(filter, cursor, limit)),
        ({ rows, approximate }) => rows.length === 0 || approximate !== null,
        cursor === null ? filter.words.trim() : '',
      ),
    find: (filter, limit) =>
      readOlder(
        () => read(reader => reader.find(filter, limit)),
        ({ hits }) => hits.every(({ isApproximate }) => isApproximate),
        filter.words.trim(),
      ),
    chainEnds: () => journal.chainEnds(),
    lastRecordedAt: () => journal.lastRecordedAt(),
    ownChain: journal.ownChain,
    files: journal.files,
    erase: erasure => journal.erase(erasure),
    rebuild: async () => {
      const begun = await replica.rebuild();
      return begun.ok ? journal.rebuild() : begun;
    },
    verify: (onProgress, heads) => journal.verify(onProgress, heads),
    onChange: listener => journal.onChange(listener),
    close: () => journal.close(),
  };
};
