import { inLine } from '../../../shared/plain-text.ts';
import { Ban, Check, Copy, Eraser, Plus, Repeat2, Users } from 'lucide-react';
import { Link, Button as CopyButton } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { Money, useTimeLeft } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { dateFormat, useLocaleChoice, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { type Customer, useCustomer } from '../../queries/customer.ts';
import { useSentence } from '../payment/sentence.ts';
import { lastPaid, relevantPayment } from './relevant-payment.ts';
import { useCopy } from '../../hooks/use-copy.ts';
import { useState } from 'react';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { ActionMenu } from '../../components/controls/action-menu.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { customerContent } from '../../stores/new-payment/fill-form.ts';
import { useRefusal } from '../../use-rights.ts';
import { EraseQuestion } from '../payment/erase-question.tsx';
import { beginsSeries } from '../payment/series/series-rows.ts';

/** Asks for an order of the same person under other details, which nothing here connects with these. */
const JoinSheet = () => {
  const t = useText();
  const { isAskingForOther, join, actionProblem, busy } = useCustomer();
  const [orderNumber, setOrderNumber] = useState('');
  const close = (): void => {
    setOrderNumber('');
    useCustomer.setState({ isAskingForOther: false, actionProblem: null });
  };
  const other = orderNumber.trim();
  const submit = async (): Promise<void> => {
    if (other === '') return;
    await join({ name: other, orderNumber: other });
    if (useCustomer.getState().actionProblem === null) close();
  };
  return (
    <Sheet title={t('customer.join-with')} isOpen={isAskingForOther} onClose={close}>
      <Form onSubmit={() => void submit()}>
        <TextBox
          label={t('customer.join-with.order')}
          hint={t('customer.join-with.hint')}
          value={orderNumber}
          onChange={setOrderNumber}
          inputClass="code"
          autoComplete="off"
          maxLength={255}
        />
        <FormFoot
          problem={actionProblem}
          name={t('customer.join')}
          request="customers.join"
          isPending={busy === 'joining'}
          isDisabled={other === ''}
          onCancel={close}
        />
      </Form>
    </Sheet>
  );
};

/** What can be done for the customer: a new payment, the last one again, and erasing the details. */
export const CustomerActions = ({ customer, profileId }: { customer: Customer; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { erase, busy } = useCustomer();
  const [isErasing, setErasing] = useState(false);
  const { refusal, fill, repeat, isRepeating } = useFillForm(profileId);
  const noErasing = useRefusal({ request: 'customers.erase' });
  const noJoining = useRefusal({ request: 'customers.join' });
  // What was paid is what a customer means by "the same again".
  const last = lastPaid(customer.payments) ?? customer.payments[0] ?? null;
  const repeatLast = async ({ orderNumber }: Pick<PaymentKey, 'orderNumber'>): Promise<void> =>
    useCustomer.setState({ actionProblem: await repeat({ profileId, orderNumber }) });
  return (
    <>
      {refusal === null ? null : <span className="small quiet measure">{refusal}</span>}
      {last === null ? null : (
        <Button
          request="payments.create"
          icon={Repeat2}
          isDisabled={refusal !== null}
          isPending={isRepeating}
          onPress={() => void repeatLast(last)}
        >
          {last.amount === null
            ? t('customer.repeat')
            : t('customer.repeat.amount', { amount: formatMoney(last.amount, last.currency ?? '', locale) })}
        </Button>
      )}
      <Button
        request="payments.create"
        variant="primary"
        icon={Plus}
        isDisabled={refusal !== null}
        onPress={() => fill(customerContent(customer))}
      >
        {t('customer.new-payment')}
      </Button>
      <ActionMenu
        label={t('payment.more')}
        actions={[
          {
            id: 'join',
            name: t('customer.join-with'),
            icon: Users,
            refusal: noJoining,
            isDisabled: busy !== null,
            act: () => useCustomer.setState({ isAskingForOther: true }),
          },
          {
            id: 'erase',
            name: t('erase.name'),
            icon: Eraser,
            refusal: noErasing,
            isDisabled: busy !== null,
            isDanger: true,
            act: () => setErasing(true),
          },
        ]}
      />
      <JoinSheet />
      <EraseQuestion
        isOpen={isErasing}
        text={t('customer.erase.text', {
          count: customer.spellings.reduce((sum, { payments }) => sum + payments, 0),
        })}
        series={customer.payments.some(beginsSeries) ? t('customer.erase.series') : null}
        onErase={() => void erase()}
        onClose={() => setErasing(false)}
      />
    </>
  );
};

/** A text that a click copies. `name`: what it is, such as "Email". */
const CopyText = ({ name, text }: { name: string; text: string }) => {
  const t = useText();
  const { isCopied, copy } = useCopy();
  return (
    <span className="copy-text min-0">
      <CopyButton
        className="copy-text-button no-border text-start hovers inline-line rounded-s ink-inherit"
        aria-label={t('customer.copy', { name, text })}
        onPress={() => copy(text)}
      >
        <span className="break">{text}</span>
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </CopyButton>
      <output className="out-of-sight">{isCopied ? t('copied') : ''}</output>
    </span>
  );
};

const moneyOf = (row: PaymentRow, locale: string): string => {
  const { amount, currency } = shownMoney(row);
  return amount === null ? '–' : formatMoney(amount, currency ?? '', locale);
};

/** The phone script for the payment that the customer most probably asks about, and which one that is. */
const Say = ({ row, paid, isPartial }: { row: PaymentRow; paid: PaymentRow | null; isPartial: boolean }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const head = useHead(row);
  const left = useTimeLeft(row.expiresAt ?? 0);
  const sentence = useSentence(row, head, Math.floor(left / 60_000));
  const date = dateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
  const { profileId, orderNumber } = row;
  return (
    <>
      <div className="verdict-body">
        <p className="verdict-eyebrow quiet tiny medium">{t('verdict.say')}</p>
        <p className="verdict-script">{sentence}</p>
        <p className="verdict-do-not line muted">
          <Ban size={16} aria-hidden="true" />
          <span>
            <strong>{t('verdict.do-not')}</strong> {t(head.doNot)}
          </span>
        </p>
      </div>
      <p className="verdict-row">
        <span className="verdict-key">{t('customer.about')}</span>
        <span className="customer-about">
          <StatusBadge state={head} />
          <Money {...head.money} />
          <span className="break">{row.description}</span>
          <Link className="code break" href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
            {inLine(orderNumber)}
          </Link>
        </span>
      </p>
      {/* Of some of the payments nothing can be said about all. */}
      {paid === null && isPartial ? null : (
        <p className="verdict-row">
          <span className="verdict-key">{t('customer.last-paid')}</span>
          <span>
            {paid === null
              ? t('customer.last-paid.none')
              : t('customer.last-paid.on', {
                  amount: moneyOf(paid, locale),
                  date: date.format(paid.paidAt ?? paid.firstAt),
                })}
          </span>
        </p>
      )}
    </>
  );
};

/** Who the customer is, since when, and what to say. */
export const CustomerHead = ({ customer }: { customer: Customer }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { name, email, phone, payments, more } = customer;
  const second = useClock(({ wallClock }) => Math.floor(wallClock / 1000) * 1000);
  const row = relevantPayment(payments, second);
  const oldest = payments.at(-1);
  const date = dateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
  const title = name ?? email ?? phone ?? '';
  return (
    <section className="verdict customer-head" aria-label={t('customer')}>
      <div className="verdict-head">
        <h2 className="customer-name break">
          <CopyText name={t('new.customer.name')} text={title} />
        </h2>
        {oldest === undefined || more ? null : (
          <span className="verdict-since muted text-end small">
            {t('customer.since', { date: date.format(oldest.firstAt) })}
          </span>
        )}
        <span className="customer-reach row wrap small">
          {email === null || email === title ? null : (
            <CopyText name={t('new.customer.email')} text={email} />
          )}
          {phone === null || phone === title ? null : (
            <CopyText name={t('new.customer.phone')} text={phone} />
          )}
        </span>
      </div>
      {row === null ? null : <Say row={row} paid={lastPaid(payments)} isPartial={more} />}
    </section>
  );
};
