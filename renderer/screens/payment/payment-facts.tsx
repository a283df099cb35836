import { inLine } from '../../../shared/plain-text.ts';
import { Panel, Fact } from '../../components/display/panel.tsx';
import { Link } from 'react-aria-components';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { partOnDemand } from '../../components/controls/on-demand.tsx';
import { Time } from '../../components/display/values.tsx';
import { hrefOf, type Route } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { useInstallationLabel } from '../../stores/use-installation-label.ts';
import { useState } from 'react';
import { TextBox } from '../../components/controls/fields.tsx';
import type { AppError } from '../../../shared/errors.ts';
import { usePayment } from '../../queries/payment.ts';
import { seriesQuery } from '../../queries/series.ts';
import { Form, FormFoot } from '../../forms/form.tsx';
import { ifUnchanged } from '../../if-unchanged.ts';

/** A note on the payment: stored as evidence with author and time. */
export const NoteBox = () => {
  const t = useText();
  const { note, busy } = usePayment();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<AppError | null>(null);
  const add = async (): Promise<void> => {
    if (text.trim() === '' || busy === 'note') return;
    const noted = await note(text.trim());
    setProblem(noted.ok ? null : noted.error);
    if (noted.ok) setText(ifUnchanged(text, ''));
  };
  return (
    <Form className="panel stack tight" label={t('note.name')} onSubmit={() => void add()}>
      <TextBox
        label={t('note.name')}
        value={text}
        onChange={setText}
        lines={2}
        maxLength={4000}
        placeholder={t('note.placeholder')}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
          else event.continuePropagation();
        }}
      />
      <FormFoot
        problem={problem}
        name={t('note.add')}
        line="line"
        variant="plain"
        request="payments.note"
        isPending={busy === 'note'}
        isDisabled={text.trim() === ''}
        keys="Ctrl Enter"
      />
    </Form>
  );
};

const EarlierPayments = partOnDemand(() => import('./earlier-payments.tsx'), 'EarlierPayments');

const Customer = ({ payment, withEarlier }: { payment: Payment; withEarlier: boolean }) => {
  const t = useText();
  const { profileId, orderNumber, customer, customerFrom } = payment;
  const [title, ...details] = [customer?.name, customer?.email, customer?.phone].filter(Boolean);
  if (title === undefined) return null;
  // Anyone can write the details of a callback, which its signature does not cover: they identify no customer (§5.3).
  const isKnown = ownCustomer(payment) !== null;
  return (
    <Panel title={t('customer')}>
      <div className="customer small">
        {isKnown ? (
          <Link className="break strong" href={hrefOf({ screen: 'customer', profileId, orderNumber })}>
            {title}
          </Link>
        ) : (
          <strong className="break">{title}</strong>
        )}
        {details.map(text => (
          <span key={text} className="break">
            {text}
          </span>
        ))}
        {customerFrom === null || customerFrom === 'request' ? null : (
          <span className="quiet tiny">{t(`facts.customer.${customerFrom}`)}</span>
        )}
      </div>
      {isKnown && withEarlier ? <EarlierPayments profileId={profileId} orderNumber={orderNumber} /> : null}
    </Panel>
  );
};

/** The payment that a series began with, by its order number where it is known here. */
const SeriesFact = ({ payment, firstPaymentId }: { payment: Payment; firstPaymentId: string }) => {
  const t = useText();
  const { profileId, orderNumber } = payment;
  const { value } = seriesQuery.use({ profileId, orderNumber });
  if (payment.paymentIds.includes(firstPaymentId)) return t('facts.series.first');
  const first = value?.series?.firstOrder ?? null;
  const to: Route =
    first === null
      ? { screen: 'payments', view: 'all', words: firstPaymentId }
      : { screen: 'payment', profileId, orderNumber: first };
  return (
    <>
      {t('facts.series.of')}{' '}
      <Link className="code break" href={hrefOf(to)}>
        {inLine(first ?? firstPaymentId)}
      </Link>
    </>
  );
};

/** What is known of the customer, and of the payment beyond its verdict. */
export const Facts = ({
  payment,
  events,
  withEarlier = false,
}: Pick<PaymentDetail, 'payment' | 'events'> & {
  /** Whether the other payments of the customer are shown. */
  withEarlier?: boolean;
}) => {
  const t = useText();
  const installation = useInstallationLabel()(requestShownOf(events)?.writer);
  const profile = useAppState(
    state => state.appState?.profiles.find(one => one.id === payment.profileId) ?? null,
  );
  return (
    <>
      <Customer payment={payment} withEarlier={withEarlier} />
      <Panel title={t('facts.name')}>
        <dl className="facts">
          <Fact name={t('new.order')}>
            <span className="code break">{inLine(payment.orderNumber)}</span>
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
              <SeriesFact payment={payment} firstPaymentId={payment.series.firstPaymentId} />
            </Fact>
          )}
          {payment.cardLast4 === null ? null : (
            <Fact name={t('facts.card')}>
              <span className="code">•••• {payment.cardLast4}</span>
            </Fact>
          )}
        </dl>
      </Panel>
    </>
  );
};
