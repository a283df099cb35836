import '../../styles/overview/overview.css';
import '../../styles/overview/chart.css';
import '../../styles/overview/lists.css';
import { ChartNoAxesColumn, Plus, Printer, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Link } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { PageError, Empty } from '../../components/display/notes.tsx';
import { Initials } from '../../components/display/marks.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import type { Period, Span } from '../../../shared/reports/periods.ts';
import { ExportButton } from '../export/export-button.tsx';
import { OthersNote } from '../team/others-note.tsx';
import { PeriodPicker } from '../export/period-picker.tsx';
import { hrefOf } from '../../routes.ts';
import { useActiveProfile, useActiveProfileId } from '../../stores/app-state-store.ts';
import { overviewQuery } from '../../queries/reports.ts';
import { go, goInPlace } from '../../stores/route-store.ts';
import { useLocaleChoice, useText, useMessage, useNumber, useDay } from '../../i18n/text.ts';
import { daysText } from './compared-days.ts';
import { FiguresTable } from './figures-table.tsx';
import { LinksCard } from './links-card.tsx';
import { listOfElsewhere, listOfLinks } from './links.ts';
import { MoneyCard } from './money-card.tsx';
import { NumberLink } from './number-link.tsx';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Money, clockTime, Truncate } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { ok } from '../../../shared/errors.ts';
import { isAtRest, type ReconciliationCount } from '../../../shared/reports/reconcile.ts';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';
import { useReviewCounts } from '../../queries/review.ts';

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
const Attention = () => {
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
          <h3 className="attention-rest line-above medium tiny quiet">{t('review.information')}</h3>
          <CauseList counts={rest} />
        </>
      )}
    </section>
  );
};

const LatestPayment = ({ row }: { row: PaymentRow }) => {
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const head = useHead(row);
  const at = useClock(({ wallClock }) => clockTime(row.firstAt, locale, wallClock));
  const { profileId, orderNumber, description } = row;
  return (
    <li>
      <Link
        className="latest-link middle tracks ink-inherit small undecorated"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
      >
        <StatusBadge state={head} size={16} wordless />
        <span className="out-of-sight">{say(head.label)}</span>
        <Truncate text={ownCustomer(row)?.name || description || orderNumber} />
        <Money {...head.money} />
        <Truncate
          className="tiny quiet"
          text={ownCustomer(row)?.name ? (description ?? orderNumber) : orderNumber}
        />
        <span className="tiny quiet time">{at}</span>
      </Link>
    </li>
  );
};

/** The payments that began last, of any period and currency. */
const LatestPayments = ({ rows }: { rows: readonly PaymentRow[] }) => {
  const t = useText();
  if (rows.length === 0) return null;
  return (
    <section className="panel flush bare" aria-label={t('overview.latest')}>
      <header>
        <h2>{t('overview.latest')}</h2>
        <Link className="small push" href={hrefOf({ screen: 'payments', view: 'all', words: '' })}>
          {t('overview.latest.all')}
        </Link>
      </header>
      <ul className="latest">
        {rows.map(row => (
          <LatestPayment key={paymentKey(row)} row={row} />
        ))}
      </ul>
    </section>
  );
};

/** The numbers of a period in one currency, and the rows of all currencies. */
const Numbers = ({
  of,
  currencies,
  elsewhere,
  span,
}: {
  of: CurrencyMoney;
  currencies: readonly CurrencyMoney[];
  elsewhere: number;
  span: Span;
}) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const { currency } = of;
  return (
    <>
      <MoneyCard of={of} span={span} />
      <LinksCard of={of} span={span} />
      <FiguresTable
        title={t('overview.agents')}
        of={t('overview.agent')}
        rows={of.agents.map(figures => ({
          ...figures,
          name: figures.agent,
          mark: <Initials name={figures.agent} />,
          list: states => listOfLinks(span, states, { currency, agent: figures.agent }, language),
        }))}
      />
      {currencies.length > 1 ? (
        <FiguresTable
          title={t('overview.currencies')}
          of={t('overview.currency')}
          note={t('overview.currency.text')}
          rows={currencies.map(one => ({
            ...one.figures,
            name: one.currency,
            list: states => listOfLinks(span, states, { currency: one.currency }, language),
          }))}
        />
      ) : null}
      {of.figures.refused + elsewhere === 0 ? null : (
        <p className="small muted">
          {t('overview.refused')}{' '}
          <NumberLink
            count={of.figures.refused}
            name={t('overview.refused')}
            to={listOfLinks(span, ['refused'], { currency }, language)}
          />
          {' · '}
          {t('overview.elsewhere')}{' '}
          <NumberLink count={elsewhere} name={t('overview.elsewhere')} to={listOfElsewhere(span, language)} />
        </p>
      )}
    </>
  );
};

/** The money and the links of a period, one currency at a time; every number opens its list. */
export const OverviewScreen = ({ period, currency }: { period: Period; currency: string | null }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profile = useActiveProfile();
  const { value, problem } = overviewQuery.use({ profileId: profile?.id ?? null, period });
  const currencies = value?.currencies ?? [];
  const of =
    currencies.find(one => one.currency === currency) ??
    currencies.find(one => one.currency === profile?.defaultCurrency) ??
    currencies[0];
  return (
    <Screen
      title={t('nav.overview')}
      label={t('nav.overview')}
      {...(currencies.length > 1 && of
        ? {
            lead: (
              <SegmentedControl
                label={t('overview.currency')}
                options={currencies.map(one => ({ id: one.currency, name: one.currency }))}
                value={of.currency}
                onChange={one => goInPlace({ screen: 'overview', period, currency: one })}
              />
            ),
          }
        : {})}
      className="overview"
      actions={
        <>
          <PeriodPicker
            period={period}
            onChange={one => goInPlace({ screen: 'overview', period: one, currency })}
          />
          <ExportButton subject={{ kind: 'figures', period }}>{t('export.open')}</ExportButton>
        </>
      }
    >
      <OthersNote />
      <PageError error={problem} isEmpty={value === null} />
      {value ? (
        <div className="overview-columns tracks to-top">
          <div className="overview-main">
            {of ? (
              <Numbers of={of} currencies={currencies} elsewhere={value.elsewhere} span={value.span} />
            ) : (
              <section className="panel">
                <Empty
                  icon={<ChartNoAxesColumn size={28} />}
                  title={t('overview.empty', { days: daysText(value.span, locale) })}
                  action={
                    <Link className="button primary" href={hrefOf({ screen: 'new' })}>
                      <Plus size={16} aria-hidden="true" />
                      {t('nav.new')}
                    </Link>
                  }
                >
                  {t('overview.empty.text')}
                </Empty>
              </section>
            )}
          </div>
          <aside className="overview-side" aria-label={t('overview.side')}>
            <Attention />
            <LatestPayments rows={value.latest} />
            <Button
              request="payments.handoverNote"
              icon={Printer}
              onPress={() => go({ screen: 'handover-note' })}
            >
              {t('nav.handover-note')}
            </Button>
          </aside>
        </div>
      ) : null}
    </Screen>
  );
};
