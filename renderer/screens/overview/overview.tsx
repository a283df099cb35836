import '../../styles/overview.css';
import { ChartNoAxesColumn, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty } from '../../components/display/note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import type { Period } from '../../../shared/reports/periods.ts';
import { ExportButton } from '../export/export-button.tsx';
import { PeriodPicker } from '../export/period-picker.tsx';
import { useClock } from '../../stores/clock.ts';
import { useActiveProfile } from '../../stores/app-state.ts';
import { followOverview, useOverview } from '../../stores/reports/overview.ts';
import { go, goInPlace } from '../../stores/route.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { Attention } from './attention.tsx';
import { Days } from './days.tsx';
import { FiguresTable } from './figures-table.tsx';
import { listOfElsewhere, listOfLinks } from './links.ts';
import { NumberLink } from './number-link.tsx';
import { OutcomeBars } from './outcome-bars.tsx';
import { Tiles } from './tiles.tsx';

/** Links created in a period and their outcomes, one currency at a time; every number opens its list. */
export const OverviewScreen = ({ period, currency }: { period: Period; currency: string | null }) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const { counted, span, problem } = useOverview();
  const profile = useActiveProfile();
  const profileId = profile?.id ?? null;
  // Links expire and days end by the clock alone.
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000));
  useEffect(
    () => void useOverview.getState().show(profileId, period, minute * 60_000),
    [profileId, period, minute],
  );
  useEffect(() => followOverview(), []);

  const currencies = counted?.currencies ?? [];
  const of =
    currencies.find(one => one.currency === currency) ??
    currencies.find(one => one.currency === profile?.defaultCurrency) ??
    currencies[0];
  return (
    <Screen
      title={t('nav.overview')}
      label={t('nav.overview')}
      lead={t('overview.lead', { profile: profile?.name ?? '' })}
      className="overview"
      actions={
        <>
          <PeriodPicker
            period={period}
            onChange={one => goInPlace({ screen: 'overview', period: one, currency })}
          />
          <ExportButton subject={{ kind: 'figures', period }}>{t('export.open')}</ExportButton>
          <Button
            right="handover"
            icon={<Printer size={16} />}
            onPress={() => go({ screen: 'handover-note' })}
          >
            {t('nav.handover-note')}
          </Button>
        </>
      }
    >
      {problem ? <ErrorNote error={problem} /> : null}
      {currencies.length > 1 && of ? (
        <div className="line wrap">
          <SegmentedControl
            label={t('overview.currency')}
            options={currencies.map(one => ({ id: one.currency, name: one.currency }))}
            value={of.currency}
            onChange={one => goInPlace({ screen: 'overview', period, currency: one })}
          />
          <span className="small quiet">{t('overview.currency.text')}</span>
        </div>
      ) : null}
      {counted && span && of ? (
        <>
          <Tiles of={of} span={span} />
          <div className="overview-columns">
            {of.days.length > 1 ? (
              <Days days={of.days} currency={of.currency} />
            ) : (
              <OutcomeBars of={of} span={span} />
            )}
            <Attention />
          </div>
          <FiguresTable
            title={t('overview.agents', { currency: of.currency })}
            of={t('overview.agent')}
            rows={of.agents.map(figures => ({
              ...figures,
              name: figures.agent,
              currency: of.currency,
              list: states =>
                listOfLinks(span, states, { currency: of.currency, agent: figures.agent }, language),
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
                currency: one.currency,
                list: states => listOfLinks(span, states, { currency: one.currency }, language),
              }))}
            />
          ) : null}
          <p className="small muted">
            {t('overview.refused')}{' '}
            <NumberLink
              count={of.figures.refused}
              name={t('overview.refused')}
              to={listOfLinks(span, ['refused'], { currency: of.currency }, language)}
            />
            {' · '}
            {t('overview.elsewhere')}{' '}
            <NumberLink
              count={counted.elsewhere}
              name={t('overview.elsewhere')}
              to={listOfElsewhere(span, language)}
            />
          </p>
        </>
      ) : counted && span ? (
        <>
          <Empty icon={<ChartNoAxesColumn size={28} />} title={t('overview.empty')}>
            {t('overview.empty.text')}
          </Empty>
          <Attention />
        </>
      ) : null}
    </Screen>
  );
};
