import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import type { PaymentDetail } from '../../../shared/contract/index.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { Time } from '../../components/display/time.tsx';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { useInstallationLabel } from '../../stores/team.ts';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Customer = ({ payment: { customer, customerFrom } }: { payment: Payment }) => {
  const t = useText();
  if (!customer?.name && !customer?.email) return null;
  return (
    <section className="panel" aria-label={t('customer')}>
      <header>
        <h2>{t('customer')}</h2>
      </header>
      <div className="customer small">
        {customer.name ? <strong className="break">{customer.name}</strong> : null}
        {customer.email ? <span className="break">{customer.email}</span> : null}
        {customerFrom === null || customerFrom === 'request' ? null : (
          <span className="quiet tiny">{t(`facts.customer.${customerFrom}`)}</span>
        )}
      </div>
    </section>
  );
};

/** What is known of the customer, and of the payment beyond its verdict. */
export const Facts = ({ payment, events }: Pick<PaymentDetail, 'payment' | 'events'>) => {
  const t = useText();
  const installation = useInstallationLabel()(requestShownOf(events)?.writer);
  const profile = useAppState(
    state => state.appState?.profiles.find(one => one.id === payment.profileId) ?? null,
  );
  return (
    <>
      <Customer payment={payment} />
      <section className="panel" aria-label={t('facts.name')}>
        <header>
          <h2>{t('facts.name')}</h2>
        </header>
        <dl className="facts">
          <Fact name={t('new.order')}>
            <span className="code break">{payment.orderNumber}</span>
          </Fact>
          <Fact name={t('facts.created')}>
            <Time at={payment.firstAt} />{' '}
            {payment.raisedHere && payment.agent !== null
              ? installation === null
                ? t('facts.created-by', { agent: payment.agent })
                : t('facts.created-by-at', { agent: payment.agent, installation })
              : t('facts.not-here')}
          </Fact>
          <Fact name={t('profile')}>
            <span className="break">{profile?.name ?? payment.profileId}</span>
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
    </>
  );
};
