/* A grid of which most rows do not exist cannot be a table element. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Check, Flag } from 'lucide-react';
import type { PaymentRow } from '../../../shared/payment.ts';
import { stateAt } from '../../../shared/state-at.ts';
import { Money } from '../../components/money.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useClock } from '../../stores/clock.ts';
import { useLocaleChoice, useText } from '../../text.ts';
import { sentenceOf } from '../payment/sentence.ts';

/** The keys held while the mouse was pressed. */
type HeldKeys = { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean };

/** One payment of the list. */
export const Row = ({
  row,
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
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  height: number;
  isCurrent: boolean;
  isChosen: boolean;
  withAnswer: boolean;
  onPress: (keys: HeldKeys) => void;
  onChoose: (keys: HeldKeys) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const state = useClock(({ wall }) => stateAt(row, wall));
  const minute = useClock(({ wall }) => Math.floor(wall / 60_000) * 60_000);
  const minutes = row.expiresAt === null ? 0 : Math.max(0, Math.floor((row.expiresAt - minute) / 60_000) - 1);
  const grave = row.flags.length > 0;
  return (
    // The grid holds the focus and its keys open the row; a click is the same for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="row"
      id={`payment-row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={`grid-row ${isCurrent ? 'current' : ''} ${isChosen ? 'chosen' : ''} ${withAnswer ? 'answered' : ''}`}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={onPress}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- Space on the grid does the same */}
      <div
        role="gridcell"
        className="cell chosen"
        onClick={event => {
          event.stopPropagation();
          onChoose(event);
        }}
      >
        <span className={`choose-box ${isChosen ? 'some' : ''}`} aria-hidden="true">
          {isChosen ? <Check size={12} /> : null}
        </span>
      </div>
      <div role="gridcell" className="cell state">
        <StatusMark state={state} />
        {grave ? (
          <span className="row-flag" title={t(`flag.${row.flags[0]?.kind ?? 'sources-disagree'}`)}>
            <Flag size={12} aria-hidden="true" />
            <span className="out-of-sight">{t(`flag.${row.flags[0]?.kind ?? 'sources-disagree'}`)}</span>
          </span>
        ) : null}
      </div>
      <div role="gridcell" className="cell amount">
        <Money amount={row.amount} currency={row.currency} />
      </div>
      <div role="gridcell" className="cell order code clip">
        {row.orderNumber}
      </div>
      <div role="gridcell" className="cell description clip">
        {row.description ?? '–'}
      </div>
      <div role="gridcell" className="cell customer clip">
        {row.customer?.name ?? row.customer?.email ?? ''}
      </div>
      <div role="gridcell" className="cell agent clip">
        {row.agent ?? '–'}
      </div>
      <div role="gridcell" className="cell when">
        <Time at={row.firstAt} />
      </div>
      {withAnswer ? (
        <div role="gridcell" className="cell answer clip">
          {sentenceOf(row, state, minutes, minute, locale, t)}
        </div>
      ) : null}
    </div>
  );
};
