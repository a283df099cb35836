import { randomUUID } from 'node:crypto';
import type { ActivityAction } from '../../../shared/activity/activity.ts';
import type { ActivityDetails } from '../../../shared/activity/activity.schema.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { PendingActivity } from '../../settings/stored-settings.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createLimiter } from '../../pacing/limiter.ts';

/** An activity before it is recorded. `agent`: who did it, if not the signed-in person. */
export type Activity = { action: ActivityAction; details: ActivityDetails; agent?: string };

export type ActivityLog = ReturnType<typeof createActivityLog>;

/** Limit of activities that wait for the payment log. */
const maxWaiting = 500;

/** The event of an activity. Its dedupe key names it once, however often it is written. */
const draftOf = ({ id, at, agent, action, details }: PendingActivity): EventDraft => ({
  kind: 'activity.recorded',
  id,
  profileId: '',
  orderNumber: null,
  paymentId: null,
  happenedAt: at,
  agent,
  dedupeKey: `activity:${id}`,
  body: { action, details },
});

/**
 * Records activities as evidence. While the payment log cannot be written they wait in the settings file, which the
 * same request writes, and follow as soon as the log works again.
 */
export const createActivityLog = (
  parts: Pick<AppDependencies, 'settings' | 'clock'> & Pick<AppDependencies, 'log'>,
) => {
  const { settings, clock } = parts;
  const { run: runExclusive } = createLimiter(1);
  const waiting = (): readonly PendingActivity[] => settings.read().pendingActivities;

  const append = async (pending: readonly PendingActivity[]): Promise<boolean> =>
    parts.log.ok && (await parts.log.value.append(pending.map(draftOf))).ok;

  /** An earlier attempt may have been written although its answer was lost. */
  const missingIn = async (pending: readonly PendingActivity[]): Promise<PendingActivity[] | null> => {
    if (!parts.log.ok) return null;
    const { value } = parts.log;
    try {
      const known = await Promise.all(pending.map(({ id }) => value.hasEvent('', null, `activity:${id}`)));
      return pending.filter((_one, at) => known[at] === false);
    } catch {
      return null;
    }
  };

  const flushNow = async (): Promise<boolean> => {
    const pending = waiting();
    if (pending.length === 0) return true;
    const missing = await missingIn(pending);
    if (missing === null || (missing.length > 0 && !(await append(missing)))) return false;
    const done = new Set(pending.map(({ id }) => id));
    settings.change(stored => ({
      ...stored,
      pendingActivities: stored.pendingActivities.filter(({ id }) => !done.has(id)),
    }));
    return true;
  };

  return {
    /** Records what a person did. Resolves when it is in the payment log, or waits for it in the settings file. */
    record: (activities: readonly Activity[], agent: string): Promise<void> =>
      runExclusive(async () => {
        if (activities.length === 0) return;
        const pending = activities.map((one): PendingActivity => ({
          id: randomUUID(),
          at: clock(),
          agent: one.agent ?? agent,
          action: one.action,
          details: one.details,
        }));
        // Earlier ones first: the list is read in the order of writing.
        if ((await flushNow()) && (await append(pending))) return;
        settings.change(stored => ({
          ...stored,
          pendingActivities: [...stored.pendingActivities, ...pending].slice(0, maxWaiting),
        }));
      }),
    /** Moves waiting activities into the payment log, if it can be written. */
    flush: (): Promise<void> =>
      runExclusive(async () => {
        await flushNow();
      }),
    /** The number of waiting activities. */
    waiting: (): number => waiting().length,
    /** Whether no further activity can wait: then what has to be recorded must not be done. */
    isFull: (): boolean => waiting().length >= maxWaiting,
  };
};
