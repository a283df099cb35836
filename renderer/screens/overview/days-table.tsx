import { raisedOf, raisedStates } from '../../../shared/payments/outcomes.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { dayText, paidBefore } from './compared-days.ts';
import { listOfLinks } from './links.ts';
import { OutcomeCells, OutcomeHeads } from './outcome-columns.tsx';
import { plainAmount } from './plain-amount.ts';
import { NumberLink } from './number-link.tsx';

/** The numbers of the chart, the latest day first. */
export const DaysTable = ({ of }: { of: CurrencyOverview }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { days, currency, figures } = of;
  return (
    <div className="numbers-frame">
      <table
        className="figures-table full to-edges collapsed small tabular"
        aria-label={t('overview.key.paid')}
      >
        <thead>
          <tr>
            <th scope="col">{t('overview.day')}</th>
            <th scope="col">{t('overview.paid-amount', { currency })}</th>
            <th scope="col">{t('overview.before', { days: days.length })}</th>
            <th scope="col">{t('overview.created')}</th>
            <OutcomeHeads of={figures.outcomes} />
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, index) => ({ day, before: paidBefore(of, index) }))
            .toReversed()
            .map(({ day, before }) => {
              const name = dayText(day.from, locale, true);
              return (
                <tr key={day.from}>
                  <th scope="row">{name}</th>
                  <td className="strong">{plainAmount(day.paidAmount, locale)}</td>
                  <td className="quiet">{before === null ? '–' : plainAmount(before, locale)}</td>
                  <td>
                    <NumberLink
                      count={raisedOf(day.outcomes)}
                      name={`${t('overview.created')}, ${name}`}
                      to={listOfLinks(day, raisedStates, { currency }, language)}
                    />
                  </td>
                  <OutcomeCells
                    all={figures.outcomes}
                    of={day.outcomes}
                    name={name}
                    list={states => listOfLinks(day, states, { currency }, language)}
                  />
                </tr>
              );
            })}
        </tbody>
      </table>
    </div>
  );
};
