/* A grid whose rows the grid itself focuses cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { AlarmClock, Check, UserRound, UserRoundPlus } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { RowCheckbox } from '../../components/controls/select-box.tsx';
import { Initials } from '../../components/display/initials.tsx';
import { AlignedMoney } from '../../components/display/money-text.tsx';
import { Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useDay } from '../../i18n/day.ts';
import { useText } from '../../i18n/text.ts';
import type { Need } from '../../use-rights.ts';
import type { Queued } from '../../queries/review.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import type { HeldKeys } from '../payments/row.tsx';

/** What can be done with the current row, for the mouse; the keys E, I and H do the same. */
export type RowActions = { onResolve: () => void; onAssign: () => void; onSnooze: () => void };

const Assignee = ({ name }: { name: string | null }) => {
  const t = useText();
  return name === null ? (
    <span className="review-person line min-0 quiet">
      <span className="review-unassigned centred fixed" aria-hidden="true">
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

const Actions = ({ onResolve, onAssign, onSnooze }: RowActions) => {
  const t = useText();
  const act = (name: string, icon: ReactNode, onPress: () => void, need: Need, primary = false) => (
    <Button
      {...need}
      excludeFromTabOrder
      size="small"
      variant={primary ? 'primary' : 'quiet'}
      icon={icon}
      onPress={onPress}
    >
      {name}
    </Button>
  );
  return (
    <span className="review-row-actions">
      {act(t('review.resolve'), <Check size={14} />, onResolve, { request: 'review.resolve' }, true)}
      {act(t('review.assign'), <UserRoundPlus size={14} />, onAssign, { right: 'links' })}
      {act(t('review.snooze'), <AlarmClock size={14} />, onSnooze, { request: 'review.snooze' })}
    </span>
  );
};

/** One payment of the review page; memoised, since every key renders the list. */
export const ReviewRow = memo(function ReviewRow({
  row,
  index,
  isCurrent,
  isChosen,
  actions,
  onPress,
  onChoose,
}: {
  row: Queued;
  index: number;
  isCurrent: boolean;
  isChosen: boolean;
  /** Null where a row is only read. */
  actions: RowActions | null;
  onPress: (index: number, keys: HeldKeys) => void;
  onChoose: (index: number) => void;
}) {
  const t = useText();
  const day = useDay();
  const resolved = row.review?.resolved ?? null;
  const customer = ownCustomer(row)?.name;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys
    <div
      role="row"
      id={`review-row-${index}`}
      aria-selected={isChosen}
      className={`review-row tracks relative line-above small ${isCurrent ? 'current' : ''} ${isChosen ? 'chosen' : ''}`}
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
        <AlignedMoney {...shownMoney(row)} />
      </div>
      <div role="gridcell">
        <Truncate text={customer ?? '–'} />
      </div>
      <div role="gridcell" className="review-what muted">
        <Truncate
          text={
            row.dispute?.respondBy
              ? t('dispute.until', { day: day(row.dispute.respondBy) })
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
        {isCurrent && actions !== null ? <Actions {...actions} /> : null}
      </div>
    </div>
  );
});
