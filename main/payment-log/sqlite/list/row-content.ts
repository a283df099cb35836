import { entriesOf } from '../../projection/customer-keys.ts';
import { readRow } from '../../projection/packed-row.ts';
import { movedAtOf } from '../../projection/project.ts';

/** What a payment's row says about the tables beside it. */
type RowContent = {
  flags: string[];
  paymentIds: string[];
  movedAt: number[];
  customerKeys: string[];
};

/** Null if the row cannot be read. */
export const readRowContent = (text: string): RowContent | null => {
  try {
    const row = readRow(text);
    return {
      flags: row.flags.map(({ kind }) => kind),
      paymentIds: [...row.paymentIds],
      movedAt: movedAtOf(row),
      customerKeys: entriesOf(row),
    };
  } catch {
    return null;
  }
};
