import { raisedOf, raisedStates } from '../../../shared/payments/outcomes.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { dayText, paidBefore } from './compared-days.ts';
import { listOfLinks } from './links.ts';
import { outcomeColumns } from './outcome-columns.tsx';
import { plainAmount } from './plain-amount.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { NumberLink } from './number-link.tsx';

/** The numbers of the chart, the latest day first. */
export const DaysTable = ({ of }: { of: CurrencyOverview }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { days, currency, figures } = of;
  const nameOf = ({ from }: { from: number }): string => dayText(from, locale, true);
  return (
    <div className="numbers-frame">
      <DataTable
        className="figures-table full to-edges collapsed small tabular"
        label={t('overview.key.paid')}
        rows={days.map((day, index) => ({ ...day, before: paidBefore(of, index) })).toReversed()}
        keyOf={({ from }) => String(from)}
        columns={{
          day: { head: t('overview.day'), cell: day => nameOf(day), isName: true },
          paid: {
            head: t('overview.paid-amount', { currency }),
            cell: day => plainAmount(day.paidAmount, locale),
            className: 'strong',
          },
          before: {
            head: t('overview.before', { days: days.length }),
            cell: ({ before }) => (before === null ? '–' : plainAmount(before, locale)),
            className: 'quiet',
          },
          created: {
            head: t('overview.created'),
            cell: day => (
              <NumberLink
                count={raisedOf(day.outcomes)}
                name={`${t('overview.created')}, ${nameOf(day)}`}
                to={listOfLinks(day, raisedStates, { currency }, language)}
              />
            ),
          },
          ...outcomeColumns(t, figures.outcomes, (day: CurrencyOverview['days'][number]) => ({
            of: day.outcomes,
            name: nameOf(day),
            list: states => listOfLinks(day, states, { currency }, language),
          })),
        }}
      />
    </div>
  );
};
