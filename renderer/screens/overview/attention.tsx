import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import { ok } from '../../../shared/errors.ts';
import { isAtRest, type ReconciliationCount } from '../../../shared/reports/reconcile.ts';
import { hrefOf } from '../../routes.ts';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';
import { useActiveProfileId } from '../../stores/app-state-store.ts';
import { useReviewCounts } from '../../queries/review.ts';
import { useDay } from '../../i18n/day.ts';
import { useNumber, useText } from '../../i18n/text.ts';

/** The first day on which a chargeback has to be answered; null without one. */
const deadlineQuery = createQuery({
  read: async ({ profileId }: { profileId: string | null }) => {
    const read = await request('payments.reconcile', { profileId, cause: 'chargeback', limit: 200 });
    if (!read.ok) return read;
    const [day = null] = read.value.rows.flatMap(({ dispute }) => dispute?.respondBy ?? []).toSorted();
    return ok({ day });
  },
  on: ['payments.changed'],
  throttleMs: 1_500,
});

const CauseList = ({ counts }: { counts: readonly ReconciliationCount[] }) => {
  const t = useText();
  const number = useNumber();
  const dayText = useDay();
  const profileId = useActiveProfileId();
  const hasChargebacks = counts.some(({ cause }) => cause === 'chargeback');
  const day = deadlineQuery.use(hasChargebacks ? { profileId } : null).value?.day ?? null;
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
            <span>
              {t(`cause.${cause}`)}
              {cause === 'chargeback' && day !== null ? ` · ${t('dispute.next', { day: dayText(day) })}` : ''}
            </span>
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
