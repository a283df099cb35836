import type { AppState } from '../../../shared/contract/contract.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { HeadSigner } from './head-signer.ts';
import { createPaymentLogHandlers } from './payment-log-handlers.ts';
import { createPaymentLogMaintenance, type PaymentLogMaintenance } from './payment-log-maintenance.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';

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
const createDailySchedule = (
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

/** The care of the payment log: verification, copies, and its daily jobs. */
export const createPaymentLogFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    logManager: PaymentLogManager;
    heads: HeadSigner;
    activityLog: ActivityLog;
    publish: () => Promise<AppState>;
  },
) => {
  const { logManager, heads, activityLog, publish } = given;
  const stateChanged = (): void => void events.emit('stateChanged');
  const maintenance = createPaymentLogMaintenance(parts, logManager, heads, activityLog, stateChanged);
  const schedule = createDailySchedule(maintenance, publish);
  events.on('clockCorrected', () => void maintenance.checkRecordingTime());
  events.on('eventsWritten', (_payments, written) => maintenance.countEvents(written.length));
  return {
    state: maintenance.state,
    /** Runs the daily jobs now. */
    daily: schedule.run,
    handlers: createPaymentLogHandlers(parts, logManager, heads, maintenance, publish),
    start: schedule.start,
    stop: schedule.stop,
  };
};
