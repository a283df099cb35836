import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { reconcile, type ReconciliationRow } from '../../../shared/reports/reconcile.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

/** All pages of a list, each read with the cursor of the one before it. */
export const everyPage = async <P extends { next: string | null }>(
  read: (cursor: string | null) => P | Promise<P>,
): Promise<P[]> => {
  const pages: P[] = [];
  let cursor: string | null = null;
  do {
    const page: P = await read(cursor);
    pages.push(page);
    cursor = page.next;
  } while (cursor !== null);
  return pages;
};

/** Every payment that a filter finds in the list of payments, read in pages of `limit`. */
export const everyListed = async (
  log: PaymentLog,
  wanted: PaymentFilter,
  limit: number,
): Promise<PaymentRow[]> =>
  (await everyPage(cursor => log.list(wanted, cursor, limit))).flatMap(({ rows }) => rows);

/** Every payment of a profile, or of all with null, with what a check of it finds. */
export const everyRow = async (log: PaymentLog, profileId: string | null): Promise<ReconciliationRow[]> =>
  (await everyListed(log, filter({ profileId }), 200)).map(row => ({
    ...row,
    findings: reconcile(row, Date.now()),
  }));
