import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../../shared/errors.ts';
import { forwardFailure, reportFailure } from '../../../app-log/failure-report.ts';
import { auditParts } from '../integrity/audit-parts.ts';
import { logFailure } from '../../log-failures.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import type { HeadFile } from '../../answers.ts';

/** The worker: source in tests, a separate entry in the bundle. That of a list connects with the shared log as well. */
const workerFile = (role: WorkerSetup['role']): URL => {
  const isList = role === 'list-writer';
  const source = isList ? '../../list/list-worker.ts' : './worker.ts';
  const bundled = isList ? './list-worker.js' : './worker.js';
  return new URL(import.meta.url.endsWith('.ts') ? source : bundled, import.meta.url);
};

/**
 * Memory limits of a thread, megabytes. Without a limit V8 lets each thread's young generation grow to a hundred
 * under load, and collects the writer's old generation only after it has grown several times. With the limit the
 * writer holds about 60.
 */
const resourceLimits = (role: WorkerSetup['role']): ResourceLimits =>
  role === 'writer' || role === 'list-writer'
    ? { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }
    : { maxYoungGenerationSizeMb: 24 };

/** Starts a thread. `onMessage` receives its messages; `onExit` is called when it ends for any reason. */
const startThread = (setup: WorkerSetup, onMessage: (message: FromWorker) => void, onExit: () => void) => {
  const worker = new Worker(workerFile(setup.role), {
    workerData: setup,
    name: `log ${setup.role}`,
    execArgv: [],
    resourceLimits: resourceLimits(setup.role),
  });
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'failed') forwardFailure(message.failure);
    else onMessage(message);
  });
  worker.on('error', thrown => {
    reportFailure('payment-log', `The worker "${setup.role}" of the payment log has ended.`, thrown);
    onExit();
  });
  const ended = new Promise<void>(resolve => {
    worker.once('exit', () => {
      onExit();
      resolve();
    });
  });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    send: (message: ToWorker): void => worker.postMessage(message),
    /** Resolves when the thread has ended. */
    ended,
  };
};

export type WorkerClient = {
  /** Sends a message with a new request number and resolves with the answer of that number. */
  request(message: (id: number) => ToWorker): Promise<Result<unknown>>;
  /** Resolves when the thread has finished all previous requests and ended. */
  close(): Promise<void>;
  /** Resolves when the thread has ended for any reason. */
  ended: Promise<void>;
};

/**
 * A thread that answers each request. `onEvent` receives its other messages. Errors: the thread's reason for not
 * starting; `log.unavailable` for every request once it has ended.
 */
export const startWorkerClient = (
  setup: WorkerSetup,
  onEvent: (message: FromWorker) => void = () => undefined,
): Promise<Result<WorkerClient>> => {
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  let next = 0;
  let hasExited = false;
  const settle = (id: number, result: Result<unknown>): void => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  return new Promise(resolve => {
    const client = (): WorkerClient => ({
      ended: thread.ended,
      request: createMessage =>
        new Promise(resolveRequest => {
          if (hasExited) return resolveRequest(logFailure('log.unavailable'));
          const id = (next += 1);
          waiting.set(id, resolveRequest);
          thread.send(createMessage(id));
        }),
      close: () => {
        if (!hasExited) thread.send({ type: 'close' });
        return thread.ended;
      },
    });
    const onMessage = (message: FromWorker): void => {
      if (message.type === 'appended' || message.type === 'answer') settle(message.id, message.result);
      else if (message.type === 'refused') resolve({ ok: false, error: message.error });
      else if (message.type === 'ready') resolve(ok(client()));
      else onEvent(message);
    };
    const thread = startThread(setup, onMessage, () => {
      hasExited = true;
      resolve(logFailure('log.unavailable'));
      for (const id of waiting.keys()) settle(id, logFailure('log.unavailable'));
    });
  });
};

/** The result type of each one-shot worker, keyed by message type. */
type OneShotResult = { report: VerifyReport; copied: { bytes: number } };

/** Runs a one-shot worker; resolves with its result message of type `resultType`. */
const runOnce = <W extends keyof OneShotResult>(
  setup: WorkerSetup,
  resultType: W,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Result<OneShotResult[W]>> =>
  new Promise(resolve => {
    startThread(
      setup,
      message => {
        if (message.type === resultType && 'result' in message)
          resolve(message.result as Result<OneShotResult[W]>);
        else if (message.type === 'progress') onProgress(message.done, message.total);
      },
      () => resolve(logFailure('log.unavailable')),
    );
  });

/** Limit of parallel verification threads: they share the disk and the memory. One processor is left to the user. */
const maxRanges = 4;
/** Size of a log, bytes, that one thread verifies alone: some thousand events, a tenth of a second. */
const smallBytes = 4_000_000;

/** Copies a log on a separate thread; see worker.ts. `onProgress`: pages done and to do. */
export const copyFile = (
  file: string,
  copy: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Result<{ bytes: number }>> => runOnce({ role: 'copier', file, copy }, 'copied', onProgress);

/**
 * Verifies a log on separate threads, the parts of a large one in parallel; the log may be in use meanwhile.
 * `headFolder`: the folder of signed heads to compare with; `heads`: further ones.
 * `onProgress`: events done and to do. Errors: every `log.*` code.
 */
export const verifyFile = async (
  file: string,
  {
    headFolder,
    heads = [],
    onProgress = () => undefined,
  }: {
    headFolder?: string;
    heads?: readonly HeadFile[];
    onProgress?: ((done: number, total: number) => void) | undefined;
  } = {},
): Promise<Result<VerifyReport>> => {
  const done = new Map<number, [done: number, total: number]>();
  const ranges = Math.max(1, Math.min(availableParallelism() - 1, maxRanges));
  const compared = headFolder === undefined ? null : { folder: headFolder, further: heads };
  const separate = auditParts(ranges).map(part => ({ parts: [part], heads: null as typeof compared }));
  if (compared) separate.push({ parts: [], heads: compared });
  // The threads would take longer to start than the checks.
  const isSmall = existsSync(file) && statSync(file).size < smallBytes;
  const threads = isSmall ? [{ parts: auditParts(1), heads: compared }] : separate;
  const reporting = isSmall ? 1 : ranges;
  const parts = threads.map((thread, index) =>
    runOnce({ role: 'auditor', file, ...thread }, 'report', (events, total) => {
      done.set(index, [events, total]);
      const progress = [...done.values()];
      if (progress.length < reporting) return;
      onProgress(
        progress.reduce((sum, [of]) => sum + of, 0),
        progress.reduce((sum, [, of]) => sum + of, 0),
      );
    }),
  );
  const report: VerifyReport = { events: 0, payments: 0, problems: [] };
  for (const part of await Promise.all(parts)) {
    if (!part.ok) return part;
    report.events += part.value.events;
    report.payments += part.value.payments;
    report.problems.push(...part.value.problems);
  }
  return ok(report);
};
