import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import { paymentKey, paymentsOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import type { ToWorker } from '../sqlite/worker/messages.ts';
import { openList } from './open-list.ts';
import type { Appended, OpenPaymentLog, PaymentLog } from '../payment-log.ts';
import { LogFailure, logFailure } from '../log-failures.ts';
import { createCatchUpBarrier } from '../sqlite/worker/catch-up-barrier.ts';
import { headFolder } from '../heads/head-files.ts';
import { copyFile, startWorkerClient, verifyFile } from '../sqlite/worker/worker-client.ts';
import type { Erased, AppendedPlace } from '../sqlite/store/writer.ts';
import type { Erasure } from '../answers.ts';

/** Limit of payments that are named when the list was late; beyond it every shown payment is read again. */
const maxUnlisted = 1_000;
/** Limit of messages with events sent to the writer but not yet answered. */
const maxInFlight = 2;
/** Default read timeout: imperceptible to users; an outdated list refreshes later. */
const defaultTimeoutMs = 100;

/** An erasure of nothing more. */
const nothing: Erasure = { reason: 'elsewhere', events: [] };

/** Whether the log itself failed, rather than refusing one draft. */
const isLogError = ({ code }: AppError): boolean => code.startsWith('log.');

/**
 * Opens the payment log on worker threads: a writer, that of its list, a reader, and several for each verification. No
 * promise of the log blocks the main thread; a failed read rejects with a LogFailure. Errors: every `log.*` code, among them
 * `log.busy` (another console holds the file) and `log.newer`.
 */
export const openPaymentLog: OpenPaymentLog = async ({
  file,
  writer,
  onStateError = () => undefined,
  onSlow = () => undefined,
  timeoutMs = defaultTimeoutMs,
  hasList = true,
  followed = null,
}) => {
  const listeners = new Set<Parameters<PaymentLog['onChange']>[0]>();
  const notify = (payments: readonly PaymentKey[] | null, events: readonly Event[]): void => {
    for (const listener of listeners) listener(payments, events);
  };
  /** Those that the list does not show yet; null: too many to name, or unknown. */
  let unlisted: Map<string, PaymentKey> | null = new Map();
  const progress = createCatchUpBarrier(timeoutMs, isLate => {
    const payments = unlisted && [...unlisted.values()];
    unlisted = new Map();
    // What was read from a list that was behind is read again.
    if (isLate) notify(payments, []);
  });
  const emitChange = (events: readonly Event[]): void => {
    const payments = paymentsOf(events);
    for (const payment of payments) unlisted?.set(paymentKey(payment), payment);
    if (unlisted !== null && unlisted.size > maxUnlisted) unlisted = null;
    notify(payments, events);
  };
  /** No event says which payments changed. */
  const emitUnnamedChange = (): void => {
    unlisted = null;
    notify(null, []);
  };
  const writerWorker = await startWorkerClient({ role: 'writer', file, writer }, message => {
    if (message.type === 'files') onStateError(message.error);
  });
  if (!writerWorker.ok) return writerWorker;
  const opened = await openList({
    file,
    writer,
    hasList,
    followed,
    timeoutMs,
    listReady: () => progress.waitUntilApplied(),
    onListed: ({ through, payments }) => {
      progress.advanceApplied(through);
      if (payments === null) notify(null, []);
    },
    onFailed: onStateError,
    onSlow,
  });
  if (!opened.ok) {
    await writerWorker.value.close();
    return opened;
  }
  const list = opened.value;
  let closing: Promise<void> | null = null;

  /** Sends a request to the writer and tracks from its result whether the log can be written. */
  const write = async <T>(message: (id: number) => ToWorker): Promise<Result<T>> => {
    const result = (await writerWorker.value.request(message)) as Result<T>;
    if (result.ok || isLogError(result.error)) onStateError(result.ok ? null : result.error);
    return result;
  };

  /** The written events with their positions; subsequent reads of the list wait for them. */
  const written = (drafts: readonly EventDraft[], appended: AppendedPlace): Event[] => {
    const { recordedAt, writerSeq, seq } = appended;
    progress.advanceTarget(seq);
    if (appended.isOmitted) return [];
    return drafts.map((draft, index): Event => ({
      ...draft,
      recordedAt,
      writer,
      writerSeq: writerSeq + index,
    }));
  };

  /** `json`: the drafts as they are sent to the writer. */
  type PendingAppend = {
    drafts: readonly EventDraft[];
    json: string;
    answer: (result: Result<Appended>) => void;
  };
  let queue: PendingAppend[] = [];
  let inFlight = 0;
  let scheduled = false;

  /**
   * Sends the gathered drafts in one message. While one batch is written the next is in flight and further drafts
   * gather. All waiting callers share one flush, and neither thread waits for the other.
   */
  const send = async (): Promise<void> => {
    scheduled = false;
    if (queue.length === 0 || inFlight === maxInFlight) return;
    const sent = queue;
    queue = [];
    inFlight += 1;
    const result = (await writerWorker.value.request(id => ({
      type: 'append',
      id,
      appends: `[${sent.map(({ json }) => json).join(',')}]`,
    }))) as Result<string>;
    inFlight -= 1;
    void send();
    const all: Event[] = [];
    const places = result.ok ? (JSON.parse(result.value) as Result<AppendedPlace>[]) : [];
    for (const [index, { drafts, answer }] of sent.entries()) {
      const appended = result.ok ? (places[index] ?? logFailure('log.unavailable')) : result;
      if (appended.ok || isLogError(appended.error)) onStateError(appended.ok ? null : appended.error);
      if (appended.ok) {
        const events = written(drafts, appended.value);
        all.push(...events);
        answer(ok({ events, duplicates: appended.value.duplicates }));
      } else answer(appended);
    }
    if (all.length === 0) return;
    list.ownWritten();
    emitChange(all);
  };

  const append = (drafts: readonly EventDraft[]): Promise<Result<Appended>> =>
    new Promise(answer => {
      queue.push({ drafts, json: JSON.stringify(drafts), answer });
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => void send());
    });

  const erase: PaymentLog['erase'] = async (erasure, { onErased, signal } = {}) => {
    const payments = new Set<string>();
    for (let steps = 0; ; steps += 1) {
      // What was erased before is removed from the search index all the same.
      const next = signal?.aborted ? nothing : erasure;
      const result = await write<Erased | null>(id => ({ type: 'erase', id, erasure: next }));
      if (!result.ok) return result;
      if (result.value === null) {
        // The list and its search index have the erased words too.
        const caughtUp = await list.catchUp();
        if (!caughtUp.ok) return caughtUp;
        if (erasure.reason === 'elsewhere' && steps > 0) emitUnnamedChange();
        return ok({ payments: payments.size });
      }
      const { drafts, appended } = result.value;
      const events = appended ? written(drafts, appended) : [];
      if (events.length > 0) emitChange(events);
      for (const { profileId, orderNumber } of events) payments.add(`${profileId} ${orderNumber}`);
      if (events.length > 0) onErased?.(events.flatMap(({ orderNumber }) => orderNumber ?? []));
    }
  };

  return ok({
    append,
    ...list.reads,
    ownChain: {
      writer,
      events: (after, limit, chain = writer) => list.chainedEvents(chain, after, limit),
      correctClock: async milliseconds => {
        const correct = (id: number): ToWorker => ({ type: 'correct-clock', id, milliseconds });
        await Promise.all([writerWorker.value.request(correct), list.correctClock(milliseconds)]);
      },
      restore: async events => {
        const restored = await write<number>(id => ({ type: 'restore', id, events }));
        if (!restored.ok) return restored;
        progress.advanceTarget(restored.value);
        list.ownWritten();
        emitUnnamedChange();
        return ok(undefined);
      },
    },
    files: {
      path: file,
      copyTo: (copy, onProgress) => copyFile(file, copy, onProgress),
      settleLoss: async () => {
        const settled = await write(id => ({ type: 'settle-loss', id }));
        return settled.ok ? ok(undefined) : settled;
      },
    },
    erase,
    paymentList: hasList ? list : null,
    verify: async (onProgress, heads = []) => {
      const report = await verifyFile(file, {
        headFolder: headFolder(file),
        heads,
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
      // The writer is closed last: only the writer may checkpoint the write-ahead log into the file.
      listeners.clear();
      progress.advanceApplied(Number.POSITIVE_INFINITY);
      closing ??= list.close().then(() => writerWorker.value.close());
      return closing;
    },
  });
};
