import { reportFailure } from '../../app-log/failure-report.ts';
import type { PaymentLogMaintenance } from './payment-log-maintenance.ts';

const hourMs = 3_600_000;
/** Delay of the first run, milliseconds: the first minute after the start belongs to the user. */
const firstDelayMs = 30_000;

/** Runs the daily jobs of the payment log soon after the start, then checks every hour whether they are due. */
export type DailySchedule = {
  /** Runs the jobs now. */
  run: () => Promise<void>;
  stop: () => void;
};

/** `publish` sends the state to the window. */
export const startDailySchedule = (
  maintenance: PaymentLogMaintenance,
  publish: () => Promise<unknown>,
): DailySchedule => {
  const run = async (): Promise<void> => {
    if (await maintenance.daily()) await publish();
  };
  const runInBackground = (): void => {
    run().catch((thrown: unknown) =>
      reportFailure('background', 'The daily jobs of the payment log failed.', thrown),
    );
  };
  const first = setTimeout(runInBackground, firstDelayMs);
  const hourly = setInterval(runInBackground, hourMs);
  first.unref();
  hourly.unref();
  return {
    run,
    stop: () => {
      clearTimeout(first);
      clearInterval(hourly);
    },
  };
};
