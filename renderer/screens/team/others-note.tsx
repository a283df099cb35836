import { missingOfOthers } from '../../../shared/team/missing-of-others.ts';
import { useMessage } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/** Says over a list what is missing in it; nothing if it is whole. */
export const OthersNote = () => {
  const say = useMessage();
  const team = useAppState(state => state.appState?.team ?? null);
  const missing = team ? missingOfOthers(team) : [];
  return missing.length > 0 ? (
    <output className="quiet small">{missing.map(one => say(one)).join(' ')}</output>
  ) : null;
};
