import { rulesOf, type Handlers, type RequestName } from '../../../shared/contract/contract.ts';
import { fail, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { mapHandlers } from './map-handlers.ts';
import type { Requester } from '../common/requester.ts';
import type { Activity, ActivityLog } from '../activity/activity-log.ts';
import { recorders } from './recorders.ts';

type Recorder = (handled: {
  input: unknown;
  result: Result<unknown>;
  before: Stored;
  after: Stored;
  wasLeft: boolean;
}) => readonly Activity[];

/** A wrong PIN in any request. A sign-in has no requester. */
const wrongPin = (name: RequestName, result: Result<unknown>): readonly Activity[] => {
  if (result.ok || result.error.code !== 'agent.wrong-pin') return [];
  const person = String(result.error.details?.['person'] ?? '');
  return [
    { action: 'wrong-pin', details: { person }, ...(name === 'agents.signIn' ? { agent: 'console' } : {}) },
  ];
};

/**
 * The same handlers; what they did is recorded before they answer, and every wrong PIN. An activity that cannot be
 * recorded waits in the settings file. Once too many wait, what would have to be recorded is refused.
 */
export const recordActivities = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read'>,
  requester: Pick<Requester, 'name'>,
  activityLog: Pick<ActivityLog, 'record' | 'isFull'>,
  isLeft: () => boolean,
): Handlers =>
  mapHandlers(handlers, (handler, name) => {
    const recorder: Recorder = (recorders as Partial<Record<RequestName, Recorder>>)[name] ?? (() => []);
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
      const done = [...wrongPin(name, result), ...recorder({ input, result, before, after, wasLeft })];
      if (done.length > 0) await activityLog.record(done, requester.name());
      return result;
    };
  });
