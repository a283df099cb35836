import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { netOf, totalsCounter, type CurrencyTotals, type Totals } from './books.ts';
import { headingOf, textOf, type Column } from './columns.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

const cellOf = <R extends PaymentRow>(column: Column<R>, row: R, context: ReportContext): SheetCell => {
  const asText = (): SheetCell => {
    const text = textOf(column, row, context);
    return text === '' ? null : { kind: 'text', text };
  };
  if (column.kind === 'text') return asText();
  if (column.kind === 'time') {
    const at = column.at(row, context);
    return at === null ? null : { kind: 'time', at, zone: column.zone === 'UTC' ? 'UTC' : context.zone };
  }
  const amount = column.amount(row, context);
  return amount?.kind === 'minor'
    ? { kind: 'amount', minor: amount.minor, currency: row.currency ?? '' }
    : asText();
};

/** One row of cells for each payment. */
export const paymentCells = <R extends PaymentRow>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  context: ReportContext,
): Sheet['rows'] => rows.map(row => columns.map(column => cellOf(column, row, context)));

/** The columns up to the state are what an accountant prints; the others are for filters. */
const printedOf = (ids: readonly string[]): number => ids.indexOf('state') + 1 || ids.length;

/** A sheet of payments or of their movements, with its headings and no row yet. */
export const emptySheet = <R extends PaymentRow>(
  name: 'export.sheet.payments' | 'export.sheet.movements',
  columns: readonly Column<R>[],
  context: ReportContext,
): Sheet => ({
  name: context.format(msg(name)),
  header: columns.map(column => ({
    text: headingOf(column, context),
    width: Math.max(column.width, headingOf(column, context).length + 4),
    isNumber: column.kind === 'amount',
  })),
  rows: [],
  hasFilter: true,
  printedColumns: printedOf(columns.map(({ id }) => id)),
});

/** What moved, by currency and day. */
export const totalsOf = (rows: Iterable<PaymentRow>, context: ReportContext): CurrencyTotals[] => {
  const counter = totalsCounter(context.period, context.dayOf);
  for (const row of rows) counter.add(row);
  return counter.read();
};

const totalsHeader: readonly [heading: MessageKey, width: number, isNumber: boolean][] = [
  ['overview.currency', 10, false],
  ['export.totals.day', 14, false],
  ['export.totals.payments', 12, true],
  ['export.column.paid', 15, true],
  ['export.totals.returns', 14, true],
  ['export.column.refunded', 15, true],
  ['export.column.disputed', 15, true],
  ['export.column.net', 15, true],
  ['export.totals.outside-net', 15, true],
  ['export.totals.not-counted', 14, true],
];

/** The sums: of each currency first, then its days. */
export const totalsSheet = (totals: readonly CurrencyTotals[], { format }: ReportContext): Sheet => {
  const line = (currency: string, day: SheetCell, of: Totals, isStrong: boolean): SheetCell[] => {
    const amount = (minor: bigint): SheetCell => ({ kind: 'amount', minor, currency, isStrong });
    const count = (number: number): SheetCell => ({ kind: 'count', count: number, isStrong });
    return [
      { kind: 'text', text: currency, isStrong },
      day,
      count(of.payments),
      amount(of.paid),
      count(of.returns),
      amount(of.refunded),
      amount(of.disputed),
      amount(netOf(of)),
      amount(of.outsideNet),
      count(of.notCounted),
    ];
  };
  const total: SheetCell = { kind: 'text', text: format(msg('export.totals.total')), isStrong: true };
  return {
    name: format(msg('export.sheet.totals')),
    header: totalsHeader.map(([heading, width, isNumber]) => ({
      text: format(msg(heading)),
      width: Math.max(width, format(msg(heading)).length + 3),
      isNumber,
    })),
    rows: totals.flatMap(({ currency, all, days }) => [
      line(currency, total, all, true),
      ...days.map(({ day, totals: of }) => line(currency, { kind: 'day', day }, of, false)),
    ]),
    hasFilter: true,
  };
};
