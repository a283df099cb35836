import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { paymentsOf } from '../../../shared/payments/payment-key.ts';
import { setFailureSink } from '../../app-log/failure-report.ts';
import { sharedLogSettingsSchema, type SharedLogSettings } from '../postgres/connection-settings.ts';
import { openForReading, type LogDatabase } from '../sqlite/store/database.ts';
import type { FromWorker, ToWorker, WorkerSetup } from '../sqlite/worker/messages.ts';
import { runReader } from '../sqlite/worker/run-reader.ts';
import type { Port } from '../sqlite/worker/run-writer.ts';
import { connectToFollow } from './connect-to-follow.ts';
import { journalSource } from './journal-source.ts';
import { keepReplica } from './keep-replica.ts';
import { continuesJournal, deleteReplica, openReplicaFile, openReplicaForReading } from './replica-file.ts';
import { replicaWriter } from './replica-writer.ts';
import { systemClock } from '../../clock.ts';

/** Entry point of a replica's threads: its only writer, which connects with the shared log, and its reader. */

/** How long a request in flight may delay the end. */
const closeTimeoutMs = 1_000;
/** Interval of reporting that more of the older events is here. */
const olderMs = 3_000;

type WriterSetup = Extract<WorkerSetup, { role: 'replica-writer' }>;

const runReplicaWriter = ({ port, post }: Port, setup: WriterSetup): void => {
  const refuse = (error: AppError): void => post({ type: 'refused', error });
  let correctionMs = 0;
  const clock = (): number => systemClock() + correctionMs;
  const { file, maxAwayMs, months, writer: own } = setup;
  const journal = openForReading(setup.journal);
  if (!journal.ok) return refuse(journal.error);
  const open = (): Result<LogDatabase> => openReplicaFile(file, { now: clock(), maxAwayMs, months });
  let opened = open();
  if (opened.ok && !continuesJournal(opened.value, journal.value, own)) {
    opened.value.close();
    deleteReplica(file);
    opened = open();
  }
  if (!opened.ok) {
    journal.value.close();
    return refuse(opened.error);
  }
  const database = opened.value;
  const replica = replicaWriter(database, own, clock);
  let settings: SharedLogSettings | null = null;
  let olderAt = Number.NEGATIVE_INFINITY;
  let isOlderUnreported = false;
  let wasLevel = false;
  let standing = '';
  let ownPosted = 0;
  /** Up to where the own chain is listed. */
  const ownShown = (): number => (ownPosted = kept.ownShown());
  const kept = keepReplica({
    replica,
    journal: journalSource(journal.value, own),
    own,
    months,
    connect: async () =>
      settings === null
        ? fail('log.unreachable', msg('error.log.unreachable'))
        : connectToFollow(settings, own),
    onStored: ({ payments, events }, isNew) => {
      const others = events.filter(({ writer }) => writer !== own);
      // What came while this computer was off causes no notification.
      const isNews = isNew && wasLevel;
      if (isNews || others.length < events.length)
        post({
          type: 'stored',
          payments: isNews ? paymentsOf(others) : [],
          events: isNews ? others : [],
          own: ownShown(),
        });
      isOlderUnreported ||= !isNews && payments.length > 0;
    },
    onStanding: () => {
      const now = kept.standing();
      wasLevel ||= now.isLevel;
      const at = performance.now();
      if (isOlderUnreported && (at - olderAt > olderMs || now.isLevel)) {
        olderAt = at;
        isOlderUnreported = false;
        post({ type: 'stored', payments: null, events: [], own: ownShown() });
      }
      if (kept.ownShown() !== ownPosted) post({ type: 'stored', payments: [], events: [], own: ownShown() });
      // The instant alone is no change.
      const text = JSON.stringify({ ...now, levelAt: null });
      if (text === standing && !now.isLevel) return;
      standing = text;
      post({ type: 'standing', standing: now });
    },
    clock,
  });
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      // An attempt to connect takes longer than a person who quits waits: it ends with this thread.
      void Promise.race([kept.close(), wait(closeTimeoutMs)]).then(() => {
        journal.value.close();
        database.close();
        process.exit();
      });
      return;
    }
    if (message.type === 'find-older') {
      const { id } = message;
      void kept.findOlder(message.numberOrId).then(result => post({ type: 'answer', id, result }));
      return;
    }
    if (message.type === 'correct-clock') correctionMs = message.milliseconds;
    if (message.type === 'attend') kept.attend(message.isAttended);
    else if (message.type === 'connect') {
      settings = sharedLogSettingsSchema.parse(message.settings);
      kept.connectNow();
    } else kept.ownWritten();
    if ('id' in message) post({ type: 'answer', id: message.id, result: ok(null) });
  });
  post({ type: 'ready' });
};

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  const setup = workerData as WorkerSetup;
  setFailureSink(failure => post({ type: 'failed', failure }));
  if (setup.role === 'replica-writer') runReplicaWriter({ port, post }, setup);
  else runReader({ port, post }, openReplicaForReading(setup.file));
}
