import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import type { Attempt, Payment } from '../../../shared/payments/payment.ts';
import { Money } from '../../components/display/money.tsx';
import { KindMark } from '../../components/display/kind-mark.tsx';
import { Time } from '../../components/display/time.tsx';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state.ts';
import { useText } from '../../i18n/text.ts';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const AttemptFacts = ({ attempt, index }: { attempt: Attempt; index: number }) => {
  const t = useText();
  const details = [
    attempt.cardLast4 === null ? null : `•••• ${attempt.cardLast4}`,
    attempt.rrn === null ? null : `RRN ${attempt.rrn}`,
    attempt.approvalCode === null ? null : t('attempt.approval', { code: attempt.approvalCode }),
  ].filter(Boolean);
  return (
    <li className="attempt">
      <div className="line spread">
        <strong className="small">
          {t(attempt.instalment ? 'facts.instalment' : 'attempt.name', { number: index + 1 })}
        </strong>
        <span className={`outcome ${attempt.outcome}`}>{t(`outcome.${attempt.outcome}`)}</span>
      </div>
      <div className="small code break quiet">{attempt.paymentId}</div>
      {attempt.reason === null ? null : (
        <div className="small">
          {t('reason', { reason: attempt.reason })} <span className="quiet">({t('attempt.not-aloud')})</span>
        </div>
      )}
      <div className="small quiet">
        {details.length > 0 ? `${details.join(' · ')} · ` : ''}
        <Time at={attempt.lastAt} />
      </div>
    </li>
  );
};

/** The known facts of a payment, and every attempt of the payer. */
export const Facts = ({ payment }: { payment: Payment }) => {
  const t = useText();
  const profile = useAppState(
    state => state.appState?.profiles.find(one => one.id === payment.profileId) ?? null,
  );
  return (
    <>
      <section className="panel" aria-label={t('facts.name')}>
        <dl className="facts">
          <Fact name={t('new.amount')}>
            <Money amount={payment.amount} currency={payment.currency} />
          </Fact>
          <Fact name={t('new.order')}>
            <span className="code break">{payment.orderNumber}</span>
          </Fact>
          <Fact name={t('new.description')}>
            <span className="break">{payment.description ?? '–'}</span>
          </Fact>
          {payment.customer?.name || payment.customer?.email ? (
            <Fact name={t('customer')}>
              <span className="break">
                {[payment.customer.name, payment.customer.email].filter(Boolean).join(' · ')}
              </span>
              {payment.customerFrom === null || payment.customerFrom === 'request' ? null : (
                <div className="small quiet">{t(`facts.customer.${payment.customerFrom}`)}</div>
              )}
            </Fact>
          ) : null}
          <Fact name={t('profile')}>
            <span className="line wrap">
              {profile?.name ?? payment.profileId} {profile ? <KindMark kind={profile.kind} /> : null}
            </span>
          </Fact>
          <Fact name={t('facts.created')}>
            {payment.raisedHere && payment.agent !== null
              ? t('facts.created-by', { agent: payment.agent })
              : t('facts.not-here')}
            {', '}
            <Time at={payment.firstAt} />
          </Fact>
          {payment.series === null ? null : (
            <Fact name={t('facts.series')}>
              {payment.paymentIds.includes(payment.series.firstPaymentId) ? (
                t('facts.series.first')
              ) : (
                <>
                  {t('facts.series.of')}{' '}
                  <Link
                    className="code break"
                    href={hrefOf({ screen: 'payments', view: 'all', words: payment.series.firstPaymentId })}
                  >
                    {payment.series.firstPaymentId}
                  </Link>
                </>
              )}
            </Fact>
          )}
          {payment.cardLast4 === null ? null : (
            <Fact name={t('facts.card')}>
              <span className="code">•••• {payment.cardLast4}</span>
            </Fact>
          )}
        </dl>
      </section>
      {payment.attempts.length > 0 ? (
        <section className="panel" aria-label={t('attempts.name')}>
          <header>
            <h2>{t('attempts.name')}</h2>
          </header>
          <ol className="stack tight">
            {payment.attempts.map((attempt, index) => (
              <AttemptFacts key={attempt.paymentId} attempt={attempt} index={index} />
            ))}
          </ol>
        </section>
      ) : null}
    </>
  );
};
