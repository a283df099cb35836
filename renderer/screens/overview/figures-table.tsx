import type { ReactNode } from 'react';
import {
  convertedStates,
  noOutcomes,
  outcomes,
  raisedOf,
  raisedStates,
  outcomeStates,
  type Outcome,
  type OutcomeCounts,
} from '../../../shared/payments/outcomes.ts';
import type { Figures } from '../../../shared/reports/overview.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import type { Route } from '../../routes.ts';
import { useText } from '../../i18n/text.ts';
import { ConversionLink, NumberLink } from './number-link.tsx';
import { DataTable, type Column } from '../../components/display/data-table.tsx';

/** The groups of links in the order of every bar and table. */
const inOrder: readonly Outcome[] = ['paid', 'returned', 'not-paid', 'expired', 'open', 'unclear'];

/** The groups to show: links with an unknown result are rare, and have their group only where there are any. */
export const shownOutcomes = (counts: OutcomeCounts): readonly Outcome[] =>
  inOrder.filter(outcome => outcome !== 'unclear' || counts.unclear > 0);

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
  const all = noOutcomes();
  for (const row of rows) for (const outcome of outcomes) all[outcome] += row.outcomes[outcome];
  return (
    <section className="panel flush bare" aria-label={title}>
      <header className="wrap">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="small quiet">{note}</span>}
      </header>
      <div className="numbers-frame scrolls">
        <DataTable
          className="figures-table full to-edges collapsed small tabular"
          rows={rows}
          keyOf={({ name }) => name}
          columns={{
            name: {
              head: of,
              isName: true,
              cell: ({ mark, name }) => (
                <span className="line">
                  {mark}
                  {name}
                </span>
              ),
            },
            created: {
              head: t('overview.created'),
              cell: row => (
                <NumberLink
                  count={raisedOf(row.outcomes)}
                  name={`${t('overview.created')}, ${row.name}`}
                  to={row.list(raisedStates)}
                />
              ),
            },
            ...Object.fromEntries(
              shownOutcomes(all).map((outcome): [string, Column<FiguresRow>] => {
                const head = t(`overview.outcome.${outcome}`);
                const cell = ({ outcomes: counts, name, list }: FiguresRow) => (
                  <NumberLink
                    count={counts[outcome]}
                    name={`${head}, ${name}`}
                    to={list(outcomeStates[outcome])}
                  />
                );
                return [outcome, { head, cell }];
              }),
            ),
            conversion: {
              head: t('overview.conversion'),
              cell: row => (
                <ConversionLink
                  figures={row}
                  name={`${t('overview.conversion')}, ${row.name}`}
                  to={row.list(convertedStates)}
                  className="muted"
                />
              ),
            },
          }}
        />
      </div>
    </section>
  );
};
