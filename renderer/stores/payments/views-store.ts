import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import {
  hasNewNamesake,
  maxViewQueryChars,
  maxViews,
  type SavedView,
} from '../../../shared/settings/saved-view.ts';
import type { Route } from '../../routes.ts';
import { useAppState } from '../app-state-store.ts';
import type { ListLocation } from './filters.ts';

const none: readonly SavedView[] = [];

/** The saved views, in the order of the rail. */
export const useSavedViews = (): readonly SavedView[] =>
  useAppState(state => state.appState?.settings.views ?? none);

const present = (): readonly SavedView[] => useAppState.getState().appState?.settings.views ?? none;

/** The route of a saved view. */
export const viewRoute = ({ words }: Pick<SavedView, 'words'>): Extract<Route, { screen: 'payments' }> => ({
  screen: 'payments',
  view: 'all',
  words,
});

/** Whether the current search is not a view in the rail and can be saved. */
export const isUnsaved = ({ words }: ListLocation, views: readonly SavedView[]): boolean =>
  words !== '' && words.length <= maxViewQueryChars && !views.some(view => view.words === words);

/** The saved view that the list shows; null = none. */
export const shownView = (route: Route, views: readonly SavedView[]): SavedView | null =>
  route.screen === 'payments' ? (views.find(({ words }) => words === route.words) ?? null) : null;

/** The view with this name, ignoring case. */
export const viewOfName = (views: readonly SavedView[], name: string): SavedView | null =>
  views.find(view => view.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase()) ?? null;

/** Actions on saved views; the views themselves are a setting. */
type ViewsState = {
  sheet: 'save' | 'manage' | null;
  /** Why the last change was not saved. */
  problem: 'taken' | 'full' | AppError | null;
  /** The last removed view and its position, while it can be restored. */
  removed: { view: SavedView; at: number } | null;
  open: (sheet: 'save' | 'manage' | null) => void;
  /**
   * Saves a view; replaces the one with the same name. True if it was saved; otherwise `problem` is the reason.
   */
  save: (view: Pick<SavedView, 'name' | 'words' | 'columns' | 'owner'>) => Promise<boolean>;
  /** Changes a view's columns or who sees it. */
  update: (id: string, changes: Partial<Pick<SavedView, 'columns' | 'owner'>>) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  move: (id: string, by: -1 | 1) => Promise<void>;
  remove: (id: string) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

export const useViews = create<ViewsState>()((set, get) => {
  const saveAll = async (views: readonly SavedView[]): Promise<boolean> => {
    const isTaken = hasNewNamesake(present(), views);
    const isFull = views.length > maxViews && views.length > present().length;
    if (isTaken || isFull) {
      set({ problem: isTaken ? 'taken' : 'full' });
      return false;
    }
    const stored = await useAppState.getState().change({ views: [...views] });
    set({ problem: stored.ok ? null : stored.error });
    return stored.ok;
  };
  return {
    sheet: null,
    problem: null,
    removed: null,
    open: sheet => set({ sheet, problem: null, removed: null }),
    save: view => {
      const name = view.name.trim();
      const same = viewOfName(present(), name);
      return saveAll(
        same
          ? present().map(one => (one.id === same.id ? { ...view, name: same.name, id: same.id } : one))
          : [...present(), { ...view, id: crypto.randomUUID(), name }],
      );
    },
    update: (id, changes) =>
      saveAll(present().map(view => (view.id === id ? { ...view, ...changes } : view))),
    rename: (id, name) =>
      saveAll(present().map(view => (view.id === id ? { ...view, name: name.trim() } : view))),
    move: async (id, by) => {
      const views = [...present()];
      const at = views.findIndex(view => view.id === id);
      const [view] = views.splice(at, 1);
      if (view) await saveAll(views.toSpliced(at + by, 0, view));
    },
    remove: async id => {
      const at = present().findIndex(one => one.id === id);
      const view = present()[at];
      if (view && (await saveAll(present().toSpliced(at, 1)))) set({ removed: { view, at } });
    },
    undo: async () => {
      const { removed } = get();
      if (removed && (await saveAll(present().toSpliced(removed.at, 0, removed.view))))
        set({ removed: null });
    },
    dismiss: () => set({ problem: null, removed: null }),
  };
});
