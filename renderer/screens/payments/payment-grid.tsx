/* A virtual grid, whose rows mostly do not exist, cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { RowsCheckbox } from '../../components/controls/select-box.tsx';
import { Truncate } from '../../components/display/values.tsx';
import { useAppState, useSingleKeys } from '../../stores/app-state-store.ts';
import { trackStyles, useColumns, useListRoom } from '../../stores/payments/columns-store.ts';
import { useSelection } from '../../stores/payments/selection-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { Row, type HeldKeys } from './row.tsx';

const rowHeight = { compact: 32, regular: 36, roomy: 42 };

/**
 * The list as a virtual grid: only visible rows exist. The grid itself has the focus and names the current row, so
 * that scrolling never loses the focus. Space selects rows, Shift and an arrow extend the selection, Ctrl+A selects
 * all matches.
 */
export const PaymentGrid = ({
  list,
  rows,
  more = null,
  withAnswer = false,
  onChooseAll,
  onCurrent,
  opensPage = true,
}: {
  /** Which list it is: another one begins at its first row. */
  list: string;
  rows: readonly PaymentRow[];
  /** Loads the next page; null if all rows are loaded. */
  more?: (() => Promise<void>) | null;
  /** Few results: each row contains the phone script. */
  withAnswer?: boolean;
  onChooseAll: () => void;
  /** The current row's payment, which is shown beside the list if there is room. */
  onCurrent?: (row: PaymentRow) => void;
  /** Whether a click opens the payment's page. */
  opensPage?: boolean;
}) => {
  const t = useText();
  const density = useAppState(state => state.appState?.settings.density ?? 'regular');
  const singleKeys = useSingleKeys();
  const columns = useColumns();
  const { chosen, isTruncated, toggle, choose, clear } = useSelection();
  /** The current row: its payment stays the same when rows arrive above it; its index counts once it has gone. */
  const [current, setCurrent] = useState<{ index: number; key: string | null }>({ index: 0, key: null });
  const [shownList, setShownList] = useState(list);
  if (shownList !== list) {
    setShownList(list);
    setCurrent({ ...current, index: 0 });
  }
  /** The first row of a range selection. */
  const anchor = useRef(0);
  const frame = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  // Measured before the first paint, so that no column appears and disappears.
  useLayoutEffect(() => {
    const { current: list } = frame;
    if (list === null) return undefined;
    const measure = (): void => useListRoom.setState({ rem: list.clientWidth / (16 * rem) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [rem]);
  const height = (rowHeight[density] + (withAnswer ? 28 : 0)) * rem;
  // The virtualizer returns new functions on each render; nothing here memoises them.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== null && last >= rows.length - 40) void more();
  }, [last, rows.length, more]);

  // Of a list with further pages all are selected only if they were collected.
  const areAllChosen = useMemo(
    () =>
      !isTruncated &&
      chosen.size >= (more === null ? Math.max(1, rows.length) : rows.length + 1) &&
      rows.every(row => chosen.has(paymentKey(row))),
    [chosen, isTruncated, more, rows],
  );
  const found = useMemo(
    () => (current.key === null ? -1 : rows.findIndex(row => paymentKey(row) === current.key)),
    [rows, current.key],
  );
  const at = found >= 0 ? found : Math.min(current.index, rows.length - 1);
  /** The payment beside the list is always that of the current row. */
  const makeCurrent = (index: number): void => {
    const row = rows[index];
    if (!row) return;
    setCurrent({ index, key: paymentKey(row) });
    onCurrent?.(row);
  };
  const move = (to: number): void => {
    const bounded = Math.max(0, Math.min(rows.length - 1, to));
    makeCurrent(bounded);
    virtual.scrollToIndex(bounded);
  };
  const openRow = (row: PaymentRow | undefined): void => {
    if (row) go({ screen: 'payment', profileId: row.profileId, orderNumber: row.orderNumber });
  };
  const chooseTo = (index: number): void => {
    const bounded = Math.max(0, Math.min(rows.length - 1, index));
    choose(rows.slice(Math.min(anchor.current, bounded), Math.max(anchor.current, bounded) + 1));
  };
  const toggleAt = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    anchor.current = index;
    toggle(row);
  };
  const press = (index: number, keys: HeldKeys): boolean => {
    makeCurrent(index);
    if (keys.shiftKey) chooseTo(index);
    else if (keys.ctrlKey || keys.metaKey) toggleAt(index);
    else return false;
    return true;
  };
  const enter = (row: PaymentRow | undefined): void => {
    if (opensPage) openRow(row);
  };
  const onRow = useRef({ press, enter, toggleAt, rows });
  useEffect(() => {
    onRow.current = { press, enter, toggleAt, rows };
  });
  const onPress = useCallback((index: number, keys: HeldKeys): void => {
    const now = onRow.current;
    if (!now.press(index, keys)) now.enter(now.rows[index]);
  }, []);
  const onChoose = useCallback((index: number, keys: HeldKeys): void => {
    const now = onRow.current;
    if (!now.press(index, keys)) now.toggleAt(index);
  }, []);
  const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 400) / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      ...(singleKeys ? { j: at + 1, k: at - 1 } : {}),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const take = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      take();
      onChooseAll();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = steps[event.key];
    if (to !== undefined) {
      take();
      if (!event.shiftKey) anchor.current = Math.max(0, Math.min(rows.length - 1, to));
      else chooseTo(to);
      move(to);
    } else if (event.key === ' ') {
      take();
      toggleAt(at);
    } else if (event.key === 'Escape' && chosen.size > 0) {
      take();
      clear();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      openRow(rows[at]);
    }
  };
  return (
    <div
      ref={frame}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={t('list.name')}
      aria-multiselectable
      aria-rowcount={more === null ? rows.length + 1 : -1}
      style={trackStyles(columns)}
      aria-colcount={columns.length + 1}
      aria-activedescendant={`payment-row-${at}`}
      onKeyDown={onKeyDown}
      onDoubleClick={() => {
        if (onCurrent) openRow(rows[at]);
      }}
    >
      <div role="rowgroup" className="grid-head on-surface">
        <div role="row" aria-rowindex={1} className="grid-row tracks line-below small head">
          <div role="columnheader" aria-colindex={1} className="cell chosen">
            <RowsCheckbox
              className="select-all as-text"
              name={t('selection.all')}
              selected={areAllChosen || (chosen.size > 0 && 'mixed')}
              onPress={() => (chosen.size > 0 ? clear() : onChooseAll())}
            />
          </div>
          {columns.map((column, at) => (
            <div key={column} role="columnheader" aria-colindex={at + 2} className={`cell ${column}`}>
              <Truncate text={t(`column.${column}`)} />
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="grid-body relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(item => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <Row
              key={paymentKey(row)}
              row={row}
              columns={columns}
              index={item.index}
              top={item.start}
              height={item.size}
              isCurrent={item.index === at}
              isChosen={chosen.has(paymentKey(row))}
              withAnswer={withAnswer}
              onPress={onPress}
              onChoose={onChoose}
            />
          );
        })}
      </div>
    </div>
  );
};
