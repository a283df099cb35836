import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { ListStanding } from '../../../shared/payments/list-standing.ts';
import type { CopyProgress } from '../../../shared/team/team-standing.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { systemClock } from '../../clock.ts';
import { LogFailure, logFailure } from '../log-failures.ts';
import {
  createLogReader,
  readSources,
  type FollowedLog,
  type PaymentList,
  type PaymentLogReader,
} from '../payment-log.ts';
import type { SharedLogSettings } from '../postgres/connection-settings.ts';
import type { LogReader } from '../sqlite/query/reader.ts';
import type { FromWorker, ToWorker, ForeignStanding } from '../sqlite/worker/messages.ts';
import { startWorkerClient, type WorkerClient } from '../sqlite/worker/worker-client.ts';
import { deleteList, listFileOf } from '../sqlite/list/list-file.ts';

/** Delay before a thread that has ended, or could not begin, is started again. */
const retryMs = 2_000;
/** A damaged list is made again once for each cause in this time. */
const remadeMs = 3_600_000;
/** How old the last comparison with the shared log may be while the list is called level. */
const maxComparedMs = 5_000;
/** Intervals of asking whether the list is made, and whole. */
const madeMs = 5;
const wholeMs = 50;

type Listed = Extract<FromWorker, { type: 'listed' }>;

export type OpenedList = PaymentList & {
  reads: PaymentLogReader;
  chainedEvents: (
    ...args: Parameters<LogReader['chainedEvents']>
  ) => Promise<ReturnType<LogReader['chainedEvents']>>;
  /** The log has new events. */
  ownWritten(): void;
  /** Resolves when everything in the log is listed, and erased words are gone. Errors: `log.*`. */
  catchUp(): Promise<Result<undefined>>;
  correctClock(milliseconds: number): Promise<void>;
  close(): Promise<void>;
};

/** The threads of a list; the reader also answers what is in the log alone. */
type Threads = { writer: Result<WorkerClient> | null; reader: Result<WorkerClient> };

/**
 * Opens the list of a log, and the reader of both. `hasList`: false for the reader alone. `timeoutMs`: how long the first
 * read of a list that is being made waits; `listReady`: awaited before each; `onListed`: called with what has changed in it. `onFailed`: called with the error of a failed read;
 * `onSlow`: after a slow one, milliseconds. Errors: why the log cannot be read.
 */
