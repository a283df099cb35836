import { msg, type Message } from '../messages/message.ts';
import type { TeamStanding } from './team-standing.ts';

/** What is not known yet of the payments of other installations; null: nothing. */
const notYet = ({ replica, state }: TeamStanding): Message | null => {
  // Its first events arrive within a second.
  if (replica === null || replica.isLevel) return null;
  const { done, total } = replica.progress;
  if (replica.isConnected && done < total) return msg('team.others.copying', { done, total });
  const isStored = replica.problem === null || replica.problem.code === 'log.unreachable';
  if (isStored && (replica.isConnected || state === 'connected')) return null;
  return replica.levelAt === null
    ? msg('team.others.none')
    : msg('team.others.until', { at: replica.levelAt });
};

/** What is missing of the payments on this computer, as far as it is known here; empty: nothing. */
export const missingOfOthers = (team: TeamStanding): Message[] => {
  const missing = notYet(team);
  const since = team.replica?.since ?? null;
  return [...(missing ? [missing] : []), ...(since === null ? [] : [msg('team.others.since', { since })])];
};
