import { TriangleAlert } from 'lucide-react';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { useClock } from '../../stores/clock-store.ts';
import type { Span } from '../../../shared/reports/periods.ts';
import { useLocaleChoice, useNumber, useText } from '../../i18n/text.ts';
import { changeOf, daysText, dayText, paidBefore, scaleOf } from './compared-days.ts';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useLocale } from 'react-aria-components';
import { formatMoney, signedMoney } from '../../../shared/money/format-amount.ts';
import { raisedOf, raisedStates } from '../../../shared/payments/outcomes.ts';
import { hrefOf } from '../../routes.ts';
import { listOfLinks } from './links.ts';

/** The days before as a dashed line through the middle of each column. */
const LineBefore = ({ of, top }: { of: CurrencyMoney; top: number }) => {
  const points = of.days.flatMap((_, index) => {
    const paid = paidBefore(of, index);
    return paid === null ? [] : [`${index + 0.5},${100 - (Number(paid) / top) * 100}`];
  });
  return (
    <svg
      className="chart-before absolute full"
      viewBox={`0 0 ${of.days.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  );
};

/**
 * The money of each day as a bar, with one focus stop: the arrow keys move between days, Enter opens the day's list.
 * The value of a day is in its link's name and beside it while it is hovered or focused.
 */
const PaidChart = ({ of }: { of: CurrencyMoney }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { direction } = useLocale();
  const { days, currency } = of;
  const [chosen, setChosen] = useState(days.length - 1);
  const list = useRef<HTMLOListElement>(null);
  const today = useClock(({ wallClock }) =>
    days.findIndex(({ from, until }) => wallClock >= from && wallClock < until),
  );
  const at = Math.min(chosen, days.length - 1);
  const most = Math.max(...days.map(day => Number(day.paidAmount)), ...of.before.days.map(Number));
  // Without any payment the scale has no values.
  const { top, step } = most > 0 ? scaleOf(most) : { top: 1, step: 1 };
  const lines =
    most > 0 ? Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step) : [0];
  // A label for every day that has room, counted from the last.
  const every = Math.ceil(days.length / 8);
  const compact = useNumber({ notation: 'compact', maximumFractionDigits: 1 });
  const forward = direction === 'rtl' ? -1 : 1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      ArrowLeft: at - forward,
      ArrowRight: at + forward,
      Home: 0,
      End: days.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || to < 0 || to >= days.length) return;
    event.preventDefault();
    setChosen(to);
    list.current?.querySelectorAll('a')[to]?.focus();
  };
  return (
    <div className="chart relative">
      <div className="chart-lines absolute tiny" aria-hidden="true">
        {lines.map(value => (
          <div key={value} style={{ insetBlockEnd: `${(value / top) * 100}%` }}>
            <span>{compact(value)}</span>
          </div>
        ))}
      </div>
      <ol className="chart-days row relative" ref={list} aria-label={t('overview.key.paid')}>
        {days.map((day, index) => {
          const raised = raisedOf(day.outcomes);
          const before = paidBefore(of, index);
          const daysLater = days.length - 1 - index;
          const name = dayText(day.from, locale, true);
          const paid = formatMoney(day.paidAmount, currency, locale);
          const links = t('overview.day.links', {
            paid: day.converted,
            raised,
            returned: day.converted - day.outcomes.paid,
          });
          const compared =
            before === null
              ? null
              : t('overview.day.before', {
                  amount: formatMoney(before, currency, locale),
                  days: days.length,
                });
          return (
            <li key={day.from}>
              <a
                href={hrefOf(listOfLinks(day, raisedStates, { currency }, language))}
                className={`column row relative to-middle ${index < days.length / 2 ? 'early' : 'late'} ${index === today ? 'today' : ''}`}
                tabIndex={index === at ? 0 : -1}
                aria-label={[t('overview.day.paid', { day: name, amount: paid }), links, compared]
                  .filter(Boolean)
                  .join(', ')}
                onFocus={() => setChosen(index)}
                onKeyDown={onKeyDown}
              >
                <span
                  className="column-bar"
                  style={{ blockSize: `${(Number(day.paidAmount) / top) * 100}%` }}
                  aria-hidden="true"
                />
                <span
                  className="column-tooltip absolute row edged rounded shadow-2 ink tiny tabular"
                  aria-hidden="true"
                >
                  <span className="quiet">{name}</span>
                  <b>{paid}</b>
                  <span>{links}</span>
                  {compared === null ? null : <span className="quiet">{compared}</span>}
                </span>
              </a>
              <span
                className={`column-day row to-middle quiet nowrap tiny ${daysLater % (every * 3) === 0 ? '' : 'minor'}`}
                aria-hidden="true"
              >
                {daysLater % every === 0 ? <span>{dayText(day.from, locale, false)}</span> : null}
              </span>
            </li>
          );
        })}
        <LineBefore of={of} top={top} />
      </ol>
    </div>
  );
};

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
        <div className="money-paid min-0">
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
