import type { AppState } from '../../../shared/contract/contract.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { createDailySchedule } from './daily-schedule.ts';
import type { HeadSigner } from './head-signer.ts';
import { createPaymentLogHandlers } from './payment-log-handlers.ts';
import { createPaymentLogMaintenance } from './payment-log-maintenance.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';

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
