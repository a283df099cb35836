import type { Entry } from '../../shared/payments/movement.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { isMinus } from '../../shared/reports/payment-books.ts';
import { countedWire } from '../../shared/money/wire-amount.ts';
import type { PaymentLineKind } from '../../shared/statements/statement-kinds.ts';
import { readWhen } from './reading/dates.ts';

/** One entry of the books as a statement may show it. */
export type Movement = {
  /** The order number and the number of the entry in its payment's books, which only grow. */
  key: string;
  orderNumber: string;
  paymentId: string;
  kind: PaymentLineKind;
  /** Minor units, negative for what went back; null if it is not known. */
  amount: bigint | null;
  currency: string;
  /** The provider's own date where it is one, otherwise when the evidence was recorded. */
  day: string;
  /** When the evidence was recorded, milliseconds: the day on which the overview counts it. */
  at: number;
  rrn: string | null;
  approval: string | null;
  card: string | null;
};

const kinds = {
  paid: 'sale',
  refund: 'refund',
  void: 'refund',
  chargeback: 'chargeback',
} as const satisfies Record<Entry['kind'], PaymentLineKind>;

/** The movements of a payment. `dayOf`: the ISO date of an instant in the merchant's zone. */
export const movementsOf = (row: PaymentRow, dayOf: (at: number) => string): Movement[] =>
  row.entries.map((entry, index) => {
    const currency = entry.currency ?? row.currency ?? '';
    const minor = entry.amount === null ? null : countedWire(entry.amount, currency);
    return {
      key: `${index} ${row.orderNumber}`,
      orderNumber: row.orderNumber,
      paymentId: entry.paymentId,
      kind: kinds[entry.kind],
      amount: minor === null ? null : isMinus(entry) ? -minor : minor,
      currency,
      // In the form of the interface (§2.6): a bare number is no day of a spreadsheet.
      day:
        (entry.statedDate?.includes('-') ? readWhen(entry.statedDate, 'ymd')?.day : null) ?? dayOf(entry.at),
      at: entry.at,
      rrn: entry.rrn,
      approval: entry.approvalCode,
      card: row.cardLast4,
    };
  });
