import type { Cell } from 'write-excel-file/node';
import type { PaymentRow } from '../../shared/payment.ts';
import type { Column } from './columns.ts';

/**
 * Writes payments as one sheet. Every cell is text, byte for byte: a spreadsheet
 * must neither run a description nor round an amount or an order number.
 * `file`: where to; `now` in milliseconds. Rejects when the file cannot be written.
 */
export const writeXlsx = async <R extends PaymentRow>(
  file: string,
  rows: readonly R[],
  columns: readonly Column<R>[],
  now: number,
): Promise<void> => {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const header: Cell[] = columns.map(column => ({ value: column.heading, type: String, fontWeight: 'bold' }));
  const cells = rows.map(row =>
    columns.map((column): Cell => ({ value: column.text(row, now), type: String })),
  );
  await writeXlsxFile([header, ...cells], { sheet: 'Payments', stickyRowsCount: 1 }).toFile(file);
};
