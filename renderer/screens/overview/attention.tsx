import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import { isAtRest } from '../../../shared/reconcile.ts';
import { hrefOf } from '../../routes.ts';
import { useReconciliation } from '../../stores/reconciliation.ts';
import { useLocaleChoice, useText } from '../../text.ts';

/** What waits for someone, whenever it was raised: the causes of the reconciliation queue, gravest first. */
export const Attention = () => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const counts = useReconciliation(state => state.counts);
  const number = new Intl.NumberFormat(locale);
  const calls = counts.filter(({ cause }) => !isAtRest(cause));
  const rest = counts.filter(({ cause }) => isAtRest(cause));
  return (
    <section className="panel" aria-label={t('overview.attention')}>
      <header>
        <h2>{t('overview.attention')}</h2>
      </header>
      {calls.length === 0 ? <p className="small muted">{t('overview.attention.none')}</p> : null}
      <ul className="attention">
        {[...calls, ...rest].map(({ cause, count, more }) => (
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
    </section>
  );
};
