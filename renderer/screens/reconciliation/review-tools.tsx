import { useState } from 'react';
import { Download } from 'lucide-react';
import { isAtRest, type NeedsReview, type ReconciliationCause } from '../../../shared/reports/reconcile.ts';
import { reviewLists, type ReviewList } from '../../../shared/review/review.ts';
import { Button } from '../../components/controls/button.tsx';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useReconciliation } from '../../stores/reports/reconciliation.ts';
import { goInPlace } from '../../stores/route.ts';

/** Exports the complete queue to a file that the user chooses. */
export const ExportQueue = ({
  profileId,
  cause,
}: {
  profileId: string;
  cause: ReconciliationCause | null;
}) => {
  const t = useText();
  const [outcome, setOutcome] = useState('');
  const [busy, setBusy] = useState(false);
  const write = async (): Promise<void> => {
    setBusy(true);
    const written = await request('payments.exportReconciliation', { profileId, cause });
    setBusy(false);
    if (!written.ok) setOutcome(`${t(`error.${written.error.code}`)} ${t(`hint.${written.error.code}`)}`);
    else setOutcome(written.value.file === null ? '' : t('export.done', { count: written.value.written }));
  };
  return (
    <>
      <output className="small quiet">{outcome}</output>
      <Button right="export" icon={<Download size={16} />} isPending={busy} onPress={() => void write()}>
        {t('reconciliation.export')}
      </Button>
    </>
  );
};

/** The lists of the page, each with its number of payments. */
export const Lists = ({ list }: { list: ReviewList }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { counts, needsReview, lists } = useReconciliation();
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
        const figures =
          count === null
            ? ''
            : ` ${new Intl.NumberFormat(locale).format(count.count)}${count.more ? '+' : ''}`;
        return { id, name: `${t(`review.list.${id}`)}${figures}` };
      })}
    />
  );
};

export const KeyHints = () => {
  const t = useText();
  return (
    <p className="review-keys small quiet" aria-hidden="true">
      <SingleKey>J</SingleKey> <SingleKey>K</SingleKey> {t('review.key.move')} <SingleKey>E</SingleKey>{' '}
      {t('review.key.resolve')} <SingleKey>I</SingleKey> {t('review.key.assign')} <SingleKey>H</SingleKey>{' '}
      {t('review.key.snooze')}
    </p>
  );
};
