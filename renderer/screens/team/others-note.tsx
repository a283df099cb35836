import type { TeamStanding } from '../../../shared/contract/index.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { useMessage } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state.ts';

/** What is missing of the payments of other installations; null: nothing that is known here. */
export const missingOfOthers = ({ replica, state }: TeamStanding): Message | null => {
  // Its first events arrive within a second.
  if (replica === null || replica.isLevel) return null;
  const { done, total } = replica.progress;
  if (replica.isConnected && done < total) return msg('team.others.copying', { done, total });
  if (replica.isConnected || state === 'connected') return null;
  return replica.levelAt === null
    ? msg('team.others.none')
    : msg('team.others.until', { at: replica.levelAt });
};

/** Says over a list what is missing in it; nothing if it is whole. */
export const OthersNote = () => {
  const say = useMessage();
  const team = useAppState(state => state.appState?.team ?? null);
  const missing = team && missingOfOthers(team);
  return missing ? <output className="quiet small">{say(missing)}</output> : null;
};
