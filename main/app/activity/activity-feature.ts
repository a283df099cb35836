import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { Feature } from '../common/feature.ts';
import { createActivityHandlers } from './activity-handlers.ts';
import { createActivityLog, type Activity, type ActivityLog } from './activity-log.ts';

type ActivityFeature = Feature<'activity.list' | 'activity.export'> & { log: ActivityLog };

/**
 * The activity list. `completed`: what was done while the payment log was opened; it is recorded, and removed from the
 * list, as soon as the state has changed.
 */
export const createActivityFeature = (
  parts: AppDependencies,
  events: AppEvents,
  completed: Activity[],
): ActivityFeature => {
  const log = createActivityLog(parts);
  const flush = async (): Promise<void> => {
    await log.record(completed.splice(0), 'console');
    await log.flush();
  };
  events.on('stateChanged', () => void flush());
  return { log, handlers: createActivityHandlers(parts, log), start: () => void flush() };
};
