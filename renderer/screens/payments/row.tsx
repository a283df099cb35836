/* A virtual grid, whose rows mostly do not exist, cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Flag } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import { CustomerName } from '../../components/display/customer-name.tsx';
import type { Head } from '../../../shared/reports/head.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { RowCheckbox } from '../../components/controls/select-box.tsx';
import { Truncate, AlignedMoney, Time } from '../../components/display/values.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { useHead } from '../../hooks/use-head.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { usePaymentAnswer } from './use-payment-answer.ts';

/** The modifier keys held during the mouse click. */
export type HeldKeys = { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean };

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
  }
};

const Answer = ({ row }: { row: PaymentRow }) => <Truncate text={usePaymentAnswer(row)} />;

/** One payment of the list; memoised, since scrolling renders the list with every frame. */
export const Row = memo(function Row({
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
        <div key={column} role="gridcell" aria-colindex={at + 2} className={`cell ${column}`}>
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
