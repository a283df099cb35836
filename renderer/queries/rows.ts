import type { PaymentKey } from '../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { request } from '../ipc-client.ts';

/** The rows of these payments as the list has them now; one that is not listed, or cannot be read, has none. */
export const readRows = async (payments: readonly PaymentKey[]): Promise<readonly PaymentRow[]> => {
  if (payments.length === 0) return [];
  const keys = payments.map(({ profileId, orderNumber }) => ({ profileId, orderNumber }));
  const read = await request('payments.rows', { keys });
  return read.ok ? read.value.rows : [];
};
