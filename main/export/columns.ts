import type { PaymentRow } from '../../shared/payments/payment.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import type { ReconciliationRow } from '../../shared/reports/reconcile.ts';

/** One column of an export: its heading, its width in a sheet (characters), and a payment's value in it. */
export type Column<R extends PaymentRow = PaymentRow> = { heading: string; width: number } & (
  | { kind: 'text'; text: (row: R, now: number) => string }
  /** Decimal text as the gateway writes it, and its ISO 4217 currency. */
  | { kind: 'amount'; amount: (row: R) => string | null; currency: (row: R) => string | null }
  /** Milliseconds since 1970. */
  | { kind: 'time'; at: (row: R) => number | null }
);

/** ISO 8601 with offset, so that the zone is unambiguous. */
const instant = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString().replace('Z', '+00:00');

/** A payment's value in a column as text. `now` in milliseconds: whether a link has expired by then. */
export const textOf = <R extends PaymentRow>(column: Column<R>, row: R, now: number): string =>
  column.kind === 'text'
    ? column.text(row, now)
    : column.kind === 'amount'
      ? (column.amount(row) ?? '')
      : instant(column.at(row));

/** The columns of every export, in order. Without the link, which is a bearer credential. */
export const columns: readonly Column[] = [
  { heading: 'profile', width: 14, kind: 'text', text: row => row.profileId },
  { heading: 'order_number', width: 22, kind: 'text', text: row => row.orderNumber },
  { heading: 'state', width: 18, kind: 'text', text: (row, now) => stateAt(row, now) },
  { heading: 'since', width: 22, kind: 'time', at: row => row.since },
  { heading: 'paid_at', width: 22, kind: 'time', at: row => row.paidAt },
  { heading: 'amount', width: 14, kind: 'amount', amount: row => row.amount, currency: row => row.currency },
  { heading: 'currency', width: 9, kind: 'text', text: row => row.currency ?? '' },
  { heading: 'description', width: 32, kind: 'text', text: row => row.description ?? '' },
  { heading: 'customer_name', width: 24, kind: 'text', text: row => row.customer?.name ?? '' },
  { heading: 'customer_email', width: 28, kind: 'text', text: row => row.customer?.email ?? '' },
  { heading: 'payment_ids', width: 38, kind: 'text', text: row => row.paymentIds.join(' ') },
  { heading: 'card_last4', width: 11, kind: 'text', text: row => row.cardLast4 ?? '' },
  { heading: 'reason', width: 24, kind: 'text', text: row => row.reason ?? '' },
  { heading: 'flags', width: 24, kind: 'text', text: row => row.flags.map(flag => flag.kind).join(' ') },
  { heading: 'rests_on', width: 12, kind: 'text', text: row => row.basis?.kind ?? '' },
  { heading: 'raised_here', width: 12, kind: 'text', text: row => (row.raisedHere ? 'yes' : 'no') },
  { heading: 'agent', width: 14, kind: 'text', text: row => row.agent ?? '' },
  { heading: 'first_at', width: 22, kind: 'time', at: row => row.firstAt },
  { heading: 'last_at', width: 22, kind: 'time', at: row => row.lastAt },
  { heading: 'link_expires_at', width: 22, kind: 'time', at: row => row.expiresAt },
];

/** The reconciliation queue: every cause, gravest first, and the action for the gravest. */
export const reconciliationColumns: readonly Column<ReconciliationRow>[] = [
  ...columns,
  {
    heading: 'causes',
    width: 30,
    kind: 'text',
    text: row => row.findings.map(({ cause }) => cause).join(' '),
  },
  { heading: 'next_action', width: 18, kind: 'text', text: row => row.findings[0]?.action ?? '' },
  { heading: 'cause_since', width: 22, kind: 'time', at: row => row.findings[0]?.since ?? null },
];
