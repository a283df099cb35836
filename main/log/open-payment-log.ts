import type { DeskError } from '../../shared/errors.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Event, EventDraft } from '../../shared/evidence.ts';
import type { ReadAnswer, ReadArguments, ReadName, ToWorker } from './messages.ts';
import type { Appended, OpenPaymentLog, PaymentLog } from './payment-log.ts';
import type { Erasure } from './erase.ts';
import { logFailure } from './failures.ts';
import { following } from './following.ts';
import { headFolder, readHeads } from './head-files.ts';
import { openSpool } from './spool.ts';
import { spoolOf } from './spool-files.ts';
import { copyFile, startConversation, verifyFile } from './threads.ts';
import type { Erased, Place } from './writer.ts';

/** Messages with evidence that are with the writer at once. */
const messagesUnderWay = 2;
/** Milliseconds: nobody at the desk feels them, and a list that is behind follows by itself. */
const usualPatience = 100;

/** A question that the log could not answer, for the callers whose answer is no Result. */
export class LogFailure extends Error {
  override readonly name = 'LogFailure';
  readonly error: DeskError;
  constructor(error: DeskError) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Opens the payment log on its own threads: one that writes, one that reads, and two for each verification.
 * Every promise of the log resolves off the main thread's time; a question that fails rejects with a LogFailure.
 * Errors: every `log.*` code, among them `log.busy` (another console holds the file) and `log.newer`.
 */
export const openPaymentLog: OpenPaymentLog = async ({
  file,
  writer,
  onTrouble = () => undefined,
  onSlow = () => undefined,
  patience = usualPatience,
}) => {
  const progress = following(patience);
  const hand = await startConversation({ role: 'writer', file, writer }, message => {
    if (message.say === 'projected') progress.showed(message.through);
  });
  if (!hand.ok) return hand;
  const eye = await startConversation({ role: 'reader', file }, message => {
    if (message.say === 'slow') onSlow(message.question, message.milliseconds);
  });
  if (!eye.ok) {
    await hand.value.close();
    return eye;
  }
  const listeners = new Set<Parameters<PaymentLog['onChange']>[0]>();
  let closing: Promise<void> | null = null;

  const ask = async <N extends ReadName>(name: N, ...args: ReadArguments[N]): Promise<ReadAnswer<N>> => {
    const result = await eye.value.ask(id => ({ ask: name, id, with: args }) as ToWorker);
    if (!result.ok) {
      onTrouble(result.error);
      throw new LogFailure(result.error);
    }
    return result.value as ReadAnswer<N>;
  };

  const tell = (events: readonly Event[]): void => {
    const orders = new Map<string, { profileId: string; orderNumber: string }>();
    for (const { profileId, orderNumber } of events) {
      if (orderNumber !== null) orders.set(`${profileId} ${orderNumber}`, { profileId, orderNumber });
    }
    for (const listener of listeners) listener([...orders.values()], events);
  };

  /** What was asked of the writer, and whether it can write. */
  const write = async <T>(message: (id: number) => ToWorker): Promise<Result<T>> => {
    const result = (await hand.value.ask(message)) as Result<T>;
    if (result.ok || result.error.code !== 'input.invalid') onTrouble(result.ok ? null : result.error);
    return result;
  };

  /** The log's last event, as far as it is known here. */
  let end = 0;
  /** The events that were written, and where; the list is waited for by whoever asks next. */
  const written = (drafts: readonly EventDraft[], place: Place): Event[] => {
    const { recordedAt, writerSeq, seq } = place;
    progress.wrote(seq);
    end = Math.max(end, seq);
    return drafts.map((draft, index): Event => ({
      ...draft,
      recordedAt,
      writer,
      writerSeq: writerSeq + index,
    }));
  };

  /** `json`: the drafts, as they cross to the writer. */
  type Waiting = { drafts: readonly EventDraft[]; json: string; answer: (result: Result<Appended>) => void };
  let queue: Waiting[] = [];
  let underWay = 0;
  let scheduled = false;

  /**
   * Sends what has gathered in one message. While one is written the next is on its way, and what comes meanwhile
   * gathers: so the disk's flush is shared by all who wait for it, and neither thread waits for the other.
   */
  const send = async (): Promise<void> => {
    scheduled = false;
    if (queue.length === 0 || underWay === messagesUnderWay) return;
    const sent = queue;
    queue = [];
    underWay += 1;
    const result = (await hand.value.ask(id => ({
      ask: 'append',
      id,
      appends: `[${sent.map(({ json }) => json).join(',')}]`,
    }))) as Result<readonly Result<Place>[]>;
    underWay -= 1;
    void send();
    const all: Event[] = [];
    for (const [index, { drafts, answer }] of sent.entries()) {
      const place = result.ok ? (result.value[index] ?? logFailure('log.unavailable')) : result;
      if (place.ok || place.error.code !== 'input.invalid') onTrouble(place.ok ? null : place.error);
      if (place.ok) {
        const events = written(drafts, place.value);
        all.push(...events);
        answer(ok({ events, duplicates: place.value.duplicates }));
      } else answer(place);
    }
    if (all.length > 0) tell(all);
  };

  const append = (drafts: readonly EventDraft[], json = JSON.stringify(drafts)): Promise<Result<Appended>> =>
    new Promise(answer => {
      queue.push({ drafts, json, answer });
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => void send());
    });

