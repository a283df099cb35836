import { headOf } from '../../shared/reports/head.ts';
import { inLine, plainText } from '../../shared/plain-text.ts';
import { decimalOf } from '../../shared/money/signed-amount.ts';
import { fromAbsolute, toCalendarDateTime } from '@internationalized/date';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import { readWire } from '../../shared/money/wire-amount.ts';
import type { ReconciliationRow } from '../../shared/reports/reconcile.ts';
import type { Amount, Books } from '../../shared/reports/payment-books.ts';
import type { ReportContext } from './report-context.ts';

/**
 * One column of an export: its identifier for programs, its heading for people, its width in a sheet (characters), and
 * a payment's value in it.
 */
export type Column<R extends PaymentRow = PaymentRow> = { id: string; heading: MessageKey; width: number } & (
  | { kind: 'text'; text: (row: R, context: ReportContext) => string }
  /** An amount in the currency of the row. */
  | { kind: 'amount'; amount: (row: R, context: ReportContext) => Amount | null }
  /** Milliseconds since 1970, shown in the merchant's zone or in UTC. */
  | { kind: 'time'; zone: 'merchant' | 'UTC'; at: (row: R, context: ReportContext) => number | null }
);

/** Whether the clock of an IANA zone is that of UTC. */
export const isUtc = (zone: string): boolean =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone === 'UTC';

/** The columns for these readers: for people, a merchant's time that is UTC is not repeated in UTC. */
export const columnsFor = <R extends PaymentRow>(
  all: readonly Column<R>[],
  { readers, zone }: Pick<ReportContext, 'readers' | 'zone'>,
): readonly Column<R>[] =>
  readers === 'people' && isUtc(zone)
    ? all.filter(column => column.kind !== 'time' || column.zone !== 'UTC')
    : all;

/** The heading of a column: a time names its zone. */
export const headingOf = <R extends PaymentRow>(column: Column<R>, context: ReportContext): string => {
  if (context.readers === 'programs') return column.id;
  const heading = context.format(msg(column.heading));
  if (column.kind !== 'time') return heading;
  return `${heading} (${column.zone === 'UTC' ? 'UTC' : context.zone})`;
};

/** An instant on the clock of a zone: `2026-11-22 00:30:00`, which spreadsheets of every locale read as a time. */
export const clockText = (at: number, zone: string): string =>
  toCalendarDateTime(fromAbsolute(at, zone)).set({ millisecond: 0 }).toString().replace('T', ' ');

/** ISO 8601 with offset, so that the zone is unambiguous. */
const isoText = (at: number, zone: string): string => fromAbsolute(at, zone).toString().replace(/\[.*$/, '');

/** An amount as text; people read the decimal sign of their locale. */
export const amountText = (amount: Amount | null, currency: string, context: ReportContext): string => {
  if (amount === null) return '';
  if (amount.kind === 'text') return amount.text;
  const isForPeople = context.readers === 'people';
  if (amount.kind === 'unknown') return isForPeople ? context.format(msg('export.unknown')) : 'unknown';
  const text = decimalOf(amount.minor, currency);
  return isForPeople ? text.replace('.', context.decimalSign) : text;
};

/** A payment's value in a column as text. */
export const textOf = <R extends PaymentRow>(column: Column<R>, row: R, context: ReportContext): string => {
  if (column.kind === 'text') {
    const text = column.text(row, context);
    return context.readers === 'people' ? inLine(text) : text;
  }
  if (column.kind === 'amount') return amountText(column.amount(row, context), row.currency ?? '', context);
  const at = column.at(row, context);
  if (at === null) return '';
  const zone = column.zone === 'UTC' ? 'UTC' : context.zone;
  return context.readers === 'people' ? clockText(at, zone) : isoText(at, zone);
};

type TextOf = (row: PaymentRow, context: ReportContext) => string;

const text = (id: string, heading: MessageKey, width: number, of: TextOf): Column => ({
  id,
  heading,
  width,
  kind: 'text',
  text: of,
});
const time = (
  id: string,
  heading: MessageKey,
  at: (row: PaymentRow, context: ReportContext) => number | null,
  zone: 'merchant' | 'UTC' = 'merchant',
): Column => ({ id, heading, width: 21, kind: 'time', zone, at });
const sum = (
  id: string,
  heading: MessageKey,
  of: keyof Pick<Books, 'paid' | 'refunded' | 'disputed' | 'net'>,
) =>
  ({
    id,
    heading,
    width: 13,
    kind: 'amount',
    amount: (row, { books }) => books(row)[of],
  }) satisfies Column;

const orderAmount = ({ amount, currency }: PaymentRow): Amount | null => {
  if (amount === null) return null;
  const minor = readWire(amount, currency ?? '');
  return minor === null ? { kind: 'text', text: amount } : { kind: 'minor', minor };
};

/** Each value once, in its order. */
const distinct = (values: readonly (string | null)[]): string =>
  [...new Set(values.filter(value => value !== null && value !== ''))].join(' ');

/** A value: its identifier for programs, its name for people. */
export const named = (context: ReportContext, id: string, key: MessageKey): string =>
  context.readers === 'people' ? context.format(msg(key)) : id;

/**
 * The columns of every export, in the order in which an accountant books a payment. Without the link, which is a
 * bearer credential.
 */
export const columns: readonly Column[] = [
  time('paid_at', 'export.column.paid-at', (row, { books }) => books(row).paidAt),
  time('paid_at_utc', 'export.column.paid-at', (row, { books }) => books(row).paidAt, 'UTC'),
  text('order_number', 'column.order', 22, row => row.orderNumber),
  text('description', 'column.description', 30, row => row.description ?? ''),
  text('customer_name', 'export.column.customer-name', 22, row => row.customer?.name ?? ''),
  text('currency', 'overview.currency', 10, row => row.currency ?? ''),
  sum('paid_amount', 'export.column.paid', 'paid'),
  sum('refunded_amount', 'export.column.refunded', 'refunded'),
  sum('disputed_amount', 'export.column.disputed', 'disputed'),
  sum('net_amount', 'export.column.net', 'net'),
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
  text('card_last4', 'export.column.card', 12, row => row.cardLast4 ?? ''),
  { id: 'amount', heading: 'export.column.amount', width: 13, kind: 'amount', amount: orderAmount },
  text('profile', 'column.profile', 16, (row, context) =>
    context.readers === 'people' ? context.profileName(row.profileId) : row.profileId,
  ),
  text('agent', 'column.agent', 16, row => row.agent ?? ''),
  text('customer_email', 'export.column.customer-email', 26, row => row.customer?.email ?? ''),
  text('reason', 'export.column.reason', 22, row => plainText(row.reason ?? '')),
  text('flags', 'column.flags', 22, (row, context) =>
    row.flags
      .map(({ kind }) => named(context, kind, `flag.${kind}`))
      .join(context.readers === 'people' ? ', ' : ' '),
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
  {
    id: 'causes',
    heading: 'export.column.causes',
    width: 30,
    kind: 'text',
    text: (row, context) =>
      row.findings
        .map(({ cause }) => named(context, cause, `cause.${cause}`))
        .join(context.readers === 'people' ? ', ' : ' '),
  },
  {
    id: 'next_action',
    heading: 'export.column.next-action',
    width: 30,
    kind: 'text',
    text: (row, context) => {
      const action = row.findings[0]?.action;
      return action === undefined ? '' : named(context, action, `next.${action}`);
    },
  },
  {
    id: 'cause_since',
    heading: 'export.column.cause-since',
    width: 21,
    kind: 'time',
    zone: 'merchant',
    at: row => row.findings[0]?.since ?? null,
  },
];
