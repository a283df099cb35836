import type { MessageKey } from '../../shared/messages/message.ts';
import type { Entry } from '../../shared/payments/movement.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { entriesIn, signedAmountOf } from '../../shared/reports/payment-books.ts';
import { amount, cardColumn, orderColumns, profileColumn, text, time, type Column } from './columns.ts';
import { named, type ReportContext } from './report-context.ts';

/** A payment with one of its entries: a payment, a refund, a void, a chargeback, or a counter-entry of one. */
export type MovementRow = PaymentRow & { movement: Entry };

/** One row for each movement of these payments in the context's period, or ever; of each payment oldest first. */
export const movementRows = (rows: readonly PaymentRow[], { period }: ReportContext): MovementRow[] =>
  rows.flatMap(row => entriesIn(row, period).map(movement => ({ ...row, movement })));

/** The name of an entry; a counter-entry says what it takes back. */
export const movementName = ({ kind, isCounter }: Pick<Entry, 'kind' | 'isCounter'>): MessageKey =>
  isCounter ? `export.movement.counter.${kind}` : `export.movement.${kind}`;

const at = ({ movement }: MovementRow): number => movement.at;

/** The columns of the movements: each on its own date, money that went back with a minus sign. */
export const movementColumns: readonly Column<MovementRow>[] = [
  time('moved_at', 'export.column.moved-at', at),
  time('moved_at_utc', 'export.column.moved-at', at, 'UTC'),
  text('kind', 'export.column.kind', 16, ({ movement }, context) =>
    named(context, movement.isCounter ? `counter-${movement.kind}` : movement.kind, movementName(movement)),
  ),
  ...orderColumns,
  amount('signed_amount', 'column.amount', ({ movement, currency }) =>
    signedAmountOf(movement, currency ?? ''),
  ),
  text('payment_id', 'column.payment-id', 38, ({ movement }) => movement.paymentId),
  text('rrn', 'export.column.rrn', 15, ({ movement }) => movement.rrn ?? ''),
  text('approval_code', 'export.column.approval-code', 14, ({ movement }) => movement.approvalCode ?? ''),
  cardColumn,
  // In the provider's words and zone: another day, or month, than that of the evidence can be seen.
  text('provider_date', 'export.column.provider-date', 20, ({ movement }) => movement.statedDate ?? ''),
  profileColumn,
];
