import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { Result } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** Limit of payments that are looked up; larger batches cause no notification. */
const maxPayments = 200;

/** The keys, as texts, of those payments about which this installation has written itself. */
export const raisedHere = async (
  journal: Result<PaymentLog>,
  payments: readonly PaymentKey[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  if (!journal.ok || payments.length > maxPayments) return found;
  for (const key of payments) {
    const record = await journal.value.orderRecord(key.profileId, key.orderNumber).catch(() => null);
    if (record) found.add(paymentKey(key));
  }
  return found;
};
