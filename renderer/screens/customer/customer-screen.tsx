import '../../styles/screens/customer.css';
import { useEffect } from 'react';
import { ChevronLeft, CircleStop, UserRound } from 'lucide-react';
import { Link } from 'react-aria-components';
import { sameKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty, Note } from '../../components/display/note.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { dateFormat } from '../../i18n/formatters.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { paymentQuery } from '../../queries/payment.ts';
import { hrefOf } from '../../routes.ts';
import { customerQuery, followErasure, useCustomer, type Customer } from '../../queries/customer.ts';
import { go } from '../../stores/route-store.ts';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerHead } from './customer-head.tsx';
import { CustomerLinks } from './customer-links.tsx';
import { CustomerNotes } from './customer-notes.tsx';
import { CustomerPayments } from './customer-payments.tsx';
import { Candidates, Spellings } from './customer-spellings.tsx';
import { CustomerTotals } from './customer-totals.tsx';

/** The result of the last action, with the way back where there is one. */
const DoneNote = () => {
  const t = useText();
  const { done, busy, undo } = useCustomer();
  return (
    <output className="over-page">
      {done === null || done.kind === 'copied' ? null : (
        <Note>
          <span className="line wrap">
            <span>
              {done.kind === 'erased'
                ? t(done.isStopped ? 'customer.erased.stopped' : 'customer.erased', { count: done.payments })
                : t(`customer.${done.kind}`, { name: done.name })}
            </span>
            {done.kind === 'erased' ? null : (
              <Button size="small" isPending={busy !== null} onPress={() => void undo()}>
                {t('undo')}
              </Button>
            )}
          </span>
        </Note>
      )}
    </output>
  );
};

/** A running erasure of several payments. */
const Erasing = () => {
  const t = useText();
  const { erasing, stopErasing } = useCustomer();
  if (erasing === null || erasing.total < 2) return null;
  return (
    <section className="panel stack" aria-label={t('customer.erasing')}>
      <Progress name={t('customer.erasing')} done={erasing.done} total={erasing.total} />
      <div className="line end">
        <Button icon={<CircleStop size={16} />} onPress={stopErasing}>
          {t('customer.erase.stop')}
        </Button>
      </div>
    </section>
  );
};

const Content = ({ customer, profileId }: { customer: Customer; profileId: string }) => {
  const t = useText();
  return (
    <div className="payment-columns tracks gap-4 at-start">
      <div className="stack">
        <CustomerHead customer={customer} />
        <CustomerLinks rows={customer.payments} />
        <CustomerPayments rows={customer.payments} more={customer.more} />
      </div>
      <aside className="stack" aria-label={t('customer.aside')}>
        <CustomerTotals sums={customer.sums} />
        <Candidates candidates={customer.candidates} profileId={profileId} />
        <Spellings spellings={customer.spellings} />
        <CustomerNotes notes={customer.notes} profileId={profileId} />
      </aside>
    </div>
  );
};

/** Why an order has no customer: none was entered, or the details were erased. */
const NoCustomer = ({ profileId, orderNumber, onOpen }: PaymentKey & { onOpen: () => void }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { value: file } = paymentQuery.use({ profileId, orderNumber });
  const erased = file?.events.findLast(({ kind }) => kind === 'amended');
  const date = dateFormat(locale, { dateStyle: 'long' });
  return (
    <Empty
      icon={<UserRound size={28} />}
      title={t(erased === undefined ? 'customer.none' : 'customer.erased.title')}
      action={<Button onPress={onOpen}>{t('payment.open')}</Button>}
    >
      {erased === undefined
        ? t('customer.none.text', { order: orderNumber })
        : t('customer.erased.on', { date: date.format(erased.happenedAt) })}
    </Empty>
  );
};

/** The customer of a payment: what to say, open links, payments, money, notes, and the spellings of the details. */
export const CustomerScreen = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const { key, actionProblem } = useCustomer();
  const { value, problem } = customerQuery.use({ profileId, orderNumber });
  const shown = value?.customer ?? null;
  useEffect(() => {
    useCustomer.getState().open({ profileId, orderNumber });
    return followErasure();
  }, [profileId, orderNumber]);
  const isCurrent = sameKey(key, { profileId, orderNumber });
  const openPayment = (): void => go({ screen: 'payment', profileId, orderNumber });
  return (
    <Screen
      className="payment customer-page"
      // Never the name: the window's title is read by other programs.
      label={t('customer')}
      title={t('customer')}
      before={
        <Link className="crumb" href={hrefOf({ screen: 'payments', view: 'all', words: '' })}>
          <ChevronLeft size={14} aria-hidden="true" />
          {t('nav.payments')}
        </Link>
      }
      {...(shown === null ? {} : { actions: <CustomerActions customer={shown} profileId={profileId} /> })}
    >
      <div className="stack">
        {isCurrent ? <Erasing /> : null}
        {isCurrent ? <DoneNote /> : null}
        {isCurrent && actionProblem !== null ? <ErrorNote error={actionProblem} /> : null}
        {problem !== null ? (
          <ErrorNote error={problem}>
            <Button onPress={() => void customerQuery.read({ profileId, orderNumber })}>
              {t('try-again')}
            </Button>
          </ErrorNote>
        ) : null}
        {shown !== null ? (
          <Content customer={shown} profileId={profileId} />
        ) : value === null ? (
          problem === null ? (
            <output className="quiet">{t('loading')}</output>
          ) : null
        ) : (
          <NoCustomer profileId={profileId} orderNumber={orderNumber} onOpen={openPayment} />
        )}
      </div>
    </Screen>
  );
};
