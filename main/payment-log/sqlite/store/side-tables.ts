import { entriesOf } from '../../projection/customer-keys.ts';
import { readRow } from '../../projection/packed-row.ts';
import { movedAtOf } from '../../projection/project.ts';
import { wordTable } from './word-table.ts';
import type { LogDatabase } from './database.ts';

/** What a payment's row says about the tables beside it, and the number of events that it shows. */
type RowContent = {
  events: number;
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
      events: row.events,
      flags: row.flags.map(({ kind }) => kind),
      paymentIds: [...row.paymentIds],
      movedAt: movedAtOf(row),
      customerKeys: entriesOf(row),
    };
  } catch {
    return null;
  }
};

/** The tables beside the list: the column with an entry's value, and the values that a payment's row names. */
const sideTables = [
  ['payment_flag', 'flag', 'flags'],
  ['payment_id', 'payment_id', 'paymentIds'],
  ['movement', 'at', 'movedAt'],
  ['customer_key', 'key', 'customerKeys'],
] as const;

/**
 * Deletes entries beside the list that the row of their payment does not name, for the payments with events above
 * `after`, up to `until`. These tables have no index by payment, so a projected payment replaces only the entries that
 * its row named before. Reads each of the tables once. Throws SQLite errors.
 */
export const dropFalseEntries = (database: LogDatabase, after: number, until: number): void => {
  const rowOf = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  for (const [table, column, name] of sideTables) {
    const entries = database
      .prepare<[number, number], [payment: number, value: string | number]>(
        `SELECT payment, ${column} FROM ${table}
         WHERE payment IN (SELECT payment FROM event WHERE seq > ? AND seq <= ?)`,
      )
      .raw()
      .all(after, until);
    const drop = database.prepare<[string | number, number]>(
      `DELETE FROM ${table} WHERE ${column} = ? AND payment = ?`,
    );
    for (const [payment, value] of entries) {
      const text = rowOf.get(payment);
      const named: readonly (string | number)[] =
        (text === undefined ? null : readRowContent(text))?.[name] ?? [];
      if (!named.includes(value)) drop.run(value, payment);
    }
  }
  wordTable(database).repair(after, until);
};
