import { useCallback, useEffect, useRef, type KeyboardEvent } from 'react';
import { useSingleKeys } from '../../stores/app-state-store.ts';

/** The modifier keys held during the mouse click. */
export type HeldKeys = { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean };

type GridOf<Row> = {
  rows: readonly Row[];
  /** The index of the current row. */
  at: number;
  /** How far the page keys move, rows. */
  page: number;
  hasChosen: boolean;
  makeCurrent: (index: number) => void;
  scrollTo: (index: number) => void;
  /** Selects these rows: what a range selection extends to. */
  onRange: (rows: readonly Row[]) => void;
  onToggle: (row: Row) => void;
  onChooseAll: () => void;
  onClear: () => void;
  /** Enter, or a double click. */
  onOpen: (row: Row) => void;
  /** A click on a row that selects nothing. */
  onPressed: (row: Row) => void;
};

/**
 * The keys and the mouse of a grid that has the focus itself and names its current row. The arrow keys move, Space
 * selects, Shift and an arrow extend the selection, Ctrl+A selects all, Esc ends the selection. `press` and `choose`,
 * for a click on a row and on its checkbox, stay the same functions.
 */
export const useGridKeys = <Row>(grid: GridOf<Row>) => {
  const { rows, at, page } = grid;
  const singleKeys = useSingleKeys();
  /** The first row of a range selection. */
  const anchor = useRef(0);
  const bounded = (index: number): number => Math.max(0, Math.min(rows.length - 1, index));
  const chooseTo = (index: number): void => {
    const to = bounded(index);
    grid.onRange(rows.slice(Math.min(anchor.current, to), Math.max(anchor.current, to) + 1));
  };
  const toggle = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    anchor.current = index;
    grid.onToggle(row);
  };
  const click = (index: number, keys: HeldKeys | null, isOnBox: boolean): void => {
    const row = rows[index];
    grid.makeCurrent(index);
    if (keys?.shiftKey) chooseTo(index);
    else if (isOnBox || keys?.ctrlKey || keys?.metaKey) toggle(index);
    else if (row !== undefined) grid.onPressed(row);
  };
  const now = useRef(click);
  useEffect(() => {
    now.current = click;
  });
  const press = useCallback((index: number, keys: HeldKeys): void => now.current(index, keys, false), []);
  const choose = useCallback(
    (index: number, keys: HeldKeys | null = null): void => now.current(index, keys, true),
    [],
  );
  const openCurrent = (): void => {
    const row = rows[at];
    if (row !== undefined) grid.onOpen(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const take = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      take();
      grid.onChooseAll();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      ...(singleKeys ? { j: at + 1, k: at - 1 } : {}),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      take();
      if (event.shiftKey) chooseTo(to);
      else anchor.current = bounded(to);
      grid.makeCurrent(bounded(to));
      grid.scrollTo(bounded(to));
    } else if (event.key === ' ') {
      take();
      toggle(at);
    } else if (event.key === 'Escape' && grid.hasChosen) {
      take();
      grid.onClear();
    } else if (event.key === 'Enter') {
      take();
      openCurrent();
    }
  };
  return { onKeyDown, openCurrent, press, choose };
};
