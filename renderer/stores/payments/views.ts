import { create } from 'zustand';
import type { DeskError } from '../../../shared/errors.ts';
import { longestViewWords, mostViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import type { Route } from '../../routes.ts';
import { useDesk } from '../app-state.ts';
import type { ListPlace } from './filters.ts';

const none: readonly SavedView[] = [];

/** The views that somebody saved, in the order of the rail. */
export const useSavedViews = (): readonly SavedView[] => useDesk(state => state.desk?.settings.views ?? none);

const present = (): readonly SavedView[] => useDesk.getState().desk?.settings.views ?? none;

/** Where a saved view is shown. */
export const viewRoute = ({ words }: Pick<SavedView, 'words'>): Route => ({
  screen: 'payments',
  view: 'all',
  words,
});

/** Whether the list looks for something that no view in the rail does, and that can be saved. */
export const isUnsaved = ({ words }: ListPlace, views: readonly SavedView[]): boolean =>
  words !== '' && words.length <= longestViewWords && !views.some(view => view.words === words);

/** The view that has a name already, however it is written. */
export const viewOfName = (views: readonly SavedView[], name: string): SavedView | null =>
  views.find(view => view.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase()) ?? null;

/** What is done with saved views; the views themselves are a setting. */
type ViewsState = {
  sheet: 'save' | 'manage' | null;
  /** Why the last change was not kept. */
  problem: 'taken' | 'full' | DeskError | null;
  /** The one that was just removed and where it stood, while it can be brought back. */
  removed: { view: SavedView; at: number } | null;
  open: (sheet: 'save' | 'manage' | null) => void;
  /** Keeps words under a name, in place of what it stood for if there is a view of that name. True when it was kept; `problem` says why not. */
  save: (name: string, words: string) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  move: (id: string, by: -1 | 1) => Promise<void>;
  remove: (id: string) => Promise<void>;
  undo: () => Promise<void>;
  forget: () => void;
};

export const useViews = create<ViewsState>()((set, get) => {
  const keep = async (views: readonly SavedView[]): Promise<boolean> => {
    const names = new Set(views.map(({ name }) => name.toLocaleLowerCase()));
    if (names.size < views.length || views.length > mostViews) {
      set({ problem: names.size < views.length ? 'taken' : 'full' });
      return false;
    }
    const kept = await useDesk.getState().change({ views: [...views] });
    set({ problem: kept.ok ? null : kept.error });
    return kept.ok;
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
    forget: () => set({ problem: null, removed: null }),
  };
});
