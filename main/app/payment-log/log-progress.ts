import type { IpcEvent } from '../../../shared/contract/contract.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Minimum interval between two progress events. */
const progressIntervalMs = 200;

/** Reports the progress of a job to the window, at most once in an interval; the end is always reported. */
export const createProgressReporter = (
  parts: Pick<AppDependencies, 'notify'>,
  job: IpcEvent<'log.progress'>['job'],
): ((done: number, total: number) => void) => {
  let last = 0;
  return (done: number, total: number): void => {
    const now = performance.now();
    if (now - last < progressIntervalMs && done < total) return;
    last = now;
    parts.notify('log.progress', { job, done, total });
  };
};
