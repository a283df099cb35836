import type { SavedView } from '../../../shared/settings/saved-view.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';

/** Whether the views of everyone are those of the team. */
export const useAreViewsShared = (): boolean =>
  useAppState(({ appState }) => appState?.sharing?.areViewsShared === true);

/** Who sees a view, in words; null while there is one person. */
export const useOwnerLabel = (): ((view: Pick<SavedView, 'owner'>) => string | null) => {
  const t = useText();
  const isAlone = useAppState(({ appState }) => (appState?.agents.length ?? 0) < 2);
  const everyone = useAreViewsShared() ? 'view.for-team' : 'view.for-everyone';
  return ({ owner }) => (isAlone ? null : t(owner === null ? everyone : 'view.for-me'));
};
