import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import { isAtRest, type ReconciliationCount } from '../../../shared/reports/reconcile.ts';
import { hrefOf } from '../../routes.ts';
import { useReviewCounts } from '../../queries/review.ts';
import { useNumber, useText } from '../../i18n/text.ts';

const CauseList = ({ counts }: { counts: readonly ReconciliationCount[] }) => {
  const t = useText();
  const number = useNumber();
  return (
    <ul className="attention">
      {counts.map(({ cause, count, more }) => (
        <li key={cause}>
          <Link
            href={hrefOf({ screen: 'reconciliation', cause })}
            className="attention-link line ink-inherit small undecorated"
          >
            {isAtRest(cause) ? (
              <Info size={16} aria-hidden="true" />
            ) : (
              <TriangleAlert size={16} className="alert" aria-hidden="true" />
            )}
            <span>{t(`cause.${cause}`)}</span>
            <b>
              {number(count)}
              {more ? '+' : ''}
            </b>
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Causes shown; the others are one line. */
const maxCauses = 5;

/** Payments of any age that need review: the causes of the reconciliation queue, gravest first. */
export const Attention = () => {
  const t = useText();
  const number = useNumber();
  const { counts, needsReview } = useReviewCounts();
  const { count, more } = needsReview;
  const calls = counts.filter(({ cause }) => !isAtRest(cause));
  const rest = counts.filter(({ cause }) => isAtRest(cause));
  return (
    <section className="panel flush bare" aria-label={t('overview.attention')}>
      <header>
        <h2>{t('overview.attention')}</h2>
        {calls.length === 0 ? null : (
          <>
            <span className="attention-total pill tiny medium tabular" aria-hidden="true">
              {number(count)}
              {more ? '+' : ''}
            </span>
            <span className="out-of-sight">{t(more ? 'review.count-more' : 'review.count', { count })}</span>
          </>
        )}
        <Link className="small push" href={hrefOf({ screen: 'reconciliation', cause: null })}>
          {t('overview.attention.open')}
        </Link>
      </header>
      {calls.length > 0 ? null : (
        <p className="line small muted attention-none">
          <CircleCheck size={16} aria-hidden="true" />
          {t('overview.attention.none')}
        </p>
      )}
      {calls.length === 0 ? null : <CauseList counts={calls.slice(0, maxCauses)} />}
      {calls.length <= maxCauses ? null : (
        <Link className="attention-more small" href={hrefOf({ screen: 'reconciliation', cause: null })}>
          {t('overview.attention.more', { count: calls.length - maxCauses })}
        </Link>
      )}
      {rest.length === 0 ? null : (
        <>
          <h3 className="attention-rest tiny quiet">{t('review.information')}</h3>
          <CauseList counts={rest} />
        </>
      )}
    </section>
  );
};
