import { getLocalTimeZone } from '@internationalized/date';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useLocale } from 'react-aria-components';
import {
  outcomes,
  outcomeStates,
  raisedOf,
  raisedStates,
  type Outcome,
  type OutcomeCounts,
} from '../../../shared/payments/outcomes.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import { hrefOf } from '../../routes.ts';
import { useOverview } from '../../stores/reports/overview.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import { listOfLinks } from './links.ts';
import { NumberLink } from './number-link.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

type Day = CurrencyOverview['days'][number];

/**
 * The segments of a column from the bottom up; each has a distinct pattern, so that they differ by more than colour.
 */
const series = {
  paid: ['paid'],
  returned: ['returned'],
  open: ['open', 'unclear'],
  unpaid: ['not-paid', 'expired'],
} as const satisfies Record<string, readonly Outcome[]>;
type Series = keyof typeof series;
const seriesInOrder = Object.keys(series) as Series[];

const countOf = (counts: OutcomeCounts, of: Series): number =>
  series[of].reduce((sum, outcome) => sum + counts[outcome], 0);

/** The lowest round number above all columns that can be halved: 2, 4, 6, 8, 10, 20, 40… */
const topOf = (most: number): number => {
  for (let unit = 1; ; unit *= 10)
    for (const step of [2, 4, 6, 8, 10]) if (step * unit >= most) return step * unit;
};

const dayText = (at: number, locale: string, long: boolean): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: getLocalTimeZone(),
    ...(long ? { weekday: 'short' } : {}),
  }).format(at);

/** A column for each day, with one focus stop: the arrow keys move between days, Enter opens the day's list. */
const Columns = ({ days, currency }: { days: readonly Day[]; currency: string }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const [chosen, setChosen] = useState(days.length - 1);
  const list = useRef<HTMLOListElement>(null);
  const at = Math.min(chosen, days.length - 1);
  const top = topOf(Math.max(1, ...days.map(day => raisedOf(day.outcomes))));
  // A label for every day that has room, counted from today.
  const every = Math.ceil(days.length / 10);
  const number = new Intl.NumberFormat(locale);
  const { direction } = useLocale();
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
    <div className="columns">
      <div className="columns-scale tiny quiet" aria-hidden="true">
        <span>{number.format(top)}</span>
        <span>{number.format(top / 2)}</span>
        <span>0</span>
      </div>
      <ol className={`columns-days ${every === 1 ? 'few' : ''}`} ref={list} aria-label={t('overview.days')}>
        {days.map((day, index) => {
          const raised = raisedOf(day.outcomes);
          const description = t('overview.day.summary', {
            day: dayText(day.from, locale, true),
            raised,
            paid: day.outcomes.paid,
            back: day.outcomes.returned,
            open: countOf(day.outcomes, 'open'),
            unpaid: countOf(day.outcomes, 'unpaid'),
          });
          return (
            <li key={day.from}>
              <a
                href={hrefOf(listOfLinks(day, raisedStates, { currency }, language))}
                className={`column ${index < days.length / 2 ? 'early' : 'late'}`}
                tabIndex={index === at ? 0 : -1}
                aria-label={description}
                onFocus={() => setChosen(index)}
                onKeyDown={onKeyDown}
              >
                <span className="column-stack" aria-hidden="true">
                  {seriesInOrder.map(of => (
                    <span
                      key={of}
                      className={`series ${of}`}
                      style={{ blockSize: `${(countOf(day.outcomes, of) / top) * 100}%` }}
                    />
                  ))}
                </span>
                <span className="column-tooltip tooltip" aria-hidden="true">
                  {description}
                </span>
              </a>
              <span className="column-day tiny quiet" aria-hidden="true">
                {(days.length - 1 - index) % every === 0 ? dayText(day.from, locale, false) : ''}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
};

const Numbers = ({ days, currency }: { days: readonly Day[]; currency: string }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  return (
    <div className="numbers-frame">
      <table className="figures-table">
        <thead>
          <tr>
            <th scope="col">{t('overview.day')}</th>
            <th scope="col">{t('overview.created')}</th>
            {outcomes.map(outcome => (
              <th key={outcome} scope="col">
                <OutcomeMark outcome={outcome} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(day => {
            const name = dayText(day.from, locale, true);
            return (
              <tr key={day.from}>
                <th scope="row">{name}</th>
                <td>
                  <NumberLink
                    count={raisedOf(day.outcomes)}
                    name={`${t('overview.created')}, ${name}`}
                    to={listOfLinks(day, raisedStates, { currency }, language)}
                  />
                </td>
                {outcomes.map(outcome => (
                  <td key={outcome}>
                    <NumberLink
                      count={day.outcomes[outcome]}
                      name={`${t(`overview.outcome.${outcome}`)}, ${name}`}
                      to={listOfLinks(day, outcomeStates[outcome], { currency }, language)}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

/** Outcomes day by day: stacked columns, or the same numbers as a table. */
export const Days = ({ days, currency }: { days: readonly Day[]; currency: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { as, showAs } = useOverview();
  const busiest = days.reduce<Day | null>(
    (most, day) => (raisedOf(day.outcomes) > (most ? raisedOf(most.outcomes) : 0) ? day : most),
    null,
  );
  return (
    <section className="panel" aria-label={t('overview.days')}>
      <header className="line spread wrap">
        <h2>{t('overview.days')}</h2>
        <SegmentedControl
          label={t('overview.as')}
          options={(['chart', 'table'] as const).map(one => ({ id: one, name: t(`overview.as.${one}`) }))}
          value={as}
          onChange={showAs}
        />
      </header>
      {as === 'table' ? (
        <Numbers days={days} currency={currency} />
      ) : (
        <>
          <Columns days={days} currency={currency} />
          <div className="line wrap spread legend small">
            <span className="line wrap">
              {seriesInOrder.map(of => (
                <span key={of} className="line">
                  <span className={`swatch series ${of}`} aria-hidden="true" />
                  {t(`overview.series.${of}`)}
                </span>
              ))}
            </span>
            {busiest ? (
              <span className="quiet">
                {t('overview.busiest', {
                  day: dayText(busiest.from, locale, true),
                  raised: raisedOf(busiest.outcomes),
                  paid: busiest.outcomes.paid,
                })}
              </span>
            ) : null}
          </div>
        </>
      )}
    </section>
  );
};