export const openList = async ({
  file,
  writer,
  hasList,
  followed,
  timeoutMs,
  listReady,
  onListed,
  onFailed,
  onSlow,
}: {
  file: string;
  writer: string;
  hasList: boolean;
  followed: FollowedLog | null;
  timeoutMs: number;
  listReady: () => Promise<void>;
  onListed: (listed: Listed) => void;
  onFailed: (error: AppError) => void;
  onSlow: (read: string, milliseconds: number) => void;
}): Promise<Result<OpenedList>> => {
  const list = listFileOf(file);
  let shared = followed;
  let settings: SharedLogSettings | null = null;
  let isAttended = true;
  let correctionMs = 0;
  let isClosed = false;
  /** The threads that were started last. */
  let live: Threads | null = null;
  let progress: CopyProgress | null = null;
  let hasWaited = false;
  let others: ForeignStanding | null = null;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let problem: AppError | null = null;
  let remade: ListStanding['remade'] = null;
  const remadeFor = new Map<string, number>();
  const elsewhere = new Set<Parameters<PaymentList['onElsewhere']>[0]>();
  const onStanding = new Set<Parameters<PaymentList['onStanding']>[0]>();

  const standing = (): ListStanding => {
    const isCopied = shared === null || (others !== null && others.levelAt !== null);
    const isLevel = others !== null && others.isLevel && performance.now() - comparedAt < maxComparedMs;
    return {
      progress: progress ?? { done: 0, total: 0 },
      isWhole: !hasList || (progress !== null && progress.done >= progress.total && isCopied),
      others:
        shared === null
          ? null
          : {
              isConnected: others?.isConnected ?? false,
              problem: problem ?? others?.problem ?? null,
              progress: others?.progress ?? { done: 0, total: 0 },
              isLevel,
              levelAt: others?.levelAt ?? null,
              leftOut: others?.leftOut ?? [],
            },
      remade,
    };
  };
  const emitStanding = (): void => {
    for (const listener of onStanding) listener(standing());
  };

  const started = async (threads: Threads): Promise<void> => {
    const client = threads.writer?.ok ? threads.writer.value : null;
    const correct = (id: number): ToWorker => ({ type: 'correct-clock', id, milliseconds: correctionMs });
    if (correctionMs !== 0) {
      await client?.request(correct);
      if (threads.reader.ok) await threads.reader.value.request(correct);
    }
    void client?.request(id => ({ type: 'attend', id, isAttended }));
    if (shared !== null && settings !== null) void client?.request(id => ({ type: 'follow', id, settings }));
  };
  const start = async (): Promise<Threads> => {
    const refused: Threads = { writer: null, reader: logFailure('log.unavailable') };
    if (isClosed) return refused;
    const own = shared;
    const begun = hasList
      ? await startWorkerClient(
          {
            role: 'list-writer',
            file,
            list,
            writer,
            logId: own?.logId ?? null,
            maxAwayMs: own?.maxAwayMs ?? 0,
          },
          message => {
            if (message.type === 'listed') {
              onListed(message);
              if (message.payments === null || message.events.length > 0)
                for (const listener of elsewhere) listener(message.payments, message.events);
            } else if (message.type === 'list-standing') {
              if (message.others?.compared !== others?.compared) comparedAt = performance.now();
              ({ progress, others } = message);
              problem = null;
              emitStanding();
            } else if (message.type === 'list-broken') broken(message.cause);
          },
        )
      : null;
    const reader = await startWorkerClient(
      { role: 'reader', file, writer, list: begun?.ok ? list : null },
      message => {
        if (message.type === 'slow') onSlow(message.read, message.milliseconds);
        else if (message.type === 'list-broken') broken(message.cause);
      },
    );
    const threads = { writer: begun, reader };
    live = threads;
    problem = begun?.ok === false ? begun.error : null;
    await started(threads);
    const startAgain = (): void => {
      setTimeout(() => {
        if (live === threads && !isClosed) void restart(() => undefined);
      }, retryMs).unref();
    };
    // A full disk, for example, or not enough memory.
    if (begun?.ok === false || !reader.ok) startAgain();
    else void Promise.race([begun?.value.ended ?? reader.value.ended, reader.value.ended]).then(startAgain);
    return threads;
  };
  const end = async ({ writer: ending, reader }: Threads): Promise<void> => {
    if (reader.ok) await reader.value.close();
    if (ending?.ok) await ending.value.close();
  };
  let opening: Promise<Threads> = start();
  /** `work`: done between the end of the threads and their new beginning. */
  const restart = (work: () => void): Promise<Threads> => {
    const before = opening;
    opening = before.then(async threads => {
      await end(threads);
      work();
      progress = null;
      hasWaited = false;
      others = null;
      comparedAt = Number.NEGATIVE_INFINITY;
      return start();
    });
    return opening;
  };
  const remake = async (): Promise<Threads> => {
    const threads = await restart(() => deleteList(list));
    for (const listener of elsewhere) listener(null, []);
    return threads;
  };
  const broken = (cause: string): void => {
    const now = systemClock();
    if (now - (remadeFor.get(cause) ?? Number.NEGATIVE_INFINITY) < remadeMs) return;
    remadeFor.set(cause, now);
    remade = { at: now, cause };
    reportFailure('payment-log', `The list of payments is damaged (${cause}). It is made again.`, null);
    void remake();
  };

  const first = await opening;
  if (!first.reader.ok) {
    isClosed = true;
    await end(first);
    return first.reader;
  }

  const ask = async (name: keyof LogReader, args: readonly unknown[]): Promise<unknown> => {
    const { reader } = await opening;
    const result = reader.ok ? await reader.value.request(id => ({ type: 'read', id, name, args })) : reader;
    if (result.ok) return result.value;
    onFailed(result.error);
    throw new LogFailure(result.error);
  };
  const incomplete = (): Result<never> => {
    const { progress: own, others: foreign } = standing();
    const { done, total } = own.done < own.total ? own : (foreign?.progress ?? own);
    return fail('log.incomplete', msg('error.log.incomplete', { done, total }), {
      hint: msg('hint.log.incomplete'),
    });
  };
  const whole = async (milliseconds: number): Promise<Result<undefined>> => {
    for (const until = performance.now() + milliseconds; !standing().isWhole;) {
      if (problem) return { ok: false, error: problem };
      if (isClosed || performance.now() >= until) return incomplete();
      await wait(wholeMs, undefined, { ref: false });
    }
    return ok(undefined);
  };
  /** A small list is made while the first read waits; a large one is read as far as it is there. */
  const listMade = async (): Promise<void> => {
    const isMade = (): boolean => hasWaited || (progress !== null && progress.done >= progress.total);
    if (!hasList) return;
    for (const until = performance.now() + timeoutMs; !isMade();)
      if (performance.now() >= until || isClosed || problem) hasWaited = true;
      else await wait(madeMs);
  };
  const writing = async (): Promise<Result<WorkerClient>> => {
    const { writer: thread } = await opening;
    return thread ?? logFailure('log.unavailable', 'no list');
  };

  const send = (message: (id: number) => ToWorker): void => {
    void writing().then(async thread => {
      if (thread.ok) await thread.value.request(message);
    });
  };

  return ok({
    reads: createLogReader(async (name, args) => {
      const source = readSources[name];
      if (source !== 'evidence') await Promise.all([listReady(), listMade()]);
      if (source === 'whole-list' && !standing().isWhole) {
        const { writer: thread } = await opening;
        const refused = thread?.ok === false ? thread : incomplete();
        throw new LogFailure(refused.ok ? logFailure('log.unavailable').error : refused.error);
      }
      return ask(name, args);
    }),
    chainedEvents: async (...args) =>
      (await ask('chainedEvents', args)) as ReturnType<LogReader['chainedEvents']>,
    standing,
    whole,
    rebuild: async () => {
      const { writer: thread } = await remake();
      if (thread?.ok === false) return thread;
      return whole(Number.POSITIVE_INFINITY);
    },
    follow: async (next, given) => {
      const isOther = next?.logId !== shared?.logId;
      shared = next;
      settings = given ?? null;
      if (isOther) {
        await restart(() => undefined);
        for (const listener of elsewhere) listener(null, []);
        return;
      }
      if (given) send(id => ({ type: 'follow', id, settings: given }));
    },
    attend: now => {
      isAttended = now;
      send(id => ({ type: 'attend', id, isAttended }));
    },
    onElsewhere: listener => {
      elsewhere.add(listener);
      return () => elsewhere.delete(listener);
    },
    onStanding: listener => {
      onStanding.add(listener);
      return () => onStanding.delete(listener);
    },
    ownWritten: () => {
      send(id => ({ type: 'own-written', id }));
    },
    catchUp: async () => {
      const thread = await writing();
      if (!thread.ok) return hasList ? thread : ok(undefined);
      return (await thread.value.request(id => ({ type: 'catch-up', id }))) as Result<undefined>;
    },
    correctClock: async milliseconds => {
      correctionMs = milliseconds;
      const correct = (id: number): ToWorker => ({ type: 'correct-clock', id, milliseconds });
      const { writer: thread, reader } = await opening;
      if (thread?.ok) await thread.value.request(correct);
      if (reader.ok) await reader.value.request(correct);
    },
    close: async () => {
      isClosed = true;
      elsewhere.clear();
      onStanding.clear();
      await end(await opening);
    },
  });
};
