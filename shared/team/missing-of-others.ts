import { msg, type Message } from '../messages/message.ts';
import type { TeamStanding } from './team-standing.ts';

/** What is missing of the payments of other installations on this computer, as far as it is known; empty: nothing. */
export const missingOfOthers = ({ replica }: Pick<TeamStanding, 'replica'>): Message[] => {
  // Its first events arrive within a second.
  if (replica === null || replica.isLevel) return [];
  const { done, total } = replica.progress;
  if (replica.isConnected && done < total) return [msg('team.others.copying', { done, total })];
  return [
    replica.levelAt === null ? msg('team.others.none') : msg('team.others.until', { at: replica.levelAt }),
  ];
};
