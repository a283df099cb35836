import type { MessageKey } from '../../shared/messages/message.ts';
import { outcomes, raisedOf, type OutcomeCounts } from '../../shared/payments/outcomes.ts';
import type { CurrencyOverview, Figures, Overview } from '../../shared/reports/overview.ts';
import { named, type ReportContext } from './report-context.ts';
import {
  countCell,
  dayCell,
  headingOf,
  sheetOf,
  strong,
  textCell,
  wireCell,
  type Sheet,
  type SheetCell,
} from './sheet.ts';

/** The overview's figures as tables: of each currency, its days and its people. */

type Head = [id: string, heading: MessageKey, isNumber?: true];

const heads: readonly Head[] = [
  ['currency', 'overview.currency'],
  ['of', 'export.figures.of'],
  ['created', 'export.figures.created', true],
  ...outcomes.map((outcome): Head => [outcome.replaceAll('-', '_'), `overview.outcome.${outcome}`, true]),
  ['created_amount', 'export.figures.created-amount', true],
  ['paid_amount', 'export.figures.paid-amount', true],
  ['returned_amount', 'export.figures.returned-amount', true],
  ['net_amount', 'export.figures.net-amount', true],
];

const counts = (of: OutcomeCounts): SheetCell[] =>
  [raisedOf(of), ...outcomes.map(outcome => of[outcome])].map(countCell);

const rowsOf = (of: CurrencyOverview, context: ReportContext): SheetCell[][] => {
  const { currency } = of;
  const line = (name: SheetCell, { outcomes: counted, ...figures }: Figures): SheetCell[] => [
    textCell(currency),
    name,
    ...counts(counted),
    wireCell(figures.raisedAmount, currency),
    wireCell(figures.paidAmount, currency),
    wireCell(figures.returnedAmount, currency),
    wireCell(figures.netAmount, currency),
  ];
  return [
    strong(line(textCell(named(context, 'total', 'export.totals.total')), of.figures)),
    ...of.days.map(({ from, outcomes: ofDay, paidAmount }): SheetCell[] => [
      textCell(currency),
      dayCell(context.dayOf(from)),
      ...counts(ofDay),
      null,
      wireCell(paidAmount, currency),
      null,
      null,
    ]),
    ...of.agents.map(({ agent, ...figures }) => line(textCell(agent), figures)),
  ];
};

/** One table with a row for each currency, each of its days, and each of its people. */
export const figuresSheet = (overview: Pick<Overview, 'currencies'>, context: ReportContext): Sheet => ({
  ...sheetOf(
    'nav.overview',
    [],
    overview.currencies.flatMap(of => rowsOf(of, context)),
    context,
  ),
  header: heads.map(([id, heading, isNumber = false]) =>
    headingOf(named(context, id, heading), 14, isNumber),
  ),
});
