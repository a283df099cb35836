import { anyLog, type FollowedLog } from '../../payment-log/payment-log.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';

/** How long a list may be without the erasures of the shared log, days, unless a policy says otherwise. */
const defaultAwayDays = 30;
const dayMs = 24 * 3_600_000;

/**
 * The shared log whose chains the list of this console has; null if it works alone. Of a team that was lost with the
 * settings, the list stays as it is until the message about them is dismissed.
 */
export const followedLog = (settings: Pick<SettingsStore, 'read' | 'policy'>): FollowedLog | null => {
  const { sharedLog, recovery } = settings.read();
  const { maxAwayDays = defaultAwayDays } = settings.policy.managed.list;
  const maxAwayMs = maxAwayDays * dayMs;
  if (sharedLog) return { logId: sharedLog.logId, maxAwayMs };
  const isLost = recovery?.problems.some(({ section }) => section === 'sharedLog') === true;
  return isLost ? { logId: anyLog, maxAwayMs } : null;
};
