import type { DeskError } from '../../shared/errors.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import type { ReadAnswer, ReadArguments, ReadName, ToWorker } from './worker/messages.ts';
import type { Appended, OpenPaymentLog, PaymentLog } from './payment-log.ts';
import type { Erasure } from './store/erase.ts';
import { logFailure } from './failures.ts';
import { following } from './worker/catch-up-barrier.ts';
import { headFolder } from './integrity/head-files.ts';
import { copyFile, startConversation, verifyFile } from './worker/worker-client.ts';
import type { Erased, Place } from './store/writer.ts';

/** Messages with evidence that are with the writer at once. */
const messagesUnderWay = 2;
/** Milliseconds: nobody at the desk feels them, and a list that is behind follows by itself. */
const usualPatience = 100;

/** Whether the log itself failed, rather than refusing one draft. */
const isTrouble = ({ code }: DeskError): boolean => code.startsWith('log.');

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
 * Opens the payment log on its own threads: one that writes, one that reads, and several for each verification.
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
    // Nothing is shown any more: it is made again.
    if (message.say === 'rebuilding') progress.showed(0);
    if (message.say === 'files') onTrouble(message.error);
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
    if (result.ok || isTrouble(result.error)) onTrouble(result.ok ? null : result.error);
    return result;
  };

  /** The events that were written, and where; the list is waited for by whoever asks next. */
  const written = (drafts: readonly EventDraft[], place: Place): Event[] => {
    const { recordedAt, writerSeq, seq } = place;
    progress.wrote(seq);
    if (place.isOmitted) return [];
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
    }))) as Result<string>;
    underWay -= 1;
    void send();
    const all: Event[] = [];
    const places = result.ok ? (JSON.parse(result.value) as Result<Place>[]) : [];
    for (const [index, { drafts, answer }] of sent.entries()) {
      const place = result.ok ? (places[index] ?? logFailure('log.unavailable')) : result;
      if (place.ok || isTrouble(place.error)) onTrouble(place.ok ? null : place.error);
      if (place.ok) {
        const events = written(drafts, place.value);
        all.push(...events);
        answer(ok({ events, duplicates: place.value.duplicates }));
      } else answer(place);
    }
    if (all.length > 0) tell(all);
  };

  const append = (drafts: readonly EventDraft[]): Promise<Result<Appended>> =>
    new Promise(answer => {
      queue.push({ drafts, json: JSON.stringify(drafts), answer });
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => void send());
    });

  /** Questions about the list, which follows the evidence. */
  const askList: typeof ask = async (name, ...args) => {
    await progress.caughtUp();
    return ask(name, ...args);
  };

  const erase = async (erasure: Erasure): Promise<Result<{ payments: number }>> => {
    const payments = new Set<string>();
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
    append,
    payment: (profileId, orderNumber) => ask('payment', profileId, orderNumber),
    orderRecord: (profileId, orderNumber) => ask('orderRecord', profileId, orderNumber),
    events: (profileId, orderNumber) => ask('events', profileId, orderNumber),
    eventPage: (profileId, orderNumber, before) => ask('eventPage', profileId, orderNumber, before),
    change: (profileId, orderNumber, since) => ask('change', profileId, orderNumber, since),
    ordersOf: paymentId => askList('ordersOf', paymentId),
    list: (filter, cursor, limit) => askList('list', filter, cursor, limit),
    count: filter => askList('count', filter),
    counts: profileId => askList('counts', profileId),
    overview: (profileId, cuts) => askList('overview', profileId, cuts),
    reconcile: (profileId, cause, cursor, limit) => askList('reconcile', profileId, cause, cursor, limit),
    runningOut: (profileId, limit) => askList('runningOut', profileId, limit),
    notesSince: (profileId, since, limit) => ask('notesSince', profileId, since, limit),
    lastCalls: profileId => ask('lastCalls', profileId),
    recentCallbacks: limit => ask('recentCallbacks', limit),
    inquiries: (profileId, limit, paymentIds) =>
      paymentIds === undefined
        ? askList('inquiries', profileId, limit)
        : ask('inquiries', profileId, limit, paymentIds),
    knows: (profileId, orderNumber, dedupeKey) => ask('knows', profileId, orderNumber, dedupeKey),
    chainEnds: () => ask('chainEnds'),
    lastRecordedAt: () => ask('lastRecordedAt'),
    proof: (profileId, orderNumber) => ask('proof', profileId, orderNumber),
    proofPath: (...from) => ask('proofPath', ...from),
    copyTo: (copy, onProgress) => copyFile(file, copy, onProgress),
    erase,
    rebuild: async () => {
      const last = await write<number>(id => ({ ask: 'rebuild', id }));
      if (!last.ok) return last;
      progress.wrote(last.value);
      await progress.complete();
      tell([]);
      return ok(undefined);
    },
    verify: async (onProgress, heads = []) => {
      const report = await verifyFile(file, {
        headFolder: headFolder(file),
        heads,
        projected: progress.shown(),
        onProgress,
      });
      if (!report.ok) throw new LogFailure(report.error);
      return report.value;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      // The writer leaves last: it alone may fold the write-ahead log back into the file.
      progress.showed(Number.POSITIVE_INFINITY);
      closing ??= eye.value.close().then(() => hand.value.close());
      return closing;
    },
  });
};
