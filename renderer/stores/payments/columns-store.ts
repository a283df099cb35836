import { create } from 'zustand';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';
import { useAppState } from '../app-state-store.ts';
import { useRoute } from '../route-store.ts';
import { shownView, useSavedViews } from './views-store.ts';

const figure = 'tabular text-end';

/** A column: its least width in rem, its share of the remaining width, and the classes of its cells. */
const tracks: Readonly<Record<ListColumn, readonly [rem: number, share: number, look?: string]>> = {
  state: [11.5, 3],
  amount: [7, 0.7, figure],
  refunded: [7, 0.7, figure],
  net: [7, 0.7, figure],
  order: [9, 1],
  description: [8, 1.6],
  customer: [7, 1.2],
  agent: [5.5, 0.6, 'quiet'],
  when: [7.75, 0.6, `${figure} quiet`],
  changed: [7.75, 0.6, `${figure} quiet`],
  'payment-id': [9, 1],
  card: [4, 0.3, figure],
  profile: [6, 0.7, 'quiet'],
  flags: [9, 1],
};

/** The classes of a column's cells. */
export const cellClass = (column: ListColumn): string => `cell ${column} ${tracks[column][2] ?? ''}`;

/** The columns of a list by default, in their order. */
const standard: readonly ListColumn[] = [
  'state',
  'amount',
  'customer',
  'description',
  'when',
  'agent',
  'changed',
  'card',
  'order',
];
/** The same, the most important first. */
const byImportance: readonly ListColumn[] = [
  'state',
  'amount',
  'customer',
  'description',
  'when',
  'order',
  'agent',
  'changed',
  'card',
];
/** The columns that every list has by default, however narrow it is. */
const minCount = 3;

/** The least width of a list with these columns, rem. */
const leastWidth = (columns: readonly ListColumn[]): number =>
  // The first column, the gaps of 0.75 rem between all, and the padding of a row.
  1.5 + columns.reduce((sum, column) => sum + tracks[column][0] + 0.75, 0) + 1.75;

/** The default columns of a list: as many as have room. `room`: the width of the list, rem. */
const columnsWithin = (room: number): readonly ListColumn[] => {
  const fitting = byImportance.findLastIndex((_, at) => leastWidth(byImportance.slice(0, at + 1)) <= room);
  const shown = byImportance.slice(0, Math.max(minCount, fitting + 1));
  return standard.filter(column => shown.includes(column));
};

/** The styles of a list with these columns, as custom properties for its rows. */
export const trackStyles = (columns: readonly ListColumn[]): Record<string, string> => ({
  '--columns': columns.map(column => `minmax(${tracks[column][0]}rem, ${tracks[column][1]}fr)`).join(' '),
  '--columns-least': `${leastWidth(columns)}rem`,
});

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
