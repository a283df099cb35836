import { useRef, useState, type KeyboardEvent } from 'react';
import { useLocale } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { raisedOf, raisedStates } from '../../../shared/payments/outcomes.ts';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useLocaleChoice, useText, useNumber } from '../../i18n/text.ts';
import { dayText, paidBefore, scaleOf } from './compared-days.ts';
import { listOfLinks } from './links.ts';

/** The days before as a dashed line through the middle of each column. */
const LineBefore = ({ of, top }: { of: CurrencyMoney; top: number }) => {
  const points = of.days.flatMap((_, index) => {
    const paid = paidBefore(of, index);
    return paid === null ? [] : [`${index + 0.5},${100 - (Number(paid) / top) * 100}`];
  });
  return (
    <svg
      className="chart-before"
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
export const PaidChart = ({ of }: { of: CurrencyMoney }) => {
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
    <div className="chart">
      <div className="chart-lines tiny" aria-hidden="true">
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
                <span className="column-tooltip" aria-hidden="true">
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
