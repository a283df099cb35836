import { maxRows, paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { request } from '../ipc-client.ts';

/** The rows of these payments as the list has them now; one that is not listed, or cannot be read, has none. */
export const readRows = async (payments: readonly PaymentKey[]): Promise<readonly PaymentRow[]> => {
  const keys = payments.map(({ profileId, orderNumber }) => ({ profileId, orderNumber }));
  const rows: PaymentRow[] = [];
  for (let at = 0; at < keys.length; at += maxRows) {
    const read = await request('payments.rows', { keys: keys.slice(at, at + maxRows) });
    if (read.ok) rows.push(...read.value.rows);
  }
  return rows;
};

/** The rows of a list, in their places, with those that were read again. */
export const withRows = <T extends PaymentKey>(rows: readonly T[], read: readonly T[]): T[] => {
  const latest = new Map(read.map(row => [paymentKey(row), row]));
  return rows.map(row => latest.get(paymentKey(row)) ?? row);
};
