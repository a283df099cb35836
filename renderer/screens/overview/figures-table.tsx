import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import {
  convertedStates,
  noOutcomes,
  outcomes,
  raisedOf,
  raisedStates,
} from '../../../shared/payments/outcomes.ts';
import type { Figures } from '../../../shared/reports/overview.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { hrefOf, type Route } from '../../routes.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { NumberLink } from './number-link.tsx';
import { OutcomeCells, OutcomeHeads } from './outcome-columns.tsx';
import { plainAmount } from './plain-amount.ts';

/** One line of numbers: an agent's, or a currency's. */
export type FiguresRow = Figures & {
  name: string;
  mark?: ReactNode;
  list: (states: readonly PaymentState[]) => Route;
};

/** Numbers in lines, without a sum: `title` names the lines. */
export const FiguresTable = ({
  title,
  of,
  paidHead,
  rows,
  note,
}: {
  title: string;
  /** The subject of each line. */
  of: string;
  /** The head of the paid amounts, with their currency if it is one. */
  paidHead: string;
  rows: readonly FiguresRow[];
  note?: ReactNode;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const all = noOutcomes();
  for (const row of rows) for (const outcome of outcomes) all[outcome] += row.outcomes[outcome];
  return (
    <section className="panel flush bare" aria-label={title}>
      <header className="wrap">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="small quiet">{note}</span>}
      </header>
      <div className="numbers-frame">
        <table className="figures-table full to-edges collapsed small tabular">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col">{t('overview.created')}</th>
              <OutcomeHeads of={all} />
              <th scope="col">{t('overview.conversion')}</th>
              <th scope="col">{paidHead}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => {
              const raised = raisedOf(row.outcomes);
              return (
                <tr key={row.name}>
                  <th scope="row">
                    <span className="line">
                      {row.mark}
                      {row.name}
                    </span>
                  </th>
                  <td>
                    <NumberLink
                      count={raised}
                      name={`${t('overview.created')}, ${row.name}`}
                      to={row.list(raisedStates)}
                    />
                  </td>
                  <OutcomeCells all={all} of={row.outcomes} name={row.name} list={row.list} />
                  <td>
                    {row.converted === 0 ? (
                      <span className="quiet">{raised === 0 ? '–' : share.format(0)}</span>
                    ) : (
                      <Link
                        href={hrefOf(row.list(convertedStates))}
                        className="number-link muted"
                        aria-label={`${share.format(row.converted / raised)} ${t('overview.conversion')}, ${row.name}: ${t('overview.conversion.text', { converted: row.converted, raised })}`}
                      >
                        {share.format(row.converted / raised)}
                      </Link>
                    )}
                  </td>
                  <td className="strong">
                    {row.uncounted > 0 ? (
                      <span title={t('overview.uncounted', { count: row.uncounted })}>
                        {t('overview.amount-and-unread', {
                          amount: plainAmount(row.paidAmount, locale),
                          count: row.uncounted,
                        })}
                      </span>
                    ) : (
                      plainAmount(row.paidAmount, locale)
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
};
