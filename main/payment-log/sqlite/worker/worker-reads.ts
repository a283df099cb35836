import type { AppError } from '../../../../shared/errors.ts';
import { LogFailure } from '../../log-failures.ts';
import { createLogReader, readSources } from '../../payment-log.ts';
import type { LogReader } from '../query/reader.ts';
import type { WorkerClient } from './worker-client.ts';

/**
 * Every question about a log, asked of its reading thread. `onFailed`: called with the error of each failed read, which
 * rejects with a LogFailure. `listReady`: awaited before reads of the list, which follows the evidence.
 */
export const workerReads = (
  worker: Pick<WorkerClient, 'request'>,
  {
    onFailed = () => undefined,
    listReady = () => Promise.resolve(),
  }: { onFailed?: (error: AppError) => void; listReady?: () => Promise<void> } = {},
) => {
  const ask = async (name: keyof LogReader, args: readonly unknown[]): Promise<unknown> => {
    const result = await worker.request(id => ({ type: 'read', id, name, args }));
    if (result.ok) return result.value;
    onFailed(result.error);
    throw new LogFailure(result.error);
  };
  return {
    reads: createLogReader(async (name, args) => {
      if (readSources[name] === 'from-list') await listReady();
      return ask(name, args);
    }),
    chainedEvents: async (...args: Parameters<LogReader['chainedEvents']>) =>
      (await ask('chainedEvents', args)) as ReturnType<LogReader['chainedEvents']>,
  };
};
