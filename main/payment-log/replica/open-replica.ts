import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { ReplicaStanding } from '../../../shared/team/replica-standing.ts';
import { logFailure } from '../log-failures.ts';
import type { PaymentLog, PaymentLogReader } from '../payment-log.ts';
import type { SharedLogSettings } from '../postgres/connection-settings.ts';
import { createCatchUpBarrier } from '../sqlite/worker/catch-up-barrier.ts';
import type { ToWorker } from '../sqlite/worker/messages.ts';
import { startWorkerClient } from '../sqlite/worker/worker-client.ts';
import { workerReads } from '../sqlite/worker/worker-reads.ts';

/** How long the search for an older order may take. */
const findOlderMs = 2_000;

/** Default of how long a read waits for the installation's own last event. */
const defaultTimeoutMs = 100;

/** The payments of all installations, on this computer; its threads run until it is closed. */
export type Replica = {
  /** A failed read rejects with a LogFailure. */
  reader: PaymentLogReader;
  /** Resolves when it shows everything that this installation has written, or after a limit. */
  waitForOwn(): Promise<void>;
  /** Resolves when it shows all of that, without a limit. */
  waitForAllOwn(): Promise<void>;
  /** Whether it shows everything that this installation has written. */
  showsOwn(): boolean;
  /** Whether a person is at the console: then it follows news at once, otherwise every 5 seconds. */
  attend(isAttended: boolean): void;
  /** Follows this shared log from now on; it connects again after a failure. */
  connect(settings: SharedLogSettings): void;
  standing(): ReplicaStanding;
  /**
   * Fetches orders with this number or payment id that are older than the months which are copied, within a limit;
   * resolves to how many there are. Errors: `log.unreachable` and those of the shared log.
   */
  findOlder(numberOrId: string): Promise<Result<number>>;
  /** From now on `milliseconds` are added to this computer's clock. */
  correctClock(milliseconds: number): Promise<void>;
  close(): Promise<void>;
  /** Resolves when one of its threads has ended for any reason. */
  ended: Promise<void>;
};

/**
 * Opens a replica; one that cannot be used is replaced. `maxAwayMs`: how long it may have been without the erasures of the
 * shared log; `months`: how many months before the present one are copied, null for all. `onChange`: called with what
 * other installations wrote; `payments` null: any payment may have changed. Errors: `log.*`.
 */
export const openReplica = async ({
  file,
  journal: { file: journalFile, log: journal },
  maxAwayMs,
  months,
  timeoutMs = defaultTimeoutMs,
  onChange,
  onStanding = () => undefined,
}: {
  file: string;
  journal: { file: string; log: PaymentLog };
  maxAwayMs: number;
  months: number | null;
  timeoutMs?: number;
  onChange: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
  onStanding?: (standing: ReplicaStanding) => void;
}): Promise<Result<Replica>> => {
  const { writer } = journal.ownChain;
  let standing: ReplicaStanding = {
    isConnected: false,
    problem: null,
    progress: { done: 0, total: 0 },
    isLevel: false,
    levelAt: null,
    since: null,
    leftOut: [],
  };
  /** The number of the last own event. */
  let written = 0;
  // What was read too early is read again.
  const own = createCatchUpBarrier(timeoutMs, isLate => {
    if (isLate) onChange(null, []);
  });
  const noteWritten = (seq: number): void => {
    written = Math.max(written, seq);
    own.advanceTarget(written);
  };

  const writerThread = await startWorkerClient(
    { role: 'replica-writer', file, journal: journalFile, writer, maxAwayMs, months },
    message => {
      if (message.type === 'stored') {
        own.advanceApplied(message.own);
        if (message.payments === null || message.payments.length > 0)
          onChange(message.payments, message.events);
      } else if (message.type === 'standing') {
        ({ standing } = message);
        onStanding(standing);
      }
    },
  );
  if (!writerThread.ok) return writerThread;
  const readerThread = await startWorkerClient({ role: 'replica-reader', file });
  if (!readerThread.ok) {
    await writerThread.value.close();
    return readerThread;
  }
  const send = (message: (id: number) => ToWorker): void => void writerThread.value.request(message);
  const stopListening = journal.onChange((_, events) => {
    const last = events.findLast(event => event.writer === writer);
    if (last) noteWritten(last.writerSeq);
    send(id => ({ type: 'own-written', id }));
  });
  const ends = await journal.chainEnds().catch(() => []);
  noteWritten(ends.find(end => end.writer === writer)?.seq ?? 0);

  return ok({
    ended: Promise.race([writerThread.value.ended, readerThread.value.ended]),
    reader: workerReads(readerThread.value).reads,
    waitForOwn: () => own.waitUntilApplied(),
    waitForAllOwn: () => own.waitUntilComplete(),
    showsOwn: () => own.applied() >= written,
    attend: isAttended => send(id => ({ type: 'attend', id, isAttended })),
    connect: settings => send(id => ({ type: 'connect', id, settings })),
    standing: () => standing,
    findOlder: numberOrId => {
      if (months === null) return Promise.resolve(ok(0));
      const found = writerThread.value.request(id => ({ type: 'find-older', id, numberOrId }));
      return Promise.race([
        found as Promise<Result<number>>,
        wait(findOlderMs, logFailure('log.unreachable'), { ref: false }),
      ]);
    },
    correctClock: async milliseconds => {
      const correct = (id: number): ToWorker => ({ type: 'correct-clock', id, milliseconds });
      await Promise.all([writerThread.value.request(correct), readerThread.value.request(correct)]);
    },
    close: async () => {
      stopListening();
      own.advanceApplied(Number.POSITIVE_INFINITY);
      await readerThread.value.close();
      await writerThread.value.close();
    },
  });
};
