import { Worker } from 'node:worker_threads';
import type { VerifyReport } from '../../shared/contract.ts';
import { ok, type DeskError, type Result } from '../../shared/errors.ts';
import { logFailure } from './failures.ts';
import type { FromWorker, ReadAnswer, ReadArguments, ReadName, ToWorker, WorkerSetup } from './messages.ts';
import type { Appended, OpenPaymentLog, PaymentLog } from './payment-log.ts';

/** The worker lies beside this file, as source in tests and as its own entry in the bundle. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** A question that the log could not answer, for the callers whose answer is no Result. */
export class LogFailure extends Error {
  override readonly name = 'LogFailure';
  readonly error: DeskError;
  constructor(error: DeskError) {
    super(error.message);
    this.error = error;
  }
}

type Thread = {
  send(message: ToWorker): void;
  /** Resolves when the thread has ended. */
  ended: Promise<void>;
};

/** Starts a thread; `hear` gets what it says, and a thread that dies says that the log is unavailable. */
const startThread = (setup: WorkerSetup, hear: (message: FromWorker) => void, died: () => void): Thread => {
  const worker = new Worker(workerFile, { workerData: setup, name: `log ${setup.role}`, execArgv: [] });
  worker.on('message', hear);
  worker.on('error', died);
  const ended = new Promise<void>(resolve => {
    worker.once('exit', () => {
      died();
      resolve();
    });
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  return { send: message => worker.postMessage(message), ended };
};

/** A thread that answers each message with one of the same number. */
const conversation = async (
  setup: WorkerSetup,
): Promise<
  Result<{ ask(message: (id: number) => ToWorker): Promise<Result<unknown>>; close(): Promise<void> }>
> => {
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  let next = 0;
  let gone = false;
  const settle = (id: number, result: Result<unknown>): void => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  return new Promise(resolve => {
    const thread = startThread(
      setup,
      message => {
        if (message.say === 'appended' || message.say === 'answer') settle(message.id, message.result);
        if (message.say === 'refused') resolve({ ok: false, error: message.error });
        if (message.say === 'ready') {
          resolve(
            ok({
              ask: question =>
                new Promise(answered => {
                  if (gone) return answered(logFailure('log.unavailable'));
                  const id = (next += 1);
                  waiting.set(id, answered);
                  thread.send(question(id));
                }),
              close: () => {
                if (!gone) thread.send({ ask: 'close' });
                return thread.ended;
              },
            }),
          );
        }
      },
      () => {
        gone = true;
        resolve(logFailure('log.unavailable'));
        for (const id of waiting.keys()) settle(id, logFailure('log.unavailable'));
      },
    );
  });
};

const verify = (
  setup: WorkerSetup,
  onProgress: (done: number, total: number) => void,
): Promise<VerifyReport> =>
  new Promise((resolve, reject) => {
    startThread(
      setup,
      message => {
        if (message.say === 'progress') onProgress(message.done, message.total);
        if (message.say !== 'report') return;
        if (message.result.ok) resolve(message.result.value);
        else reject(new LogFailure(message.result.error));
      },
      () => reject(new LogFailure(logFailure('log.unavailable').error)),
    );
  });

/**
 * Opens the payment log on its own threads: one that writes, one that reads, and one for each verification.
 * Every promise of the log resolves off the main thread's time; a question that fails rejects with a LogFailure.
 * Errors: every `log.*` code, among them `log.busy` (another console holds the file) and `log.newer`.
 */
export const openPaymentLog: OpenPaymentLog = async ({ file, writer }) => {
  const hand = await conversation({ role: 'writer', file, writer });
  if (!hand.ok) return hand;
  const eye = await conversation({ role: 'reader', file, writer });
  if (!eye.ok) {
    await hand.value.close();
    return eye;
  }
  const listeners = new Set<Parameters<PaymentLog['onChange']>[0]>();
  let closing: Promise<void> | null = null;

  const read = async <N extends ReadName>(name: N, ...args: ReadArguments[N]): Promise<ReadAnswer<N>> => {
    const result = await eye.value.ask(id => ({ ask: name, id, with: args }) as ToWorker);
    if (!result.ok) throw new LogFailure(result.error);
    return result.value as ReadAnswer<N>;
  };

  const tell = ({ events }: Appended): void => {
    const orders = new Map<string, { profileId: string; orderNumber: string }>();
    for (const { profileId, orderNumber } of events) {
      if (orderNumber !== null) orders.set(`${profileId} ${orderNumber}`, { profileId, orderNumber });
    }
    for (const listener of listeners) listener([...orders.values()], events);
  };

  return ok({
    append: async drafts => {
      const result = (await hand.value.ask(id => ({ ask: 'append', id, drafts }))) as Result<Appended>;
      if (result.ok && result.value.events.length > 0) tell(result.value);
      return result;
    },
    payment: (profileId, orderNumber) => read('payment', profileId, orderNumber),
    events: (profileId, orderNumber) => read('events', profileId, orderNumber),
    ordersOf: paymentId => read('ordersOf', paymentId),
    list: (filter, cursor, limit) => read('list', filter, cursor, limit),
    counts: profileId => read('counts', profileId),
    recentCallbacks: limit => read('recentCallbacks', limit),
    knows: dedupeKey => read('knows', dedupeKey),
    verify: (onProgress = () => undefined) => verify({ role: 'auditor', file, writer }, onProgress),
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      // The writer leaves last: it alone may fold the write-ahead log back into the file.
      closing ??= eye.value.close().then(() => hand.value.close());
      return closing;
    },
  });
};
