import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { paymentsOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { setFailureSink } from '../../app-log/failure-report.ts';
import { systemClock } from '../../clock.ts';
import { attempt } from '../log-failures.ts';
import type { ForeignEventCheck } from '../evidence/check-foreign-event.ts';
import { openForReading, type LogDatabase } from '../sqlite/store/database.ts';
import type { FromWorker, ToWorker, WorkerSetup } from '../sqlite/worker/messages.ts';
import type { Port } from '../sqlite/worker/run-writer.ts';
import { evidenceOf } from '../sqlite/list/merged-evidence.ts';
import { followJournal, type JournalFollower } from '../sqlite/list/follow-journal.ts';
import { foreignEvents, type ForeignEvents } from '../sqlite/list/foreign-events.ts';
import { keepList } from './keep-list.ts';
import { deleteList, openListFile } from '../sqlite/list/list-file.ts';
import { listTransactions, type ListTransactions } from '../sqlite/list/list-transactions.ts';

/** Entry point of a list's only writer, which connects with the shared log. */

/** How long a request in flight may delay the end. */
const closeTimeoutMs = 1_000;
/** Interval of reporting that more of the older payments are here: each report makes every list be read again. */
const olderMs = 10_000;

let check: ForeignEventCheck = () => {
  throw new Error('No shared log is followed.');
};

/** The client of the shared log and the check of its events are loaded when there is one. */
const connectTo = async (settings: unknown, own: string) => {
  const { connectToFollow } = await import('./connect-to-follow.ts');
  const { foreignEventCheck } = await import('../evidence/check-foreign-event.ts');
  check = foreignEventCheck();
  return connectToFollow(settings, own);
};

type OpenedParts = {
  database: LogDatabase;
  transactions: ListTransactions;
  follower: JournalFollower;
  foreign: ForeignEvents;
};

/** Closes the list if it cannot be read. Errors: `log.*`. */
const openParts = (
  database: LogDatabase,
  journal: LogDatabase,
  own: string,
  clock: () => number,
): Result<OpenedParts> => {
  const parts = attempt(() => {
    const transactions = listTransactions(database, evidenceOf(journal, database, own));
    const follower = followJournal(database, journal, transactions);
    const foreign = foreignEvents(database, transactions, clock, (one, before) => check(one, before));
    return { database, transactions, follower, foreign };
  });
  if (!parts.ok) database.close();
  return parts;
};

const runListWriter = ({ port, post }: Port, setup: Extract<WorkerSetup, { role: 'list-writer' }>): void => {
  let correctionMs = 0;
  const clock = (): number => systemClock() + correctionMs;
  const { file, list, writer: own, logId, maxAwayMs } = setup;
  const journal = openForReading(file);
  if (!journal.ok) return post({ type: 'refused', error: journal.error });
  const refuse = (error: AppError): void => {
    journal.value.close();
    post({ type: 'refused', error });
  };
  const open = (): Result<OpenedParts> => {
    const opened = openListFile(list, journal.value, { logId, now: clock(), maxAwayMs });
    return opened.ok ? openParts(opened.value, journal.value, own, clock) : opened;
  };
  let parts = open();
  if (!parts.ok && parts.error.code === 'log.corrupt') {
    // What was not read when it was opened is damaged.
    const deleted = attempt(() => deleteList(list));
    parts = deleted.ok ? open() : deleted;
  }
  if (!parts.ok) return refuse(parts.error);
  const { database, transactions, follower, foreign } = parts.value;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isUnreported = false;
  let wasLevel = false;
  let standing = '';
  let through = -1;
  const listed = (payments: readonly PaymentKey[] | null, events: readonly Event[]): void => {
    ({ through } = kept.own());
    post({ type: 'listed', through, payments, events });
  };
  const reportStanding = (): void => {
    const { progress } = kept.own();
    const others = kept.foreign();
    const text = JSON.stringify([progress, others]);
    if (text === standing) return;
    standing = text;
    post({ type: 'list-standing', progress, others });
  };
  const kept = keepList({
    journal: follower,
    foreign,
    transactions,
    onListed: older => {
      isUnreported ||= older > 0;
      if (kept.own().through === through) return;
      // Who waits for it sees whether it is whole.
      reportStanding();
      listed([], []);
    },
    onStored: ({ payments, events }, isNew) => {
      // What came while this computer was off causes no notification.
      if (isNew && wasLevel) listed(paymentsOf(events), events);
      else isUnreported ||= payments.length > 0;
    },
    onBroken: thrown => {
      const cause = codeOf(thrown);
      post({ type: 'list-broken', cause });
    },
    onStanding: () => {
      const { progress } = kept.own();
      wasLevel ||= kept.foreign()?.isLevel === true;
      const at = performance.now();
      if (isUnreported && (at - reportedAt > olderMs || progress.done >= progress.total)) {
        reportedAt = at;
        isUnreported = false;
        listed(null, []);
      }
      reportStanding();
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
    if (message.type === 'catch-up') {
      const { id } = message;
      void kept.catchUp().then(result => post({ type: 'answer', id, result }));
      return;
    }
    if (message.type === 'correct-clock') correctionMs = message.milliseconds;
    else if (message.type === 'attend') kept.attend(message.isAttended);
    else if (message.type === 'follow') {
      const { settings } = message;
      kept.follow(() => connectTo(settings, own));
    } else kept.ownWritten();
    if ('id' in message) post({ type: 'answer', id: message.id, result: ok(null) });
  });
  post({ type: 'ready' });
};

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  setFailureSink(failure => post({ type: 'failed', failure }));
  const setup = workerData as WorkerSetup;
  if (setup.role === 'list-writer') runListWriter({ port, post }, setup);
}
