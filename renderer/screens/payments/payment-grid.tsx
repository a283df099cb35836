/* A virtual grid, whose rows mostly do not exist, cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, memo, type ReactNode } from 'react';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { RowsCheckbox, RowCheckbox } from '../../components/controls/select-box.tsx';
import { Truncate, AlignedMoney, Time } from '../../components/display/values.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { cellClass, trackStyles, useColumns, useListRoom } from '../../stores/payments/columns-store.ts';
import { useSelection } from '../../stores/payments/selection-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { useGridKeys, type HeldKeys } from '../../components/controls/use-grid-keys.ts';
import { Flag } from 'lucide-react';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import { CustomerName } from '../../components/display/customer-name.tsx';
import type { Head } from '../../../shared/reports/head.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { usePaymentAnswer } from '../payment/sentence.ts';

/** The content of a column for a payment. */
const Cell = ({ column, row, head }: { column: ListColumn; row: PaymentRow; head: Head }): ReactNode => {
  const t = useText();
  const profileName = useAppState(
    ({ appState: app }) => app?.profiles.find(({ id }) => id === row.profileId)?.name,
  );
  switch (column) {
    case 'state': {
      const flag = row.flags[0];
      return (
        <>
          <StatusBadge state={head} inList />
          {flag ? (
            <span className="row-flag ink-warn" title={t(`flag.${flag.kind}`)}>
              <Flag size={12} aria-hidden="true" />
              <span className="out-of-sight">{t(`flag.${flag.kind}`)}</span>
            </span>
          ) : null}
        </>
      );
    }
    case 'amount':
      return <AlignedMoney {...head.money} />;
    case 'refunded':
    case 'net':
      return <AlignedMoney amount={moneyOf(row)[column]} currency={row.currency} />;
    case 'order':
      return <Truncate className="code" text={row.orderNumber} />;
    case 'description':
      return <Truncate text={row.description ?? '–'} />;
    case 'customer':
      return <CustomerName row={row} />;
    case 'agent':
      return <Truncate text={row.agent ?? '–'} />;
    case 'when':
      return <Time at={row.firstAt} />;
    case 'changed':
      // A link that expired by the clock has its state since the expiry, though no event was recorded.
      return <Time at={head.kind.startsWith('expired') ? (row.expiresAt ?? row.since) : row.since} />;
    case 'payment-id':
      return <Truncate className="code" text={row.paymentIds.at(-1) ?? '–'} />;
    case 'card':
      return row.cardLast4 ?? '–';
    case 'profile':
      return <Truncate text={profileName ?? row.profileId} />;
    case 'flags':
      return <Truncate text={row.flags.map(({ kind }) => t(`flag.${kind}`)).join(', ') || '–'} />;
    default:
      return column satisfies never;
  }
};

const Answer = ({ row }: { row: PaymentRow }) => <Truncate text={usePaymentAnswer(row)} />;

/** One payment of the list; memoised, since scrolling renders the list with every frame. */
const Row = memo(function Row({
  row,
  columns,
  index,
  top,
  height,
  isCurrent,
  isChosen,
  withAnswer,
  onPress,
  onChoose,
}: {
  row: PaymentRow;
  columns: readonly ListColumn[];
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  height: number;
  isCurrent: boolean;
  isChosen: boolean;
  withAnswer: boolean;
  onPress: (index: number, keys: HeldKeys) => void;
  onChoose: (index: number, keys: HeldKeys) => void;
}) {
  const t = useText();
  const head = useHead(row);
  return (
    // The grid has the focus and its keys open the row; a click is the same for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="row"
      id={`payment-row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={`grid-row tracks line-below small ${isCurrent ? 'current' : ''} ${isChosen ? 'chosen' : ''} ${withAnswer ? 'answered' : ''} ${head.kind.startsWith('expired') ? 'over' : ''}`}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={event => onPress(index, event)}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- Space on the grid does the same */}
      <div
        role="gridcell"
        aria-colindex={1}
        className="cell chosen"
        onClick={event => {
          event.stopPropagation();
          onChoose(index, event);
        }}
      >
        <RowCheckbox name={t('selection.row', { order: row.orderNumber })} isChosen={isChosen} />
      </div>
      {columns.map((column, at) => (
        <div key={column} role="gridcell" aria-colindex={at + 2} className={cellClass(column)}>
          <Cell column={column} row={row} head={head} />
        </div>
      ))}
      {withAnswer ? (
        <div role="gridcell" className="cell answer">
          <Answer row={row} />
        </div>
      ) : null}
    </div>
  );
});

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
  const columns = useColumns();
  const { chosen, isTruncated, toggle, choose, clear } = useSelection();
  /** The current row: its payment stays the same when rows arrive above it; its index counts once it has gone. */
  const [current, setCurrent] = useState<{ index: number; key: string | null }>({ index: 0, key: null });
  const [shownList, setShownList] = useState(list);
  if (shownList !== list) {
    setShownList(list);
    setCurrent({ ...current, index: 0 });
  }
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
  const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 400) / height) - 1);
  const openRow = ({ profileId, orderNumber }: PaymentRow): void =>
    go({ screen: 'payment', profileId, orderNumber });
  const keys = useGridKeys({
    rows,
    at,
    page,
    hasChosen: chosen.size > 0,
    // The payment beside the list is always that of the current row.
    makeCurrent: index => {
      const row = rows[index];
      if (!row) return;
      setCurrent({ index, key: paymentKey(row) });
      onCurrent?.(row);
    },
    scrollTo: index => virtual.scrollToIndex(index),
    onRange: choose,
    onToggle: toggle,
    onChooseAll,
    onClear: clear,
    onOpen: openRow,
    onPressed: row => {
      if (opensPage) openRow(row);
    },
  });
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
      onKeyDown={keys.onKeyDown}
      onDoubleClick={() => {
        if (onCurrent) keys.openCurrent();
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
            <div key={column} role="columnheader" aria-colindex={at + 2} className={cellClass(column)}>
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
              onPress={keys.press}
              onChoose={keys.choose}
            />
          );
        })}
      </div>
    </div>
  );
};
