import { AlarmClock, Check, RotateCcw, ScanSearch, Undo2, UserRoundPlus, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { useText, useNumber } from '../../i18n/text.ts';
import { useReviewActions } from '../../queries/review-actions.ts';
import { isAtRest, type NeedsReview } from '../../../shared/reports/reconcile.ts';
import { reviewLists, type ReviewList } from '../../../shared/review/review.ts';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { useReviewCounts } from '../../queries/review.ts';
import { goInPlace } from '../../stores/route-store.ts';

/** The lists of the page, each with its number of payments. */
export const Lists = ({ list }: { list: ReviewList }) => {
  const t = useText();
  const { counts, needsReview, lists } = useReviewCounts();
  const number = useNumber();
  const information = counts.filter(({ cause }) => isAtRest(cause));
  const counted: Record<ReviewList, NeedsReview | null> = {
    all: needsReview,
    mine: lists?.mine ?? null,
    unassigned: lists?.unassigned ?? null,
    information: {
      count: information.reduce((sum, { count }) => sum + count, 0),
      more: information.some(({ more }) => more),
    },
    snoozed: lists?.snoozed ?? null,
    resolved: null,
  };
  return (
    <SegmentedControl
      label={t('review.lists')}
      value={list}
      onChange={chosen => goInPlace({ screen: 'reconciliation', cause: null, list: chosen })}
      options={reviewLists.map(id => {
        const count = counted[id];
        const figures = count === null ? '' : ` ${number(count.count)}${count.more ? '+' : ''}`;
        return { id, name: `${t(`review.list.${id}`)}${figures}` };
      })}
    />
  );
};

/** What was done last, with a few seconds to undo it. */
const Done = () => {
  const t = useText();
  const { done, undo, dismiss } = useReviewActions();
  if (done === null) return null;
  return (
    <>
      <output>
        {t(`review.done.${done.kind}`, { count: done.count })}
        {done.changed > 0 ? ` ${t('review.done.changed', { count: done.changed })}` : ''}
      </output>
      {done.undo === null ? null : (
        <Button icon={Undo2} keys="Z" onPress={() => void undo()}>
          {t('undo')}
        </Button>
      )}
      <IconButton name={t('close')} icon={<X size={16} />} onPress={dismiss} />
    </>
  );
};

/** The actions for the selected payments, over the list; or what was done last. */
export const ReviewBar = ({
  count,
  isResolved,
  isSnoozed,
  onResolve,
  onAssign,
  onSnooze,
  onLookUp,
  onRefund,
  onClear,
}: {
  count: number;
  /** Resolved payments can only be reopened. */
  isResolved: boolean;
  isSnoozed: boolean;
  onResolve: () => void;
  onAssign: () => void;
  onSnooze: () => void;
  onLookUp: () => void;
  /** Null: fewer than two are selected, or the profile sends no refunds. */
  onRefund: (() => void) | null;
  onClear: () => void;
}) => {
  const t = useText();
  const done = useReviewActions(state => state.done);
  if (count === 0 && done === null) return null;
  return (
    <div className="selection-bar line wrap rounded-l">
      {count === 0 ? (
        <Done />
      ) : (
        <>
          <output className="selection-count small medium">{t('selection.count', { count })}</output>
          <Toolbar className="line wrap" aria-label={t('selection.name')}>
            {isResolved ? (
              <Button request="review.reopen" icon={RotateCcw} keys="E" onPress={onResolve}>
                {t('review.reopen')}
              </Button>
            ) : (
              <>
                <Button request="review.resolve" icon={Check} keys="E" onPress={onResolve}>
                  {t('review.resolve')}
                </Button>
                <Button icon={UserRoundPlus} keys="I" onPress={onAssign}>
                  {t('review.assign')}
                </Button>
                <Button request="review.snooze" icon={AlarmClock} keys="H" onPress={onSnooze}>
                  {t(isSnoozed ? 'review.unsnooze' : 'review.snooze')}
                </Button>
                <Button request="lookUps.start" icon={ScanSearch} keys="U" onPress={onLookUp}>
                  {t('look-up.now')}
                </Button>
                {onRefund === null ? null : (
                  <Button request="operations.send" icon={Undo2} onPress={onRefund}>
                    {t('refund-run.open')}
                  </Button>
                )}
              </>
            )}
            <Button variant="quiet" icon={<X size={16} />} onPress={onClear}>
              {t('selection.none')}
            </Button>
          </Toolbar>
        </>
      )}
    </div>
  );
};
