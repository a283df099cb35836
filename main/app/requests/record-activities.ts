import { rulesOf, type Handlers, type RequestName } from '../../../shared/contract/contract.ts';
import { fail, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { mapHandlers } from './map-handlers.ts';
import type { Activity, ActivityLog } from '../activity/activity-log.ts';
import { recorders } from './recorders.ts';

type Recorder = (handled: {
  input: unknown;
  result: Result<unknown>;
  before: Stored;
  after: Stored;
  wasLeft: boolean;
}) => readonly Activity[];

/**
 * The same handlers; what they did is recorded before they answer. An activity that cannot be recorded waits in the
 * settings file. Once too many wait, what would have to be recorded is refused.
 */
export const recordActivities = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read'>,
  activityLog: Pick<ActivityLog, 'record' | 'isFull'>,
  isLeft: () => boolean,
): Handlers =>
  mapHandlers(handlers, (handler, name) => {
    const recorder = (recorders as Partial<Record<RequestName, Recorder>>)[name];
    if (!recorder) return handler;
    const { recorded } = rulesOf(name);
    return async input => {
      if (activityLog.isFull() && recorded === 'required')
        return fail('log.unavailable', msg('activity.not-recorded'), {
          hint: msg('activity.not-recorded.hint'),
        });
      const before = settings.read();
      const wasLeft = isLeft();
      const result = await handler(input);
      const after = settings.read();
      await activityLog.record(recorder({ input, result, before, after, wasLeft }), before.settings.agent);
      return result;
    };
  });
