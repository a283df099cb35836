import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
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
import { hrefOf, type Route } from '../../routes.ts';
import { useText, useNumber, type Translate } from '../../i18n/text.ts';
import { NumberLink } from './number-link.tsx';
import { DataTable, type Column } from '../../components/display/data-table.tsx';

/** The groups of links in the order of every bar and table. */
const inOrder: readonly Outcome[] = ['paid', 'returned', 'not-paid', 'expired', 'open', 'unclear'];

/** The groups to show: links with an unknown result are rare, and have their group only where there are any. */
export const shownOutcomes = (counts: OutcomeCounts): readonly Outcome[] =>
  inOrder.filter(outcome => outcome !== 'unclear' || counts.unclear > 0);

/**
 * A column for each group, whose numbers open their lists. `all`: the counts of all rows together; `shown`: a row's
 * counts, its name for screen readers, and its lists.
 */
const outcomeColumns = <Row,>(
  t: Translate,
  all: OutcomeCounts,
  shown: (row: Row) => {
    of: OutcomeCounts;
    name: string;
    list: (states: readonly PaymentState[]) => Route;
  },
): Readonly<Record<string, Column<Row>>> =>
  Object.fromEntries(
    shownOutcomes(all).map((outcome): [string, Column<Row>] => {
      const head = t(`overview.outcome.${outcome}`);
      return [
        `outcome-${outcome}`,
        {
          head,
          cell: row => {
            const { of, name, list } = shown(row);
            return (
              <NumberLink count={of[outcome]} name={`${head}, ${name}`} to={list(outcomeStates[outcome])} />
            );
          },
        },
      ];
    }),
  );

/** One line of numbers: an agent's, or a currency's. */
export type FiguresRow = Figures & {
  name: string;
  mark?: ReactNode;
  list: (states: readonly PaymentState[]) => Route;
};

/** The share of a row's links that were paid, which opens their list. */
const Conversion = ({ row }: { row: FiguresRow }) => {
  const t = useText();
  const share = useNumber({ style: 'percent', maximumFractionDigits: 1 });
  const { converted } = row;
  const raised = raisedOf(row.outcomes);
  if (converted === 0) return <span className="quiet">{raised === 0 ? '–' : share(0)}</span>;
  return (
    <Link
      href={hrefOf(row.list(convertedStates))}
      className="number-link muted"
      aria-label={`${share(converted / raised)} ${t('overview.conversion')}, ${row.name}: ${t('overview.conversion.text', { converted, raised })}`}
    >
      {share(converted / raised)}
    </Link>
  );
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
            ...outcomeColumns(t, all, (row: FiguresRow) => ({
              of: row.outcomes,
              name: row.name,
              list: row.list,
            })),
            conversion: { head: t('overview.conversion'), cell: row => <Conversion row={row} /> },
          }}
        />
      </div>
    </section>
  );
};
