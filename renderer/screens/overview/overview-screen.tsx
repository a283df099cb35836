import '../../styles/overview/overview.css';
import '../../styles/overview/chart.css';
import '../../styles/overview/lists.css';
import { ChartNoAxesColumn, Plus, Printer } from 'lucide-react';
import { Link } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Initials } from '../../components/display/initials.tsx';
import { Empty } from '../../components/display/note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import type { Period, Span } from '../../../shared/reports/periods.ts';
import { ExportButton } from '../export/export-button.tsx';
import { OthersNote } from '../team/others-note.tsx';
import { PeriodPicker } from '../export/period-picker.tsx';
import { hrefOf } from '../../routes.ts';
import { useActiveProfile } from '../../stores/app-state-store.ts';
import { overviewQuery } from '../../queries/reports.ts';
import { go, goInPlace } from '../../stores/route-store.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { Attention } from './attention.tsx';
import { daysText } from './compared-days.ts';
import { FiguresTable } from './figures-table.tsx';
import { LatestPayments } from './latest-payments.tsx';
import { LinksCard } from './links-card.tsx';
import { listOfElsewhere, listOfLinks } from './links.ts';
import { MoneyCard } from './money-card.tsx';
import { NumberLink } from './number-link.tsx';

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
      {problem ? <ErrorNote error={problem} /> : null}
      {value ? (
        <div className="overview-columns">
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
              icon={<Printer size={16} />}
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
