import { create } from 'zustand';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import { useAppState } from '../app-state-store.ts';
import { columnsWithin } from './column-tracks.ts';

/** The width of the rail and of the space beside the list, rem. */
const besideList = 18;

/** The width of the list, rem. Before the list is measured: what the window leaves for it. */
export const useListRoom = create<{ rem: number }>(() => ({ rem: window.innerWidth / 16 - besideList }));

/** The columns of the list, in order: the selected ones, or as many as the list has room for. */
export const useColumns = (): readonly ListColumn[] => {
  const { rem } = useListRoom();
  const chosen = useAppState(state => state.appState?.settings.columns ?? null);
  return chosen ?? columnsWithin(rem);
};

/** Stores a selection of columns; null = as many as the list has room for. */
export const chooseColumns = (columns: readonly ListColumn[] | null): Promise<unknown> =>
  useAppState.getState().change({ columns: columns && [...columns] });
