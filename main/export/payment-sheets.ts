import { msg } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { netOf, type CurrencyTotals, type Totals } from './books.ts';
import { isUtc, type Column } from './columns.ts';
import type { ReportContext } from './report-context.ts';
import {
  countCell,
  dayCell,
  headingOf,
  sheetOf,
  strong,
  textCell,
  type Sheet,
  type SheetCell,
} from './sheet.ts';

/** Payments or their movements as a table: its sheet without rows, and the cells of rows. */
export const tableOf = <R extends PaymentRow>(
  name: 'export.sheet.payments' | 'export.sheet.movements',
  all: readonly Column<R>[],
  context: ReportContext,
): { sheet: Sheet; cells: (rows: readonly R[]) => Sheet['rows'] } => {
  const { readers, format, zone } = context;
  // For people, a merchant's time that is UTC is not repeated in UTC.
  const columns = readers === 'people' && isUtc(zone) ? all.filter(column => column.zone !== 'UTC') : all;
  return {
    sheet: {
      ...sheetOf(name, [], [], context),
      header: columns.map(column => {
        const heading = format(msg(column.heading));
        const clock = column.zone === 'UTC' ? 'UTC' : zone;
        const text = column.zone === null ? heading : `${heading} (${clock})`;
        return headingOf(readers === 'people' ? text : column.id, column.width, column.isNumber);
      }),
      // The columns up to the state are what an accountant prints; the others are for filters.
      printedColumns: columns.findIndex(({ id }) => id === 'state') + 1 || columns.length,
    },
    cells: rows => rows.map(row => columns.map(({ cell }) => cell(row, context))),
  };
};

/** The sums: of each currency first, then its days. */
export const totalsSheet = (totals: readonly CurrencyTotals[], context: ReportContext): Sheet => {
  const line = (currency: string, day: SheetCell, of: Totals): SheetCell[] => {
    const sum = (minor: bigint): SheetCell => ({ kind: 'amount', minor, currency });
    return [
      textCell(currency),
      day,
      countCell(of.payments),
      sum(of.paid),
      countCell(of.returns),
      sum(of.refunded),
      sum(of.disputed),
      sum(netOf(of)),
      sum(of.outsideNet),
      countCell(of.notCounted),
    ];
  };
  const total = textCell(context.format(msg('export.totals.total')));
  return sheetOf(
    'export.sheet.totals',
    [
      ['overview.currency', 10],
      ['export.totals.day', 14],
      ['export.totals.payments', 12, true],
      ['export.column.paid', 15, true],
      ['export.totals.returns', 14, true],
      ['export.column.refunded', 15, true],
      ['export.column.disputed', 15, true],
      ['export.column.net', 15, true],
      ['export.totals.outside-net', 15, true],
      ['export.totals.not-counted', 14, true],
    ],
    totals.flatMap(({ currency, all, days }) => [
      strong(line(currency, total, all)),
      ...days.map(({ day, totals: of }) => line(currency, dayCell(day), of)),
    ]),
    context,
  );
};
