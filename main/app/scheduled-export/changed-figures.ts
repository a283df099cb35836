import { dayAt } from '../../../shared/days.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { booksOf, type Amount, type Books, type Period } from '../../../shared/reports/payment-books.ts';
import type { ReportContext } from '../../export/report-context.ts';
import { amountCell, dayCell, sheetOf, textCell, type Sheet } from '../../export/sheet.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/**
 * What later evidence changed in periods that were already exported. The payment log is append-only, so the figures of
 * the last export are those of the events up to its positions.
 */

/** The last event of each chain that an export contained, by its writer. */
export type Positions = Readonly<Record<string, number>>;

/** A payment's figures in a period that was exported, then and now; null: it was not in the period. */
export type ChangedFigures = { row: PaymentRow; period: Period; before: Books | null; now: Books | null };

/** Rows of one read of the list. */
const rowsAtOnce = 200;

const textOf = (amount: Amount | null): string =>
  amount === null
    ? ''
    : amount.kind === 'minor'
      ? String(amount.minor)
      : amount.kind === 'text'
        ? amount.text
        : '?';

const figuresOf = (books: Books | null): string =>
  books === null ? '' : [books.paid, books.refunded, books.disputed, books.net].map(textOf).join(' ');

/** Null if nothing moved in the period. */
const movedIn = (row: PaymentRow, period: Period): Books | null => {
  const books = booksOf(row, period);
  return books.paid === null ? null : books;
};

/**
 * The payments of `exported` (oldest first) whose figures are no longer those of the last export. `since`: when that
 * was, milliseconds. Only what is new since then is read.
 */
export const changedFigures = async (
  log: PaymentLog,
  profileId: string,
  exported: readonly Period[],
  { positions, since }: { positions: Positions; since: number },
): Promise<ChangedFigures[]> => {
  const changes: ChangedFigures[] = [];
  const orders = exported.length === 0 ? [] : await log.ordersSince(profileId, positions, since);
  for (let at = 0; at < orders.length; at += rowsAtOnce) {
    const keys = orders.slice(at, at + rowsAtOnce).map(orderNumber => ({ profileId, orderNumber }));
    for (const row of await log.rows(keys)) {
      // Entries are only appended: what was in a period is still there.
      const periods = exported.filter(({ from, until }) =>
        row.entries.some(entry => entry.at >= from && entry.at < until),
      );
      if (periods.length === 0) continue;
      const earlier = (await log.events(profileId, row.orderNumber)).filter(
        ({ writer, writerSeq, recordedAt }) => {
          const last = positions[writer];
          // A chain that the export did not know: its events count by their time.
          return last === undefined ? recordedAt <= since : writerSeq <= last;
        },
      );
      const before = earlier.length === 0 ? null : rowOf(reducePayment(earlier));
      for (const period of periods) {
        const then = before === null ? null : movedIn(before, period);
        const now = movedIn(row, period);
        if (figuresOf(then) !== figuresOf(now)) changes.push({ row, period, before: then, now });
      }
    }
  }
  return changes;
};

/** The changes as a sheet: each period in which a payment has other figures than in the file of that period. */
export const changesSheet = (changes: readonly ChangedFigures[], context: ReportContext): Sheet =>
  sheetOf(
    'scheduled-export.changes',
    [
      ['scheduled-export.changed.from', 12],
      ['column.order', 22],
      ['export.column.customer-name', 22],
      ['overview.currency', 10],
      ['scheduled-export.changed.paid-before', 15, true],
      ['scheduled-export.changed.paid-now', 15, true],
      ['scheduled-export.changed.net-before', 15, true],
      ['scheduled-export.changed.net-now', 15, true],
    ],
    changes.map(({ row, period, before, now }) => [
      dayCell(dayAt(period.from, context.zone).toString()),
      textCell(row.orderNumber),
      textCell(row.customer?.name ?? null),
      textCell(row.currency),
      ...[before?.paid, now?.paid, before?.net, now?.net].map(amount =>
        amountCell(amount ?? null, row.currency ?? '', context),
      ),
    ]),
    context,
  );
