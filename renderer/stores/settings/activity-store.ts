import { create } from 'zustand';
import type { ActivityFilter, ActivityRow } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { request } from '../../ipc-client.ts';

/** The activity list, page by page, newest first. */
type ActivityState = {
  filter: ActivityFilter;
  /** Null until the first page has been read. */
  rows: readonly ActivityRow[] | null;
  earlier: number | null;
  /** Activities that wait for the payment log. */
  waiting: number;
  problem: AppError | null;
  /** The last export: the number of its lines. */
  written: number | null;
  read: (filter?: Partial<ActivityFilter>) => Promise<void>;
  readMore: () => Promise<void>;
  save: () => Promise<void>;
};

export const useActivity = create<ActivityState>()((set, get) => ({
  filter: { person: null, group: null },
  rows: null,
  earlier: null,
  waiting: 0,
  problem: null,
  written: null,
  read: async change => {
    const filter = { ...get().filter, ...change };
    set({ filter, written: null });
    const page = await request('activity.list', filter);
    if (get().filter !== filter) return;
    if (page.ok) set({ ...page.value, problem: null });
    else set({ rows: null, problem: page.error });
  },
  readMore: async () => {
    const { filter, earlier, rows } = get();
    if (earlier === null) return;
    const page = await request('activity.list', { ...filter, before: earlier });
    if (get().filter !== filter || get().earlier !== earlier) return;
    if (page.ok) set({ rows: [...(rows ?? []), ...page.value.rows], earlier: page.value.earlier });
    else set({ problem: page.error });
  },
  save: async () => {
    const saved = await request('activity.export', get().filter);
    if (!saved.ok) return set({ problem: saved.error });
    if (saved.value.file !== null) {
      await get().read();
      set({ written: saved.value.written });
    }
  },
}));
