import { inLine } from '../../../shared/plain-text.ts';
import { Panel } from '../../components/display/panel.tsx';
import '../../styles/screens/customer.css';
import { useEffect, useState } from 'react';
import { CircleStop, UserRound, Check, Copy, RotateCcw } from 'lucide-react';
import { Link } from 'react-aria-components';
import { sameKey, type PaymentKey, paymentKey } from '../../../shared/payments/payment-row.ts';
import { Button } from '../../components/controls/button.tsx';
import { Crumb, Screen } from '../../components/display/screen.tsx';
import { ErrorNote, PageError, Empty, Note } from '../../components/display/notes.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { dateFormat, useLocaleChoice, useText } from '../../i18n/text.ts';
import { paymentQuery } from '../../queries/payment.ts';
import { hrefOf } from '../../routes.ts';
import { customerQuery, followErasure, useCustomer, type Customer } from '../../queries/customer.ts';
import { go } from '../../stores/route-store.ts';
import { CustomerActions, CustomerHead } from './customer-head.tsx';
import { CustomerPayments, Candidates, Spellings } from './customer-panels.tsx';
import type { AppError } from '../../../shared/errors.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { Money, Countdown, Time, clockTime, Truncate } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { DuplicateQuestion } from '../new-payment/duplicate-question.tsx';
import { linksOf } from './relevant-payment.ts';
import { amountWithout } from '../../../shared/money/wire-amount.ts';

/** The notes of all of the customer's payments, newest first. */
const CustomerNotes = ({ notes, profileId }: { notes: Customer['notes']; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  if (notes.length === 0) return null;
  return (
    <Panel title={t('customer.notes')}>
      <ul className="named-entries no-padding no-margin no-bullets spellings">
        {notes.map(({ orderNumber, text, agent, at }) => (
          <li key={`${orderNumber} ${at} ${agent}`} className="customer-note small">
            <p className="break">{text}</p>
            <p className="tiny quiet">
              {agent}, {clockTime(at, locale, now)} ·{' '}
              <Link className="code break" href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
                {inLine(orderNumber)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
};

/** The customer's money, each currency for itself: amounts of two currencies are never added. */
const CustomerTotals = ({ sums }: { sums: Customer['sums'] }) => {
  const t = useText();
  if (sums.length === 0) return null;
  return (
    <Panel title={t('customer.totals')}>
      {sums.map(({ currency, links, open, paid, paidAmount, refundedAmount, uncounted }) => (
        <div key={currency} className="customer-total">
          <dl className="customer-sums tracks small">
            <dt>{t('overview.moved.paid')}</dt>
            <dd>
              <Money amount={paidAmount} currency={currency} />
            </dd>
            {Number(refundedAmount) === 0 ? null : (
              <>
                <dt>{t('column.refunded')}</dt>
                <dd>
                  <Money amount={refundedAmount} currency={currency} />
                </dd>
                <dt>{t('column.net')}</dt>
                <dd>
                  <Money amount={amountWithout(paidAmount, [refundedAmount])} currency={currency} />
                </dd>
              </>
            )}
          </dl>
          <p className="tiny quiet">{t('customer.totals.counts', { paid, links, open })}</p>
          {uncounted === 0 ? null : (
            <p className="tiny muted">{t('customer.totals.uncounted', { count: uncounted })}</p>
          )}
        </div>
      ))}
    </Panel>
  );
};

const CustomerLink = ({ row }: { row: PaymentRow }) => {
  const t = useText();
  const { busy, done, copyLink, createLink } = useCustomer();
  const head = useHead(row);
  const isLive = useClock(({ wallClock }) => isLinkLive(row, wallClock));
  const { profileId, orderNumber } = row;
  const isCopied = done?.kind === 'copied' && done.orderNumber === orderNumber;
  const open = (): void => go({ screen: 'payment', profileId, orderNumber });
  const [question, setQuestion] = useState<AppError | null>(null);
  const newLink = async (allowSameIntent: boolean): Promise<void> => {
    setQuestion(null);
    const created = await createLink(row, allowSameIntent);
    setQuestion(created.question);
    if (created.hasLink) open();
  };
  return (
    <li className="customer-link middle tracks gap-1-4 small">
      <StatusBadge state={head} />
      <Money {...shownMoney(row)} />
      <span className="customer-link-words stack gap-0 min-0">
        <Truncate text={row.description ?? orderNumber} />
        <span className="tiny quiet">
          {isLive && row.expiresAt !== null ? (
            <>
              {t('link.works-for')} <Countdown expiresAt={row.expiresAt} />
            </>
          ) : (
            <>
              {t('state.expired')} <Time at={row.expiresAt ?? row.since} />
            </>
          )}
        </span>
      </span>
      <span className="customer-link-actions row gap-2 wrap">
        {isLive ? (
          <Button
            request="payments.shareLink"
            size="small"
            icon={isCopied ? Check : Copy}
            isPending={busy === 'copying'}
            onPress={() => void copyLink(row)}
          >
            {t(isCopied ? 'copied' : 'link.copy')}
            <span className="out-of-sight"> {inLine(orderNumber)}</span>
          </Button>
        ) : (
          <Button
            request="payments.create"
            size="small"
            variant="primary"
            icon={RotateCcw}
            isPending={busy === 'linking'}
            onPress={() => void newLink(false)}
          >
            {t('customer.new-link')}
            <span className="out-of-sight"> {inLine(orderNumber)}</span>
          </Button>
        )}
        <Link className="button plain small" href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
          {t('payment.open')}
          <span className="out-of-sight"> {inLine(orderNumber)}</span>
        </Link>
      </span>
      {question === null ? null : (
        <DuplicateQuestion
          error={question}
          profileId={profileId}
          onAllow={() => void newLink(true)}
          onClose={() => setQuestion(null)}
        />
      )}
    </li>
  );
};

/** The links that the customer can pay now, and the last one if it has expired: the first thing a caller needs. */
const CustomerLinks = ({ rows }: { rows: readonly PaymentRow[] }) => {
  const t = useText();
  const second = useClock(({ wallClock }) => Math.floor(wallClock / 1000) * 1000);
  const shown = linksOf(rows, second);
  const isCopied = useCustomer(({ done }) => done?.kind === 'copied');
  if (shown.length === 0) return null;
  return (
    <Panel title={t('open-links.name')} className="flush">
      <ul className="customer-links">
        {shown.map(row => (
          <CustomerLink key={paymentKey(row)} row={row} />
        ))}
      </ul>
      <output className="out-of-sight">{isCopied ? t('link-shared.copy') : ''}</output>
    </Panel>
  );
};

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
        <Button icon={CircleStop} onPress={stopErasing}>
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
      before={<Crumb />}
      {...(shown === null ? {} : { actions: <CustomerActions customer={shown} profileId={profileId} /> })}
    >
      <div className="stack">
        {isCurrent ? <Erasing /> : null}
        {isCurrent ? <DoneNote /> : null}
        <PageError error={isCurrent ? actionProblem : null} />
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
