import { msg, type MessageKey } from '../../shared/messages/message.ts';
import { readWire } from '../../shared/money/wire-amount.ts';
import { outcomes, raisedOf, type OutcomeCounts } from '../../shared/payments/outcomes.ts';
import type { CurrencyOverview, Figures, Overview } from '../../shared/reports/overview.ts';
import { amountText } from './columns.ts';
import { csvCell, dialectOf, isoDialect } from './csv.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/** The overview's figures as tables: of each currency, its days and its people. */

type Head = { id: string; heading: MessageKey; isNumber: boolean };

const outcomeHeads: readonly Head[] = outcomes.map(outcome => ({
  id: outcome.replaceAll('-', '_'),
  heading: `overview.outcome.${outcome}`,
  isNumber: true,
}));

const heads: readonly Head[] = [
  { id: 'currency', heading: 'overview.currency', isNumber: false },
  { id: 'of', heading: 'export.figures.of', isNumber: false },
  { id: 'created', heading: 'export.figures.created', isNumber: true },
  ...outcomeHeads,
  { id: 'created_amount', heading: 'export.figures.created-amount', isNumber: true },
  { id: 'paid_amount', heading: 'export.figures.paid-amount', isNumber: true },
  { id: 'returned_amount', heading: 'export.figures.returned-amount', isNumber: true },
  { id: 'net_amount', heading: 'export.figures.net-amount', isNumber: true },
];

const amountCell = (wire: string, currency: string): SheetCell => {
  const size = readWire(wire.replace('-', ''), currency);
  const minor = size !== null && wire.startsWith('-') ? -size : size;
  return minor === null ? { kind: 'text', text: wire } : { kind: 'amount', minor, currency };
};

const counts = (of: OutcomeCounts): SheetCell[] =>
  [raisedOf(of), ...outcomes.map(outcome => of[outcome])].map(count => ({ kind: 'count', count }));

const amounts = (figures: Figures, currency: string): SheetCell[] => [
  amountCell(figures.raisedAmount, currency),
  amountCell(figures.paidAmount, currency),
  amountCell(figures.returnedAmount, currency),
  amountCell(figures.netAmount, currency),
];

const strong = (row: readonly SheetCell[]): SheetCell[] =>
  row.map(cell => cell && { ...cell, isStrong: true });

const rowsOf = (of: CurrencyOverview, context: ReportContext): SheetCell[][] => {
  const { currency } = of;
  const named: SheetCell = { kind: 'text', text: currency };
  const total = context.readers === 'people' ? context.format(msg('export.totals.total')) : 'total';
  return [
    strong([
      named,
      { kind: 'text', text: total },
      ...counts(of.figures.outcomes),
      ...amounts(of.figures, currency),
    ]),
    ...of.days.map(({ from, outcomes: ofDay, paidAmount }): SheetCell[] => [
      named,
      { kind: 'day', day: context.dayOf(from) },
      ...counts(ofDay),
      null,
      amountCell(paidAmount, currency),
      null,
      null,
    ]),
    ...of.agents.map(({ agent, ...figures }): SheetCell[] => [
      named,
      { kind: 'text', text: agent },
      ...counts(figures.outcomes),
      ...amounts(figures, currency),
    ]),
  ];
};

/** One table with a row for each currency, each of its days, and each of its people. */
export const figuresSheet = (overview: Pick<Overview, 'currencies'>, context: ReportContext): Sheet => ({
  name: context.format(msg('nav.overview')),
  header: heads.map(({ id, heading, isNumber }) => {
    const text = context.readers === 'people' ? context.format(msg(heading)) : id;
    return { text, width: Math.max(14, text.length + 4), isNumber };
  }),
  rows: overview.currencies.flatMap(of => rowsOf(of, context)),
  hasFilter: true,
});

const cellText = (cell: SheetCell, context: ReportContext): string => {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return cell.text;
    case 'count':
      return String(cell.count);
    case 'amount':
      return amountText({ kind: 'minor', minor: cell.minor }, cell.currency, context);
    case 'time':
      return new Date(cell.at).toISOString();
    case 'day':
      return cell.day;
  }
};

/** A table as CSV. */
export const figuresCsv = ({ header, rows }: Sheet, context: ReportContext): string => {
  const dialect = context.readers === 'programs' ? isoDialect : dialectOf(context.locale);
  const line = (cells: readonly string[]): string => `${cells.join(dialect.separator)}\r\n`;
  const heads = line(header.map(({ text }) => csvCell(text)));
  const lines = rows.map(row =>
    line(
      row.map(cell => {
        const text = cellText(cell, context);
        return cell?.kind === 'amount' ? text : csvCell(text);
      }),
    ),
  );
  return `\uFEFF${heads}${lines.join('')}`;
};
