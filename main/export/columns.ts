import { headOf } from '../../shared/reports/head.ts';
import { inLine, plainText } from '../../shared/plain-text.ts';
import { fromAbsolute, toCalendarDateTime } from '@internationalized/date';
import type { MessageKey } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import { readWire } from '../../shared/money/wire-amount.ts';
import type { ReconciliationRow } from '../../shared/reports/reconcile.ts';
import type { Amount } from '../../shared/reports/payment-books.ts';
import { named, type ReportContext } from './report-context.ts';
import { amountCell, textCell, type SheetCell } from './sheet.ts';

/** One column of an export. */
export type Column<R extends PaymentRow = PaymentRow> = {
  /** For programs. */
  id: string;
  heading: MessageKey;
  /** In a sheet, characters. */
  width: number;
  isNumber: boolean;
  /** The clock of times. */
  zone: 'merchant' | 'UTC' | null;
  cell: (row: R, context: ReportContext) => SheetCell;
};

type Of<R, T> = (row: R, context: ReportContext) => T;

export const text = <R extends PaymentRow>(
  id: string,
  heading: MessageKey,
  width: number,
  of: Of<R, string>,
): Column<R> => ({
  id,
  heading,
  width,
  isNumber: false,
  zone: null,
  cell: (row, context) => {
    const value = of(row, context);
    return textCell(context.readers === 'people' ? inLine(value) : value);
  },
});

/** `at` returns milliseconds since 1970. */
export const time = <R extends PaymentRow>(
  id: string,
  heading: MessageKey,
  at: Of<R, number | null>,
  zone: 'merchant' | 'UTC' = 'merchant',
): Column<R> => ({
  id,
  heading,
  width: 21,
  isNumber: false,
  zone,
  cell: (row, context) => {
    const value = at(row, context);
    return value === null ? null : { kind: 'time', at: value, zone: zone === 'UTC' ? zone : context.zone };
  },
});

/** In the currency of the row. */
export const amount = <R extends PaymentRow>(
  id: string,
  heading: MessageKey,
  of: Of<R, Amount | null>,
): Column<R> => ({
  id,
  heading,
  width: 13,
  isNumber: true,
  zone: null,
  cell: (row, context) => amountCell(of(row, context), row.currency ?? '', context),
});

/** Whether the clock of an IANA zone is that of UTC. */
export const isUtc = (zone: string): boolean =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone === 'UTC';

/** An instant on the clock of a zone: `2026-11-22 00:30:00`, which spreadsheets of every locale read as a time. */
export const clockText = (at: number, zone: string): string =>
  toCalendarDateTime(fromAbsolute(at, zone)).set({ millisecond: 0 }).toString().replace('T', ' ');

const orderAmount = ({ amount, currency }: PaymentRow): Amount | null => {
  if (amount === null) return null;
  const minor = readWire(amount, currency ?? '');
  return minor === null ? { kind: 'text', text: amount } : { kind: 'minor', minor };
};

/** Each value once, in its order. */
const distinct = (values: readonly (string | null)[]): string =>
  [...new Set(values.filter(value => value !== null && value !== ''))].join(' ');

/** What describes the order of a payment or of a movement. */
export const orderColumns: readonly Column[] = [
  text('order_number', 'column.order', 22, row => row.orderNumber),
  text('description', 'column.description', 30, row => row.description ?? ''),
  text('customer_name', 'export.column.customer-name', 22, row => row.customer?.name ?? ''),
  text('currency', 'overview.currency', 10, row => row.currency ?? ''),
];
export const cardColumn: Column = text('card_last4', 'export.column.card', 12, row => row.cardLast4 ?? '');
export const profileColumn: Column = text('profile', 'column.profile', 16, (row, context) =>
  context.readers === 'people' ? context.profileName(row.profileId) : row.profileId,
);

const list = ({ readers }: ReportContext, texts: readonly string[]): string =>
  texts.join(readers === 'people' ? ', ' : ' ');

/**
 * The columns of every export, in the order in which an accountant books a payment. Without the link, which is a
 * bearer credential.
 */
export const columns: readonly Column[] = [
  time('paid_at', 'export.column.paid-at', (row, { books }) => books(row).paidAt),
  time('paid_at_utc', 'export.column.paid-at', (row, { books }) => books(row).paidAt, 'UTC'),
  ...orderColumns,
  amount('paid_amount', 'export.column.paid', (row, { books }) => books(row).paid),
  amount('refunded_amount', 'export.column.refunded', (row, { books }) => books(row).refunded),
  amount('disputed_amount', 'export.column.disputed', (row, { books }) => books(row).disputed),
  amount('net_amount', 'export.column.net', (row, { books }) => books(row).net),
  time('returned_at', 'export.column.returned-at', (row, { books }) => books(row).returnedAt),
  text('state', 'column.state', 18, (row, context) => {
    const state = stateAt(row, context.now);
    return context.readers === 'people' ? context.format(headOf(row, context.now).label) : state;
  }),
  text('paid_payment_id', 'export.column.paid-payment-id', 38, (row, { books }) =>
    distinct(books(row).payments.map(({ paymentId }) => paymentId)),
  ),
  text('rrn', 'export.column.rrn', 15, (row, { books }) =>
    distinct(books(row).payments.map(({ rrn }) => rrn)),
  ),
  text('approval_code', 'export.column.approval-code', 14, (row, { books }) =>
    distinct(books(row).payments.map(({ approvalCode }) => approvalCode)),
  ),
  cardColumn,
  amount('amount', 'export.column.amount', orderAmount),
  profileColumn,
  text('agent', 'column.agent', 16, row => row.agent ?? ''),
  text('customer_email', 'export.column.customer-email', 26, row => row.customer?.email ?? ''),
  text('reason', 'export.column.reason', 22, row => plainText(row.reason ?? '')),
  text('flags', 'column.flags', 22, (row, context) =>
    list(
      context,
      row.flags.map(({ kind }) => named(context, kind, `flag.${kind}`)),
    ),
  ),
  text('rests_on', 'export.column.evidence', 16, (row, context) =>
    row.basis === null ? '' : named(context, row.basis.kind, `export.evidence.${row.basis.kind}`),
  ),
  text('created_here', 'query.created.here', 12, (row, context) =>
    row.raisedHere ? named(context, 'yes', 'export.yes') : named(context, 'no', 'export.no'),
  ),
  text('payment_ids', 'export.column.payment-ids', 38, row => row.paymentIds.join(' ')),
  time('first_at', 'export.column.first-at', row => row.firstAt),
  time('since', 'column.changed', row => row.since),
  time('last_at', 'export.column.last-at', row => row.lastAt),
  time('link_expires_at', 'export.column.expires-at', row => row.expiresAt),
];

/** The reconciliation queue: every cause, gravest first, and the action for the gravest. */
export const reconciliationColumns: readonly Column<ReconciliationRow>[] = [
  ...columns,
  text('causes', 'export.column.causes', 30, (row, context) =>
    list(
      context,
      row.findings.map(({ cause }) => named(context, cause, `cause.${cause}`)),
    ),
  ),
  text('next_action', 'export.column.next-action', 30, (row, context) => {
    const action = row.findings[0]?.action;
    return action === undefined ? '' : named(context, action, `next.${action}`);
  }),
  time('cause_since', 'export.column.cause-since', row => row.findings[0]?.since ?? null),
];
