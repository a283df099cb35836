import { isUnchecked } from '../../../shared/payments/expired.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { dayMs } from '../../../shared/payment-reducer/checked-days.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { unfiltered } from '../../payment-log/unfiltered.ts';

/** How far back operations and what moved are looked at: one day more than the last look-up after them. */
const followedMs = 8 * dayMs;
/** How far back links are checked that expired while the console was closed. */
const expiredMs = 7 * dayMs;
/** Scan limits, payments; of rechecks: 2,880 a day. */
const maxRows = 200;
const maxScanned = 1_000;
const maxRechecks = 10;

/**
 * The payments whose evidence may want a look-up now: what was sent or reported, open and expired links, payments with
 * one source or without a result, paid ones to check again. `now`: milliseconds.
 */
export const findLookUps = async (
  log: PaymentLog,
  profileIds: readonly string[],
  recheckDays: readonly number[],
  now: number,
): Promise<PaymentKey[]> => {
  const listed = (states: 'expired' | 'paid-unconfirmed', ageMs: number) =>
    log.list({ ...unfiltered, states: [states], from: now - ageMs }, null, maxScanned);
  const [operations, moved, open, expired, oneSource, review, paid] = await Promise.all([
    log.operationsSince(now - followedMs),
    log.moved(null, now - followedMs, now, null, maxScanned),
    log.expiringSoon(null, maxRows),
    listed('expired', expiredMs),
    listed('paid-unconfirmed', dayMs),
    log.reconcile(null, null, null, maxRows),
    recheckDays.length === 0 ? [] : log.paymentsToRecheck(profileIds, recheckDays, now, maxRechecks),
  ]);
  return [
    ...operations.flatMap(({ profileId, orderNumber }) =>
      orderNumber === null ? [] : [{ profileId, orderNumber }],
    ),
    ...moved.rows.filter(({ entries }) => entries.some(({ kind }) => kind !== 'paid')),
    ...expired.rows.filter(row => isUnchecked('expired', row)),
    ...oneSource.rows,
    ...open,
    ...review.rows.filter(({ findings }) => findings.some(({ action }) => action === 'look-up')),
    ...paid,
  ].map(({ profileId, orderNumber }) => ({ profileId, orderNumber }));
};
