/* A grid of which most rows do not exist cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { PaymentRow } from '../../../shared/payment.ts';
import { useDesk } from '../../stores/desk.ts';
import { usePayments } from '../../stores/payments.ts';
import { go } from '../../stores/route.ts';
import { useText } from '../../text.ts';
import { Row } from './payment-row.tsx';

const columns = ['state', 'amount', 'order', 'description', 'customer', 'agent', 'when'] as const;
const rowHeight = { compact: 24, regular: 32, roomy: 40 };

/**
 * The list as a grid of which only the rows in sight exist. The grid itself holds the
 * focus and names the row at hand, so that scrolling never takes the focus away.
 */
export const PaymentGrid = ({
  rows,
  withAnswer,
}: {
  rows: readonly PaymentRow[];
  /** Few results: each row carries the sentence to say. */
  withAnswer: boolean;
}) => {
  const t = useText();
  const density = useDesk(state => state.desk?.settings.density ?? 'regular');
  const more = usePayments(state => state.more);
  const next = usePayments(state => state.next);
  const [current, setCurrent] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const height = (rowHeight[density] + (withAnswer ? 28 : 0)) * rem;
  // The virtualizer hands out fresh functions; nothing here memoises them.
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
    if (next !== null && last >= rows.length - 40) void more();
  }, [last, rows.length, next, more]);

  const at = Math.min(current, rows.length - 1);
  const move = (to: number): void => {
    const bounded = Math.max(0, Math.min(rows.length - 1, to));
    setCurrent(bounded);
    virtual.scrollToIndex(bounded);
  };
  const openRow = (row: PaymentRow | undefined): void => {
    if (row) go({ screen: 'payment', profileId: row.profileId, orderNumber: row.orderNumber });
  };
  const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 400) / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      j: at + 1,
      k: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      move(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
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
      aria-rowcount={next === null ? rows.length + 1 : -1}
      aria-colcount={columns.length}
      aria-activedescendant={`payment-row-${at}`}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="grid-head">
        <div role="row" aria-rowindex={1} className="grid-row head">
          {columns.map(column => (
            <div key={column} role="columnheader" className={`cell ${column}`}>
              {t(`column.${column}`)}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize() }}>
        {items.map(item => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <Row
              key={`${row.profileId} ${row.orderNumber}`}
              row={row}
              index={item.index}
              top={item.start}
              height={item.size}
              isCurrent={item.index === at}
              withAnswer={withAnswer}
              onOpen={() => {
                setCurrent(item.index);
                openRow(row);
              }}
            />
          );
        })}
      </div>
    </div>
  );
};
