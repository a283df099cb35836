import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import { maxViewQueryChars, maxViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import type { Route } from '../../routes.ts';
import { useAppState } from '../app-state.ts';
import type { ListLocation } from './filters.ts';

const none: readonly SavedView[] = [];

/** The views that somebody saved, in the order of the rail. */
export const useSavedViews = (): readonly SavedView[] =>
  useAppState(state => state.appState?.settings.views ?? none);

const present = (): readonly SavedView[] => useAppState.getState().appState?.settings.views ?? none;

/** Where a saved view is shown. */
export const viewRoute = ({ words }: Pick<SavedView, 'words'>): Route => ({
  screen: 'payments',
  view: 'all',
  words,
});

/** Whether the list looks for something that no view in the rail does, and that can be saved. */
export const isUnsaved = ({ words }: ListLocation, views: readonly SavedView[]): boolean =>
  words !== '' && words.length <= maxViewQueryChars && !views.some(view => view.words === words);

/** The view that has a name already, however it is written. */
export const viewOfName = (views: readonly SavedView[], name: string): SavedView | null =>
  views.find(view => view.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase()) ?? null;

/** What is done with saved views; the views themselves are a setting. */
type ViewsState = {
  sheet: 'save' | 'manage' | null;
  /** Why the last change was not kept. */
  problem: 'taken' | 'full' | AppError | null;
  /** The one that was just removed and where it stood, while it can be brought back. */
  removed: { view: SavedView; at: number } | null;
  open: (sheet: 'save' | 'manage' | null) => void;
  /** Keeps words under a name, in place of what it stood for if there is a view of that name. True when it was kept; `problem` says why not. */
  save: (name: string, words: string) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  move: (id: string, by: -1 | 1) => Promise<void>;
  remove: (id: string) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

export const useViews = create<ViewsState>()((set, get) => {
  const keep = async (views: readonly SavedView[]): Promise<boolean> => {
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
      return keep(
        same
          ? present().map(view => (view.id === same.id ? { ...view, words } : view))
          : [...present(), { id: crypto.randomUUID(), name: name.trim(), words }],
      );
    },
    rename: (id, name) =>
      keep(present().map(view => (view.id === id ? { ...view, name: name.trim() } : view))),
    move: async (id, by) => {
      const views = [...present()];
      const at = views.findIndex(view => view.id === id);
      const [view] = views.splice(at, 1);
      if (view) await keep(views.toSpliced(at + by, 0, view));
    },
    remove: async id => {
      const at = present().findIndex(one => one.id === id);
      const view = present()[at];
      if (view && (await keep(present().toSpliced(at, 1)))) set({ removed: { view, at } });
    },
    undo: async () => {
      const { removed } = get();
      if (removed && (await keep(present().toSpliced(removed.at, 0, removed.view)))) set({ removed: null });
    },
    dismiss: () => set({ problem: null, removed: null }),
  };
});
