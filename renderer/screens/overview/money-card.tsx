import { TriangleAlert } from 'lucide-react';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { useClock } from '../../stores/clock-store.ts';
import type { Span } from '../../../shared/reports/periods.ts';
import { useLocaleChoice, useNumber, useText } from '../../i18n/text.ts';
import { changeOf, daysText } from './compared-days.ts';
import { PaidChart } from './paid-chart.tsx';
import { signedMoney } from './plain-amount.ts';

/** The change against as many days before, in words. */
const Change = ({ of, span }: { of: CurrencyMoney; span: Span }) => {
  const t = useText();
  const running = useClock(({ wallClock }) => wallClock >= span.from && wallClock < span.until);
  const change = changeOf(of);
  const share = useNumber({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const days = of.days.length;
  if (change === null)
    return Number(of.figures.paidAmount) > 0 ? (
      <p className="small quiet">{t('overview.change.none', { days })}</p>
    ) : null;
  return (
    <p className="small muted">
      <span className={change > 0 ? 'change ink medium tabular up' : 'change ink medium tabular'}>
        {share(change)}
      </span>{' '}
      {t(running ? 'overview.change.so-far' : 'overview.change', { days })}
    </p>
  );
};

/** The money of one currency by the date on which it moved: in total, and day by day as a chart. */
export const MoneyCard = ({ of, span }: { of: CurrencyMoney; span: Span }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { currency, figures, days } = of;
  const nothingRead = figures.uncounted > 0 && Number(figures.paidAmount) === 0;
  const paid = nothingRead ? '–' : signedMoney(figures.paidAmount, currency, locale);
  const returned = signedMoney(figures.returnedAmount, currency, locale);
  return (
    <section className="panel money-card" aria-label={t('overview.money')}>
      <div className="money-head row wrap at-start spread">
        <div className="money-paid">
          <h2 className="tiny quiet">{t('overview.money.paid', { days: daysText(span, locale) })}</h2>
          <p className="money-big bold tabular anywhere">{paid}</p>
          <Change of={of} span={span} />
        </div>
        {figures.uncounted === 0 ? null : (
          <IconButton
            name={t('overview.moved.uncounted', { count: figures.uncounted })}
            icon={<TriangleAlert size={16} className="ink-warn" />}
          />
        )}
        <dl className="money-parts row fixed wrap">
          <div>
            <dt className="tiny quiet">{t('overview.money.returned')}</dt>
            <dd>{returned}</dd>
          </div>
          <div>
            <dt className="tiny quiet">{t('overview.money.net')}</dt>
            <dd>{nothingRead ? '–' : signedMoney(figures.netAmount, currency, locale)}</dd>
          </div>
        </dl>
      </div>
      {days.length === 1 ? null : (
        <>
          <PaidChart of={of} />
          <div className="chart-key line wrap muted tiny">
            <span className="line">
              <span className="chart-swatch paid" aria-hidden="true" />
              {t('overview.key.paid')}
            </span>
            <span className="line">
              <span className="chart-swatch before" aria-hidden="true" />
              {t('overview.before', { days: days.length })}
            </span>
          </div>
        </>
      )}
    </section>
  );
};
