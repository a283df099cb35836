import { create } from 'zustand';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';
import { useAppState } from '../app-state-store.ts';
import { useRoute } from '../route-store.ts';
import { columnsWithin } from './column-tracks.ts';
import { shownView, useSavedViews } from './views-store.ts';

/** The width of the rail and of the space beside the list, rem. */
const besideList = 18;

/** The width of the list, rem. Before the list is measured: what the window leaves for it. */
export const useListRoom = create<{ rem: number }>(() => ({ rem: window.innerWidth / 16 - besideList }));

/** Columns that were chosen while a view is shown, until they are saved to it or the list shows something else. */
const useUnsavedColumns = create<{ viewId: string | null; columns: ListColumn[] | null }>(() => ({
  viewId: null,
  columns: null,
}));

/** The list's selection of columns, and the view to which it can be saved. */
type ColumnChoice = {
  /** Null = as many as the list has room for. */
  columns: ListColumn[] | null;
  /** The view that is shown; null = none. */
  view: SavedView | null;
  isUnsaved: boolean;
};

/** The present selection: that of the view that is shown, with what was changed since, otherwise the list's. */
export const useColumnChoice = (): ColumnChoice => {
  const view = shownView(
    useRoute(state => state.route),
    useSavedViews(),
  );
  const unsaved = useUnsavedColumns();
  const ofList = useAppState(state => state.appState?.settings.columns ?? null);
  const isUnsaved = view !== null && unsaved.viewId === view.id;
  return { columns: isUnsaved ? unsaved.columns : (view?.columns ?? ofList), view, isUnsaved };
};

/** The columns of the list, in order: the selected ones, or as many as the list has room for. */
export const useColumns = (): readonly ListColumn[] => {
  const { rem } = useListRoom();
  return useColumnChoice().columns ?? columnsWithin(rem);
};

/** Selects columns; null = as many as the list has room for. While a view is shown, they are not saved yet. */
export const chooseColumns = (view: SavedView | null, columns: ListColumn[] | null): void => {
  if (view) useUnsavedColumns.setState({ viewId: view.id, columns });
  else void useAppState.getState().change({ columns });
};

/** Forgets columns that were not saved. */
export const dropUnsavedColumns = (): void => useUnsavedColumns.setState({ viewId: null, columns: null });

// Another view, or the list without one, starts with its own columns.
useRoute.subscribe(({ route }, before) => {
  const words = route.screen === 'payments' ? route.words : null;
  const wordsBefore = before.route.screen === 'payments' ? before.route.words : null;
  if (words !== null && words !== wordsBefore) dropUnsavedColumns();
});
