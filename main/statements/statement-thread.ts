import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { failureDetails, startThread } from '../threads/thread.ts';
import type { StatementJob, StatementJobs, StatementWorker } from './statement-worker.ts';

/**
 * Limits of its memory, megabytes: a file that needs more ends only this thread. Of what it has just made: with V8's own
 * limit, garbage is most of the memory of a large file.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };

/** A thread that reads and compares statements, so that the main thread stays free. */
export type StatementThread = {
  /** Errors: `input.invalid` with the reason why a file is refused, `internal` if the thread ended. */
  run<N extends StatementJob>(
    name: N,
    ...args: Parameters<StatementJobs[N]>
  ): Promise<Result<Awaited<ReturnType<StatementJobs[N]>>>>;
  /** Ends the thread at once; what it was doing leaves nothing. */
  close(): void;
};

const stopped = (thrown: unknown): Result<never> =>
  fail('internal', msg('statement-file.stopped'), {
    hint: msg('statement-file.rows.hint'),
    ...failureDetails(thrown, 'The worker that reads a statement failed.'),
  });

/** Starts the thread. */
export const startStatementThread = (): StatementThread => {
  const thread = startThread<StatementWorker>('./statement-worker.js', import.meta.url, { resourceLimits });
  return {
    // The worker answers by name: see StatementJobs.
    run: (name, ...args) => thread.call('run', name, args).catch(stopped) as Promise<Result<never>>,
    close: () => void thread.close(),
  };
};
