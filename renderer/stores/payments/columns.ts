import { useSyncExternalStore } from 'react';
import { firstColumns, type ListColumn } from '../../../shared/payments/list-columns.ts';
import { useAppState } from '../app-state.ts';

const wide = window.matchMedia('(min-width: 1600px)');
const onChange = (changed: () => void): (() => void) => {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
};

/** The columns of the list, in order: the selected ones, or as many as the window has room for. */
export const useColumns = (): readonly ListColumn[] => {
  const isWide = useSyncExternalStore(onChange, () => wide.matches);
  const chosen = useAppState(state => state.appState?.settings.columns ?? null);
  return chosen ?? firstColumns(isWide);
};

/** Stores a selection of columns; null = as many as the window has room for. */
export const chooseColumns = (columns: readonly ListColumn[] | null): Promise<unknown> =>
  useAppState.getState().change({ columns: columns && [...columns] });
