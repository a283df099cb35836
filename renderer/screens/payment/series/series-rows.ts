import type { PaymentSeries } from '../../../../shared/contract/payments/operation-requests.ts';
import { sameId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentRow, PaymentState } from '../../../../shared/payments/payment.ts';

/** What a payment is in its series. `scheduled`: made by the gateway; `elsewhere`: by neither it nor Counterfoil. */
export type SeriesRole = 'first' | 'charge' | 'scheduled' | 'elsewhere';

export type SeriesRow = {
  row: PaymentRow;
  role: SeriesRole;
  /** Its place among the charges, from 1; 0 for the first payment. */
  number: number;
};

/** Whether a payment is the first one of its series. */
export const beginsSeries = ({ series, paymentIds }: Pick<PaymentRow, 'series' | 'paymentIds'>): boolean =>
  series !== null && paymentIds.some(id => sameId(id, series.firstPaymentId));

const roleOf = (row: PaymentRow, firstPaymentId: string): SeriesRole => {
  if (row.paymentIds.some(id => sameId(id, firstPaymentId))) return 'first';
  if (row.raisedHere) return 'charge';
  // Scheduled payments are numbered after the first payment's id (assumption).
  return row.orderNumber.toLowerCase().startsWith(`${firstPaymentId.toLowerCase()}-`)
    ? 'scheduled'
    : 'elsewhere';
};

/** The payments of a series with their roles, newest first; the first payment is always last. */
export const seriesRows = ({ payments, firstPaymentId }: PaymentSeries): SeriesRow[] => {
  const first: SeriesRow[] = [];
  const charges: SeriesRow[] = [];
  for (const row of payments) {
    const role = roleOf(row, firstPaymentId);
    if (role === 'first') first.push({ row, role, number: 0 });
    else charges.push({ row, role, number: charges.length + 1 });
  }
  return [...charges.toReversed(), ...first];
};

const failedStates: readonly PaymentState[] = ['declined', 'refused'];

/** The number of charges of a series, and of those that failed. The first payment does not count. */
export const countCharges = (rows: readonly SeriesRow[]): { charges: number; failed: number } => {
  const charges = rows.filter(({ role }) => role !== 'first');
  return {
    charges: charges.length,
    failed: charges.filter(({ row }) => failedStates.includes(row.state)).length,
  };
};

/** Whether the card can be charged again here, and why not. */
export const standingOf = ({
  firstOrder,
  hasToken,
  isOffered,
}: Pick<PaymentSeries, 'firstOrder' | 'hasToken' | 'isOffered'>):
  | 'ready'
  | 'ended'
  | 'switched-off'
  | 'first-missing' => {
  if (firstOrder === null) return 'first-missing';
  if (!hasToken) return 'ended';
  return isOffered ? 'ready' : 'switched-off';
};
