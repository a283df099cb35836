import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import {
  convertedStates,
  outcomes,
  outcomeStates,
  raisedOf,
  raisedStates,
} from '../../../shared/payments/outcomes.ts';
import type { Figures } from '../../../shared/reports/overview.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { durationText } from '../../components/display/duration.ts';
import { Money } from '../../components/display/money.tsx';
import { hrefOf, type Route } from '../../routes.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { NumberLink } from './number-link.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

/** One line of numbers: an agent's, or a currency's. */
export type FiguresRow = Figures & {
  name: string;
  currency: string;
  list: (states: readonly PaymentState[]) => Route;
};

/** Numbers in lines, without a sum: `title` names the lines. */
export const FiguresTable = ({
  title,
  of,
  rows,
  note,
}: {
  title: string;
  /** The subject of each line. */
  of: string;
  rows: readonly FiguresRow[];
  note?: ReactNode;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <section className="panel" aria-label={title}>
      <header className="line spread wrap">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="small quiet">{note}</span>}
      </header>
      <div className="numbers-frame">
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col">{t('overview.created')}</th>
              {outcomes.map(outcome => (
                <th key={outcome} scope="col">
                  <OutcomeMark outcome={outcome} />
                </th>
              ))}
              <th scope="col">{t('overview.conversion')}</th>
              <th scope="col">{t('overview.median')}</th>
              <th scope="col">{t('overview.paid-amount')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => {
              const raised = raisedOf(row.outcomes);
              return (
                <tr key={row.name}>
                  <th scope="row">{row.name}</th>
                  <td>
                    <NumberLink
                      count={raised}
                      name={`${t('overview.created')}, ${row.name}`}
                      to={row.list(raisedStates)}
                    />
                  </td>
                  {outcomes.map(outcome => (
                    <td key={outcome}>
                      <NumberLink
                        count={row.outcomes[outcome]}
                        name={`${t(`overview.outcome.${outcome}`)}, ${row.name}`}
                        to={row.list(outcomeStates[outcome])}
                      />
                    </td>
                  ))}
                  <td>
                    {row.converted === 0 ? (
                      <span className="quiet">{raised === 0 ? '–' : share.format(0)}</span>
                    ) : (
                      <Link
                        href={hrefOf(row.list(convertedStates))}
                        className="number-link"
                        aria-label={`${share.format(row.converted / raised)} ${t('overview.conversion')}, ${row.name}: ${t('overview.conversion.text', { converted: row.converted, raised })}`}
                      >
                        {share.format(row.converted / raised)}
                      </Link>
                    )}
                  </td>
                  <td>{row.medianToPay === null ? '–' : durationText(row.medianToPay, locale)}</td>
                  <td>
                    <Money amount={row.paidAmount} currency={row.currency} />
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
