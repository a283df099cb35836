import type { Result } from '../../shared/errors.ts';
import { isInquiry } from '../../shared/payment-reducer/inquiry.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { createDeliveryCounter } from '../payment-log/evidence/event-content.ts';
import { LogFailure, logFailure } from '../payment-log/failures.ts';
import type { PaymentLog, PaymentLogReader } from '../payment-log/payment-log.ts';
import { isReachable, type Shipping } from './ship.ts';

/** Default of how long a read waits for the installation's own last event, milliseconds. */
const defaultTimeoutMs = 100;
/** A read that the shared log does not answer in this time is answered by the journal, milliseconds. */
const readDeadlineMs = 2_500;
/** After such a read the journal answers for this time, milliseconds. */
const cooldownMs = 5_000;

/** What the shared log answers: every installation's evidence, and the list of all payments. */
export type SharedReads = {
  reader: PaymentLogReader;
  /** Whether the list shows a chain of this installation up to this number; waits for it so long at most. */
  listed(writer: string, number: number, milliseconds: number): Promise<boolean>;
  /** Begins to build the list again; it stays visible. */
  rebuildList(): Promise<Result<undefined>>;
};

/** A position that the shared log returned. The journal's positions are numbers of events, which are far smaller. */
const isSharedPosition = (position: number): boolean => position > 2 ** 36;
const sharedCursor = 'shared:';

const byTimeOfWriting = (one: Event, other: Event): number =>
  one.recordedAt - other.recordedAt ||
  (one.writer < other.writer ? -1 : one.writer > other.writer ? 1 : one.writerSeq - other.writerSeq);

/**
 * The payment log of an installation in a team: it writes to its journal, which is shipped, and reads from the shared
 * log. While the shared log does not answer, it reads from the journal: this installation's events only. A page that
 * began in one of them continues there.
 *
 * A read contains the installation's own earlier events: reads of one order add those that are not shipped yet; reads
 * of the list wait for them for `timeoutMs`, after which the list may lack them.
 */
