import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import { isAtRest, type ReconciliationCount } from '../../../shared/reports/reconcile.ts';
import { hrefOf } from '../../routes.ts';
import { useReconciliation } from '../../stores/reports/reconciliation.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

const CauseList = ({ counts }: { counts: readonly ReconciliationCount[] }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const number = new Intl.NumberFormat(locale);
  return (
    <ul className="attention">
      {counts.map(({ cause, count, more }) => (
        <li key={cause} className={isAtRest(cause) ? 'quiet' : ''}>
          <Link href={hrefOf({ screen: 'reconciliation', cause })} className="attention-link">
            <span className="line">
              {isAtRest(cause) ? null : <TriangleAlert size={14} aria-hidden="true" />}
              {t(`cause.${cause}`)}
            </span>
            <span className="attention-count">
              {number.format(count)}
              {more ? '+' : ''}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Payments of any age that need review: the causes of the reconciliation queue, gravest first. */
export const Attention = () => {
  const t = useText();
  const counts = useReconciliation(state => state.counts);
  const { count, more } = useReconciliation(state => state.needsReview);
  const calls = counts.filter(({ cause }) => !isAtRest(cause));
  const rest = counts.filter(({ cause }) => isAtRest(cause));
  return (
    <section className="panel" aria-label={t('overview.attention')}>
      <header>
        <h2>{t('overview.attention')}</h2>
        {calls.length === 0 ? null : (
          <span className="small quiet">{t(more ? 'review.count-more' : 'review.count', { count })}</span>
        )}
      </header>
      {counts.length === 0 ? <p className="small muted">{t('overview.attention.none')}</p> : null}
      {calls.length === 0 ? null : <CauseList counts={calls} />}
      {rest.length === 0 ? null : (
        <>
          <p className="small quiet">{t('review.information')}</p>
          <CauseList counts={rest} />
        </>
      )}
    </section>
  );
};
