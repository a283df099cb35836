import type { PaymentRow } from '../../shared/payment.ts';
import { stateAt } from '../../shared/payment.ts';
import type { ReconciliationRow } from '../../shared/reconcile.ts';

/** One column of an export: its heading and a payment's text in it. */
export type Column<R extends PaymentRow = PaymentRow> = {
  heading: string;
  text: (row: R, now: number) => string;
};

/** ISO 8601 with offset: the reader of an export need not guess the zone. */
const instant = (at: number | null): string =>
  at === null ? '' : new Date(at).toISOString().replace('Z', '+00:00');

/** The columns of every export, in order. No link: a link is a bearer. */
export const columns: readonly Column[] = [
  { heading: 'profile', text: row => row.profileId },
  { heading: 'order_number', text: row => row.orderNumber },
  { heading: 'state', text: (row, now) => stateAt(row, now) },
  { heading: 'since', text: row => instant(row.since) },
  { heading: 'amount', text: row => row.amount ?? '' },
  { heading: 'currency', text: row => row.currency ?? '' },
  { heading: 'description', text: row => row.description ?? '' },
  { heading: 'customer_name', text: row => row.customer?.name ?? '' },
  { heading: 'customer_email', text: row => row.customer?.email ?? '' },
  { heading: 'payment_ids', text: row => row.paymentIds.join(' ') },
  { heading: 'card_last4', text: row => row.cardLast4 ?? '' },
  { heading: 'reason', text: row => row.reason ?? '' },
  { heading: 'flags', text: row => row.flags.map(flag => flag.kind).join(' ') },
  { heading: 'rests_on', text: row => row.restsOn?.kind ?? '' },
  { heading: 'raised_here', text: row => (row.raisedHere ? 'yes' : 'no') },
  { heading: 'agent', text: row => row.agent ?? '' },
  { heading: 'first_at', text: row => instant(row.firstAt) },
  { heading: 'last_at', text: row => instant(row.lastAt) },
  { heading: 'link_expires_at', text: row => instant(row.expiresAt) },
];

/** The queue to reconcile: every cause, gravest first, and what to do about the gravest. */
export const reconciliationColumns: readonly Column<ReconciliationRow>[] = [
  ...columns,
  { heading: 'causes', text: row => row.findings.map(({ cause }) => cause).join(' ') },
  { heading: 'next_action', text: row => row.findings[0]?.action ?? '' },
  { heading: 'cause_since', text: row => instant(row.findings[0]?.since ?? null) },
];
