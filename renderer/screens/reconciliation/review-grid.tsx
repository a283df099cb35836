/* A grid whose rows the grid itself focuses cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { type ReactNode, type Ref, memo } from 'react';
import { type PaymentKey, paymentKey } from '../../../shared/payments/payment-row.ts';
import type { Queued } from '../../queries/review.ts';
import { useGridKeys, type HeldKeys } from '../../components/controls/use-grid-keys.ts';
import { UserRound } from 'lucide-react';
import { RowCheckbox } from '../../components/controls/select-box.tsx';
import { Initials } from '../../components/display/marks.tsx';
import { AlignedMoney, Time, Truncate } from '../../components/display/values.tsx';
import { useDay, useText } from '../../i18n/text.ts';
import { CustomerName } from '../../components/display/customer-name.tsx';
import { useHead } from '../../components/display/status-badge.tsx';

const Assignee = ({ name }: { name: string | null }) => {
  const t = useText();
  return name === null ? (
    <span className="review-person line min-0 quiet">
      <span className="review-unassigned round centred fixed" aria-hidden="true">
        <UserRound size={12} />
      </span>
      <Truncate text={t('review.unassigned')} />
    </span>
  ) : (
    <span className="review-person line min-0">
      <Initials name={name} />
      <Truncate text={name} />
    </span>
  );
};

/** One payment of the review page; memoised, since every key renders the list. */
const ReviewRow = memo(function ReviewRow({
  row,
  index,
  isCurrent,
  isChosen,
  onPress,
  onChoose,
}: {
  row: Queued;
  index: number;
  isCurrent: boolean;
  isChosen: boolean;
  onPress: (index: number, keys: HeldKeys) => void;
  onChoose: (index: number) => void;
}) {
  const t = useText();
  const day = useDay();
  const { money } = useHead(row);
  const resolved = row.review?.resolved ?? null;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys
    <div
      role="row"
      id={`review-row-${index}`}
      aria-selected={isChosen}
      className={`review-row middle pointer tracks relative line-above small ${isCurrent ? 'current' : ''} ${isChosen ? 'chosen' : ''} ${resolved === null ? '' : 'resolved'}`}
      onClick={event => onPress(index, event)}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- Space on the grid does the same */}
      <div
        role="gridcell"
        className="review-check centred as-text no-padding"
        onClick={event => {
          event.stopPropagation();
          onChoose(index);
        }}
      >
        <RowCheckbox name={t('selection.row', { order: row.orderNumber })} isChosen={isChosen} />
      </div>
      <div role="gridcell" className="review-amount medium text-end">
        <AlignedMoney {...money} />
      </div>
      <div role="gridcell">{row.customer === null ? '–' : <CustomerName row={row} />}</div>
      <div role="gridcell" className="review-what muted">
        <Truncate
          text={
            row.dispute?.respondBy
              ? t('dispute.next', { day: day(row.dispute.respondBy) })
              : (row.description ?? '–')
          }
        />
      </div>
      <div role="gridcell" className="review-order">
        <Truncate className="code" text={row.orderNumber} />
      </div>
      <div role="gridcell" className="review-who">
        {resolved === null ? (
          <Assignee name={row.review?.assignee ?? null} />
        ) : (
          <Truncate
            text={[t(`resolution.${resolved.reason}`), resolved.text, resolved.agent]
              .filter(text => text !== '')
              .join(' · ')}
          />
        )}
      </div>
      <div role="gridcell" className="review-since text-end nowrap quiet">
        <Time at={resolved?.at ?? row.findings[0]?.since ?? row.since} />
      </div>
    </div>
  );
});

/** The rows under one heading; `head` is null for a list without groups. */
export type ReviewGroup = { id: string; name: string; head: ReactNode; rows: readonly Queued[] };

/** How far the page keys move, rows. */
const pageRows = 10;

/**
 * Payments by group, as one grid: it has the focus and names the current row, so that a row which disappears leaves the
 * focus on the next one. Space selects, Shift and an arrow extend the selection, Ctrl+A selects everything that is
 * loaded.
 */
export const ReviewGrid = ({
  label,
  groups,
  current,
  chosen,
  onCurrent,
  onChosen,
  onOpen,
  onPressed,
  ref,
}: {
  label: string;
  groups: readonly ReviewGroup[];
  /** The index of the current row, in the order of the groups. */
  current: number;
  chosen: ReadonlySet<string>;
  onCurrent: (index: number) => void;
  onChosen: (keys: ReadonlySet<string>) => void;
  onOpen: (payment: PaymentKey) => void;
  /** A click on a row that selects nothing. */
  onPressed: (payment: PaymentKey) => void;
  ref: Ref<HTMLDivElement>;
}) => {
  const rows = groups.flatMap(group => group.rows);
  const keys = useGridKeys({
    rows,
    at: current,
    page: pageRows,
    hasChosen: chosen.size > 0,
    makeCurrent: onCurrent,
    scrollTo: index => document.querySelector(`#review-row-${index}`)?.scrollIntoView({ block: 'nearest' }),
    onRange: some => onChosen(new Set(some.map(paymentKey))),
    onToggle: row => {
      const next = new Set(chosen);
      if (!next.delete(paymentKey(row))) next.add(paymentKey(row));
      onChosen(next);
    },
    onChooseAll: () => onChosen(new Set(rows.map(paymentKey))),
    onClear: () => onChosen(new Set()),
    onOpen,
    onPressed,
  });
  const starts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, group) => sum + group.rows.length, 0),
  );
  return (
    <div
      ref={ref}
      className="review-grid stack gap-3 min-0 no-outline"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable
      aria-activedescendant={rows.length > 0 ? `review-row-${current}` : undefined}
      // The buttons of a group's head handle their keys.
      onKeyDown={event => {
        if (event.target === event.currentTarget) keys.onKeyDown(event);
      }}
      onDoubleClick={keys.openCurrent}
    >
      {groups.map((group, groupAt) => (
        <div
          key={group.id}
          role="rowgroup"
          aria-label={group.name}
          className="review-group edged cut fixed rounded-l on-surface"
        >
          {group.head === null ? null : (
            <div role="row">
              <div role="gridcell" className="review-head-cell line wrap">
                {group.head}
              </div>
            </div>
          )}
          {group.rows.map((row, rowAt) => {
            const index = (starts[groupAt] ?? 0) + rowAt;
            return (
              <ReviewRow
                key={paymentKey(row)}
                row={row}
                index={index}
                isCurrent={index === current}
                isChosen={chosen.has(paymentKey(row))}
                onPress={keys.press}
                onChoose={keys.choose}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
};