  // A log that cannot be read now says so when it is asked for more.
  end = await ask('end').catch(() => 0);
  const spool = await openSpool({
    file: spoolOf(file),
    write: append,
    logEnd: () => end,
    idsAfter: seq => ask('idsAfter', seq),
    onTrouble,
    patience,
  });
  if (!spool.ok) {
    await eye.value.close();
    await hand.value.close();
    return spool;
  }

  /** What was received before is seen by whoever asks, unless too much of it is on its way. */
  const read = async <N extends ReadName>(name: N, ...args: ReadArguments[N]): Promise<ReadAnswer<N>> => {
    await spool.value.caughtUp();
    return ask(name, ...args);
  };
  /** Questions about the list: it follows the evidence, as that follows what was received. */
  const readList: typeof read = async (name, ...args) => {
    await spool.value.caughtUp();
    await progress.caughtUp();
    return ask(name, ...args);
  };

  const erase = async (erasure: Erasure): Promise<Result<{ payments: number }>> => {
    const payments = new Set<string>();
    await spool.value.settled();
    for (;;) {
      const result = await write<Erased | null>(id => ({ ask: 'erase', id, erasure }));
      if (!result.ok) return result;
      if (result.value === null) return ok({ payments: payments.size });
      const { drafts, place } = result.value;
      const events = place ? written(drafts, place) : [];
      if (events.length > 0) tell(events);
      for (const { profileId, orderNumber } of events) payments.add(`${profileId} ${orderNumber}`);
    }
  };

  return ok({
    append: drafts => append(drafts),
    receive: draft => spool.value.add(draft),
    settled: () => spool.value.settled(),
    payment: (profileId, orderNumber) => read('payment', profileId, orderNumber),
    events: (profileId, orderNumber) => read('events', profileId, orderNumber),
    ordersOf: paymentId => readList('ordersOf', paymentId),
    list: (filter, cursor, limit) => readList('list', filter, cursor, limit),
    count: filter => readList('count', filter),
    counts: profileId => readList('counts', profileId),
    overview: (profileId, cuts) => readList('overview', profileId, cuts),
    reconcile: (profileId, cause, cursor, limit) => readList('reconcile', profileId, cause, cursor, limit),
    runningOut: (profileId, limit) => readList('runningOut', profileId, limit),
    notesSince: (profileId, since, limit) => read('notesSince', profileId, since, limit),
    lastCalls: profileId => read('lastCalls', profileId),
    recentCallbacks: limit => read('recentCallbacks', limit),
    knows: dedupeKey => read('knows', dedupeKey),
    chainEnds: () => read('chainEnds'),
    proof: (profileId, orderNumber) => read('proof', profileId, orderNumber),
    proofPath: (...from) => read('proofPath', ...from),
    copyTo: async (copy, onProgress) => {
      await spool.value.settled();
      return copyFile(file, copy, onProgress);
    },
    erase,
    verify: async onProgress => {
      const report = await verifyFile(file, { heads: readHeads(headFolder(file)), onProgress });
      if (!report.ok) throw new LogFailure(report.error);
      return report.value;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      // The writer leaves last: it alone may fold the write-ahead log back into the file.
      closing ??= spool.value
        .close()
        .then(() => eye.value.close())
        .then(() => hand.value.close());
      return closing;
    },
  });
};
