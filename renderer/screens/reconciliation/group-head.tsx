import { Check, CircleAlert, Flag, Info, ScanSearch, ClipboardPen, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Finding, ReconciliationCause, ReconciliationCount } from '../../../shared/reports/reconcile.ts';
import { Button } from '../../components/controls/button.tsx';
import { RowsCheckbox, type Selected } from '../../components/controls/select-box.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import { useBulkLookUp } from '../../queries/bulk-look-up.ts';
import type { Queued } from '../../queries/review.ts';

const icons: Readonly<Record<Finding['action'], ReactNode>> = {
  'do-not-ship': <CircleAlert size={16} className="ink-bad" />,
  'hand-to-finance': <Flag size={16} className="ink-warn" />,
  'refund-one': <Undo2 size={16} className="ink-warn" />,
  'look-up': <ScanSearch size={16} className="tone-text-wait" />,
  record: <ClipboardPen size={16} className="ink-warn" />,
  'new-link': <Info size={16} className="quiet" />,
  'note-it': <Info size={16} className="quiet" />,
};

/** The cause of a group, its sentence and next step once, and what can be done with all of its payments. */
export const GroupHead = ({
  cause,
  rows,
  count,
  selected,
  onChoose,
  onLookUpAll,
  onResolveAll,
}: {
  cause: ReconciliationCause;
  rows: readonly Queued[];
  /** Null: the number of rows. */
  count: ReconciliationCount | null;
  selected: Selected;
  onChoose: (isChosen: boolean) => void;
  onLookUpAll: () => void;
  /** Null where resolving a whole group is not offered. */
  onResolveAll: (() => void) | null;
}) => {
  const t = useText();
  const job = useBulkLookUp();
  const inFlight = job !== null && job.phase !== 'over';
  const [first] = rows;
  const action = first?.findings[0]?.action ?? 'note-it';
  const total = count?.count ?? rows.length;
  const figures = `${useNumber()(total)}${count?.more ? '+' : ''}`;
  return (
    <>
      <RowsCheckbox
        className="review-check centred as-text no-padding"
        name={t('review.select-group', { cause: t(`cause.${cause}`) })}
        selected={selected}
        onPress={() => onChoose(selected !== true)}
      />
      <h2 className="review-cause line no-margin medium">
        <span aria-hidden="true">{icons[action]}</span>
        {t(`cause.${cause}`)} <span className="quiet regular">{figures}</span>
      </h2>
      <p className="muted review-sentence min-0 no-margin small">
        {t(`cause.${cause}.text`)} {t(`next.${action}`)}
      </p>
      <span className="row gap-2">
        {action === 'look-up' ? (
          <Button request="lookUps.start" size="small" isDisabled={inFlight} onPress={onLookUpAll}>
            {t('review.check-all', { count: rows.length })}
          </Button>
        ) : null}
        {onResolveAll === null || total < 2 ? null : (
          <Button request="review.resolve" size="small" icon={Check} onPress={onResolveAll}>
            {t('review.resolve-all', { count: figures })}
          </Button>
        )}
      </span>
    </>
  );
};
