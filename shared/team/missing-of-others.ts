import { msg, type Message } from '../messages/message.ts';
import type { OthersStanding } from './team-standing.ts';

/** What is missing of the payments of other installations on this computer, as far as it is known; empty: nothing. */
export const missingOfOthers = ({
  others,
}: {
  others: Pick<OthersStanding, 'isConnected' | 'isLevel' | 'levelAt' | 'progress'> | null;
}): Message[] => {
  // Its first events arrive within a second.
  if (others === null || others.isLevel) return [];
  const { done, total } = others.progress;
  if (others.isConnected && done < total) return [msg('team.others.copying', { done, total })];
  return [
    others.levelAt === null ? msg('team.others.none') : msg('team.others.until', { at: others.levelAt }),
  ];
};
