import { dayAt } from '../../../shared/days.ts';
import { msg } from '../../../shared/messages/message.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { booksOf, type Amount, type Books, type Period } from '../../../shared/reports/payment-books.ts';
import type { ReportContext } from '../../export/report-context.ts';
import type { Sheet, SheetCell } from '../../export/sheet.ts';
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

const amountCell = (amount: Amount | null, currency: string, unknown: string): SheetCell => {
  if (amount === null) return null;
  if (amount.kind === 'minor') return { kind: 'amount', minor: amount.minor, currency };
  return { kind: 'text', text: amount.kind === 'text' ? amount.text : unknown };
};

/** The changes as a sheet: each period in which a payment has other figures than in the file of that period. */
export const changesSheet = (changes: readonly ChangedFigures[], context: ReportContext): Sheet => {
  const { format, zone } = context;
  const heads = [
    [format(msg('scheduled-export.changed.from')), 12, false],
    [format(msg('column.order')), 22, false],
    [format(msg('export.column.customer-name')), 22, false],
    [format(msg('overview.currency')), 10, false],
    [format(msg('scheduled-export.changed.paid-before')), 15, true],
    [format(msg('scheduled-export.changed.paid-now')), 15, true],
    [format(msg('scheduled-export.changed.net-before')), 15, true],
    [format(msg('scheduled-export.changed.net-now')), 15, true],
  ] as const;
  const unknown = format(msg('export.unknown'));
  return {
    name: format(msg('scheduled-export.changes')),
    header: heads.map(([text, width, isNumber]) => ({
      text,
      width: Math.max(width, text.length + 3),
      isNumber,
    })),
    rows: changes.map(({ row, period, before, now }): SheetCell[] => {
      const currency = row.currency ?? '';
      const cell = (amount: Amount | null | undefined): SheetCell =>
        amountCell(amount ?? null, currency, unknown);
      return [
        { kind: 'day', day: dayAt(period.from, zone).toString() },
        { kind: 'text', text: row.orderNumber },
        { kind: 'text', text: row.customer?.name ?? '' },
        { kind: 'text', text: currency },
        cell(before?.paid),
        cell(now?.paid),
        cell(before?.net),
        cell(now?.net),
      ];
    }),
    hasFilter: true,
  };
};
