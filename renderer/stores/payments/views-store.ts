import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import { maxViewQueryChars, maxViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import type { Route } from '../../routes.ts';
import { useAppState } from '../app-state-store.ts';
import type { ListLocation } from './filters.ts';

const none: readonly SavedView[] = [];

/** The saved views, in the order of the rail. */
export const useSavedViews = (): readonly SavedView[] =>
  useAppState(state => state.appState?.settings.views ?? none);

const present = (): readonly SavedView[] => useAppState.getState().appState?.settings.views ?? none;

/** The route of a saved view. */
export const viewRoute = ({ words }: Pick<SavedView, 'words'>): Route => ({
  screen: 'payments',
  view: 'all',
  words,
});

/** Whether the current search is not a view in the rail and can be saved. */
export const isUnsaved = ({ words }: ListLocation, views: readonly SavedView[]): boolean =>
  words !== '' && words.length <= maxViewQueryChars && !views.some(view => view.words === words);

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
   * Saves search words under a name; replaces a view with the same name. True if it was saved; otherwise `problem` is
   * the reason.
   */
  save: (name: string, words: string) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  move: (id: string, by: -1 | 1) => Promise<void>;
  remove: (id: string) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

export const useViews = create<ViewsState>()((set, get) => {
  const saveAll = async (views: readonly SavedView[]): Promise<boolean> => {
    const names = new Set(views.map(({ name }) => name.toLocaleLowerCase()));
    if (names.size < views.length || views.length > maxViews) {
      set({ problem: names.size < views.length ? 'taken' : 'full' });
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
    save: (name, words) => {
      const same = viewOfName(present(), name);
      return saveAll(
        same
          ? present().map(view => (view.id === same.id ? { ...view, words } : view))
          : [...present(), { id: crypto.randomUUID(), name: name.trim(), words }],
      );
    },
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
