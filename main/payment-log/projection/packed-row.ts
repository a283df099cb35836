import type { Entry } from '../../../shared/payments/movement.ts';
import { movementKinds } from '../../../shared/payments/payment-kinds.ts';
import type { Payment, PaymentRow } from '../../../shared/payments/payment.ts';
import { resolutionReasons, type Review } from '../../../shared/review/review.ts';

/**
 * A row's fields in stored order; names in every row would be half its size. New fields go to the end: existing rows
 * are read until they are projected again.
 */
const rowFields = [
  'profileId',
  'orderNumber',
  'raisedHere',
  'state',
  'since',
  'amount',
  'currency',
  'description',
  'customer',
  'reason',
  'linkUsable',
  'paymentIds',
  'flags',
  'basis',
  'cardLast4',
  'firstAt',
  'lastAt',
  'agent',
  'events',
  'expiresAt',
  'paidAt',
  'customerFrom',
  'series',
  'entries',
  'review',
  'paidAmount',
  'paidCurrency',
  'pendingSince',
  'checkedAt',
  'concern',
  'dispute',
] as const satisfies readonly (keyof PaymentRow)[];

type MissingField = Exclude<keyof PaymentRow, (typeof rowFields)[number]>;
// Compile-time check: a field added to the row must be stored too.
const isComplete: [MissingField] extends [never] ? true : MissingField = true;

/**
 * An entry in a row: what the row repeats is left out. `kind`: negative for a counter-entry; `0` for the row's amount
 * and currency; the id by its place in the row.
 */
type PackedEntry = [
  kind: number,
  after: number,
  amount: string | null | 0,
  paymentId: number | string,
  rrn: string | null,
  approvalCode: string | null,
  statedDate: string | null,
  currency: string | null | 0,
];

const packEntry = (payment: Payment, entry: Entry): PackedEntry => {
  const known = payment.paymentIds.indexOf(entry.paymentId);
  const kind = movementKinds.indexOf(entry.kind);
  return [
    entry.isCounter ? -1 - kind : kind,
    entry.at - payment.firstAt,
    entry.amount === payment.amount ? 0 : entry.amount,
    known < 0 ? entry.paymentId : known,
    entry.rrn,
    entry.approvalCode,
    entry.statedDate,
    entry.currency === payment.currency ? 0 : entry.currency,
  ];
};

const readEntry = (
  row: PaymentRow,
  [kind, after, amount, paymentId, rrn, approvalCode, statedDate, currency]: PackedEntry,
): Entry => ({
  kind: movementKinds[kind < 0 ? -1 - kind : kind] ?? 'paid',
  isCounter: kind < 0,
  at: row.firstAt + after,
  amount: amount === 0 ? row.amount : amount,
  currency: currency === 0 ? row.currency : currency,
  paymentId: typeof paymentId === 'string' ? paymentId : (row.paymentIds[paymentId] ?? ''),
  rrn,
  approvalCode,
  statedDate,
});

/** A review in a row, without names; 0 for none. */
type PackedReview =
  | [
      resolved: [reason: number, text: string, after: number, agent: string] | 0,
      assignee: string | null,
      snoozedUntil: number | null,
    ]
  | 0;

const packReview = ({ review, firstAt }: Payment): PackedReview => {
  if (review === null) return 0;
  const { resolved, assignee, snoozedUntil } = review;
  return [
    resolved
      ? [resolutionReasons.indexOf(resolved.reason), resolved.text, resolved.at - firstAt, resolved.agent]
      : 0,
    assignee,
    snoozedUntil,
  ];
};

const readReview = (packed: PackedReview | undefined, firstAt: number): Review | null => {
  if (!packed) return null;
  const [resolved, assignee, snoozedUntil] = packed;
  if (resolved === 0) return { resolved: null, assignee, snoozedUntil };
  const [reason, text, after, agent] = resolved;
  return {
    resolved: { reason: resolutionReasons[reason] ?? 'other', text, at: firstAt + after, agent },
    assignee,
    snoozedUntil,
  };
};

/** A row of the list: everything except the link (a bearer credential) and the attempts. */
export const packRow = (payment: Payment): string => {
  const row = {
    ...payment,
    expiresAt: payment.link?.expiresAt ?? null,
    entries: payment.entries.map(entry => packEntry(payment, entry)),
    review: packReview(payment),
  };
  return JSON.stringify(isComplete && rowFields.map(field => row[field]));
};

export const readRow = (packed: string): PaymentRow => {
  const values = JSON.parse(packed) as unknown[];
  const row = Object.fromEntries(rowFields.map((field, index) => [field, values[index]])) as PaymentRow;
  const entries = (row.entries ?? []) as unknown as readonly PackedEntry[];
  return {
    ...row,
    entries: entries.map(entry => readEntry(row, entry)),
    review: readReview(row.review as unknown as PackedReview | undefined, row.firstAt),
  };
};