export const createTeamLog = ({
  journal,
  shared,
  shipping,
  timeoutMs = defaultTimeoutMs,
}: {
  journal: PaymentLog;
  shared: SharedReads;
  shipping: Pick<Shipping, 'standing' | 'shipped'>;
  timeoutMs?: number;
}): PaymentLog => {
  const { writer } = journal.ownChain;
  /** The number of the last own event. */
  let written = 0;
  let avoidUntil = Number.NEGATIVE_INFINITY;
  const ready = journal.chainEnds().then(
    ends => {
      written = Math.max(written, ends.find(end => end.writer === writer)?.seq ?? 0);
    },
    () => undefined,
  );
  const stopListening = journal.onChange((_, events) => {
    for (const event of events) if (event.writer === writer) written = Math.max(written, event.writerSeq);
  });

  const mayAsk = (): boolean => isReachable(shipping.standing()) && performance.now() >= avoidUntil;

  const withDeadline = async <T>(read: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new LogFailure(logFailure('log.unreachable', 'no answer').error)),
        readDeadlineMs,
      );
    });
    try {
      return await Promise.race([read, deadline]);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Reads from the shared log. Null if it does not answer. */
  const fromShared = async <T>(
    read: (reader: PaymentLogReader) => Promise<T>,
  ): Promise<{ value: T } | null> => {
    if (!mayAsk()) return null;
    try {
      return { value: await withDeadline(read(shared.reader)) };
    } catch (thrown) {
      if (!(thrown instanceof LogFailure)) throw thrown;
      avoidUntil = performance.now() + cooldownMs;
      return null;
    }
  };

  /** For a page that began in the shared log. */
  const onlyFromShared = async <T>(read: (reader: PaymentLogReader) => Promise<T>): Promise<T> => {
    const found = await fromShared(read);
    if (found) return found.value;
    throw new LogFailure(logFailure('log.unreachable', 'page').error);
  };

  /** A read of evidence for which own events that are not shipped yet do not matter. */
  const readEvidence = async <T>(read: (reader: PaymentLogReader) => Promise<T>): Promise<T> => {
    await ready;
    if (mayAsk()) await shipping.shipped(written, timeoutMs);
    const found = await fromShared(read);
    return found ? found.value : read(journal);
  };

  const readList = async <T>(read: (reader: PaymentLogReader) => Promise<T>): Promise<T> => {
    await ready;
    if (mayAsk()) await shared.listed(writer, written, timeoutMs);
    const found = await fromShared(read);
    return found ? found.value : read(journal);
  };

  const readPage = async <P extends { next: string | null }>(
    cursor: string | null,
    read: (reader: PaymentLogReader, cursor: string | null) => Promise<P>,
  ): Promise<P> => {
    if (cursor !== null && !cursor.startsWith(sharedCursor)) return read(journal, cursor);
    const marked = (page: P): P => ({
      ...page,
      next: page.next === null ? null : `${sharedCursor}${page.next}`,
    });
    if (cursor !== null)
      return marked(await onlyFromShared(reader => read(reader, cursor.slice(sharedCursor.length))));
    await ready;
    if (mayAsk()) await shared.listed(writer, written, timeoutMs);
    const found = await fromShared(reader => read(reader, null));
    return found ? marked(found.value) : read(journal, null);
  };

  /**
   * Own events of an order that the shared log may lack; null if it has all of them or does not answer. In both cases
   * one log alone answers.
   */
  const unshippedOf = async (profileId: string, orderNumber: string): Promise<readonly Event[] | null> => {
    await ready;
    if (!mayAsk() || (await shipping.shipped(written, timeoutMs))) return null;
    return journal.events(profileId, orderNumber);
  };

  /** The order's events of all installations, with those that are not shipped yet; null if only one log answers. */
  const merged = async (profileId: string, orderNumber: string): Promise<Event[] | null> => {
    const own = await unshippedOf(profileId, orderNumber);
    if (!own) return null;
    const others = await fromShared(reader => reader.events(profileId, orderNumber));
    if (!others) return null;
    const ids = new Set(others.value.map(({ id }) => id));
    const all = [...others.value, ...own.filter(({ id }) => !ids.has(id))].toSorted(byTimeOfWriting);
    const counts = createDeliveryCounter();
    return all.filter(({ dedupeKey }) => counts(dedupeKey));
  };

  return {
    append: drafts => journal.append(drafts),
    payment: async (profileId, orderNumber) => {
      const events = await merged(profileId, orderNumber);
      if (!events) return readEvidence(reader => reader.payment(profileId, orderNumber));
      return isInquiry(events, orderNumber) ? null : reducePayment(events);
    },
    events: async (profileId, orderNumber) =>
      (await merged(profileId, orderNumber))?.toSorted((one, other) => one.happenedAt - other.happenedAt) ??
      readEvidence(reader => reader.events(profileId, orderNumber)),
    change: async (profileId, orderNumber, since) => {
      const events = await merged(profileId, orderNumber);
      if (!events) return readEvidence(reader => reader.change(profileId, orderNumber, since));
      if (isInquiry(events, orderNumber)) return null;
      const before = events.filter(
        event => event.writer !== since.writer || event.writerSeq < since.writerSeq,
      );
      return {
        payment: reducePayment(events),
        previousState: isInquiry(before, orderNumber) ? null : reducePayment(before).state,
      };
    },
    eventPage: async (profileId, orderNumber, before) => {
      if (before !== null)
        return isSharedPosition(before)
          ? onlyFromShared(reader => reader.eventPage(profileId, orderNumber, before))
          : journal.eventPage(profileId, orderNumber, before);
      const own = await unshippedOf(profileId, orderNumber);
      const page = await readEvidence(reader => reader.eventPage(profileId, orderNumber, null));
      if (!own || own.length === 0) return page;
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
      readEvidence(reader => reader.hasEvent(profileId, orderNumber, dedupeKey)),
    proof: (profileId, orderNumber) => readEvidence(reader => reader.proof(profileId, orderNumber)),
    proofPath: (profileId, orderNumber, chain, first, last) =>
      chain === writer
        ? journal.proofPath(profileId, orderNumber, chain, first, last)
        : readEvidence(reader => reader.proofPath(profileId, orderNumber, chain, first, last)),
    orderRecord: (profileId, orderNumber) => readList(reader => reader.orderRecord(profileId, orderNumber)),
    ordersOf: paymentId => readList(reader => reader.ordersOf(paymentId)),
    list: (filter, cursor, limit) => readPage(cursor, (reader, from) => reader.list(filter, from, limit)),
    moved: (profileId, since, until, cursor, limit) =>
      readPage(cursor, (reader, from) => reader.moved(profileId, since, until, from, limit)),
    paymentsToRecheck: (...due) => readList(reader => reader.paymentsToRecheck(...due)),
    count: filter => readList(reader => reader.count(filter)),
    totals: filter => readList(reader => reader.totals(filter)),
    counts: profileId => readList(reader => reader.counts(profileId)),
    overview: (...days) => readList(reader => reader.overview(...days)),
    reconcile: (profileId, cause, cursor, limit, selection) =>
      readPage(cursor, (reader, from) => reader.reconcile(profileId, cause, from, limit, selection)),
    expiringSoon: (profileId, limit) => readList(reader => reader.expiringSoon(profileId, limit)),
    notesSince: (...notes) => readEvidence(reader => reader.notesSince(...notes)),
    recentGatewayActivity: profileId => readEvidence(reader => reader.recentGatewayActivity(profileId)),
    callbackTypes: profileId => readEvidence(reader => reader.callbackTypes(profileId)),
    recentCallbacks: limit => readEvidence(reader => reader.recentCallbacks(limit)),
    inquiries: (...inquiry) => readList(reader => reader.inquiries(...inquiry)),
    activities: (selection, before, limit) =>
      before === null
        ? readEvidence(reader => reader.activities(selection, null, limit))
        : isSharedPosition(before)
          ? onlyFromShared(reader => reader.activities(selection, before, limit))
          : journal.activities(selection, before, limit),
    chainEnds: () => journal.chainEnds(),
    lastRecordedAt: () => journal.lastRecordedAt(),
    ownChain: journal.ownChain,
    files: journal.files,
    erase: erasure => journal.erase(erasure),
    rebuild: async () => {
      if (mayAsk()) {
        const begun = await shared.rebuildList();
        if (!begun.ok) return begun;
      }
      return journal.rebuild();
    },
    verify: (onProgress, heads) => journal.verify(onProgress, heads),
    onChange: listener => journal.onChange(listener),
    close: () => {
      stopListening();
      return journal.close();
    },
  };
};
