import { reportFailure } from '../../app-log/failure-report.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { PaymentLogMaintenance } from './payment-log-maintenance.ts';

const hourMs = 3_600_000;
/** Delay of the first run: the first minute after the start belongs to the user. */
const firstDelayMs = 30_000;

/** Runs the daily jobs of the payment log soon after its start, then checks every hour whether they are due. */
type DailySchedule = {
  /** Runs the jobs now. */
  run: () => Promise<void>;
  start: () => void;
  stop: () => void;
};

/** `publish` sends the state to the window. */
export const createDailySchedule = (
  maintenance: PaymentLogMaintenance,
  publish: () => Promise<unknown>,
): DailySchedule => {
  const run = async (): Promise<void> => {
    if (await maintenance.daily()) await publish();
  };
  let loop: Loop | null = null;
  return {
    run,
    start: () => {
      loop = startLoop(run, {
        everyMs: hourMs,
        firstMs: firstDelayMs,
        onError: thrown => reportFailure('background', 'The daily jobs of the payment log failed.', thrown),
      });
    },
    stop: () => void loop?.close(),
  };
};
