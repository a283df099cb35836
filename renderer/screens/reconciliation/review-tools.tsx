import { isAtRest, type NeedsReview } from '../../../shared/reports/reconcile.ts';
import { reviewLists, type ReviewList } from '../../../shared/review/review.ts';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
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
