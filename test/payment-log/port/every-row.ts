import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { reconcile, type ReconciliationRow } from '../../../shared/reports/reconcile.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

/** Every payment of a profile, or of all with null, from the list of payments, with what a check of it finds. */
export const everyRow = async (log: PaymentLog, profileId: string | null): Promise<ReconciliationRow[]> => {
  const found: ReconciliationRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['list']>> = await log.list(filter({ profileId }), cursor, 200);
    for (const row of page.rows) found.push({ ...row, findings: reconcile(row, Date.now()) });
    cursor = page.next;
  } while (cursor !== null);
  return found;
};
