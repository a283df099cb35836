import type { Event, EventOf, Verification } from '../payments/evidence.ts';
import { isAllowedPair, isDocumentedStatus, isDocumentedType } from '../callbacks/callback-meaning.ts';
import { deliveryKey } from '../callbacks/pii-fields.ts';
import type { Terms } from './reduce-amounts.ts';
import type { FlagNotes } from './reduce-flags.ts';

/** One piece of callback evidence: a callback and all its deliveries (§6.2.4). */
export type Receipt = {
  /** The first delivery's event. */
  event: string;
  /** When it was first seen; a later delivery never changes it. */
  at: number;
  deliveries: readonly string[];
  verdict: Verification['verdict'];
  /** Verified and unambiguous: only such callbacks may change a state. */
  trusted: boolean;
  /** First value of each parameter. */
  fields: ReadonlyMap<string, string>;
  /** A parameter that occurs twice with different values; the right one is unknown. */
  repeated: string | null;
  paymentId: string | null;
  type: string;
  status: string;
  terms: Terms;
  /** The profile's interpretation of a refund's `order_amount` when the callback arrived. */
  refundAmount: 'order' | 'refunded';
};

/** A parameter's value; absent ones may be empty or the literal text `null`. */
export const valueOf = (fields: ReadonlyMap<string, string>, name: string): string | null => {
  const value = fields.get(name);
  return value === undefined || value === '' || value === 'null' ? null : value;
};

/** A signature that verified once is proof: a later failure only means that the password was changed. */
const verdictOf = (
  deliveries: readonly EventOf<'callback.received'>[],
  reverifications: ReadonlyMap<string, readonly EventOf<'callback.reverified'>[]>,
): Verification['verdict'] => {
  let verdict: Verification['verdict'] = 'no-hash';
  for (const delivery of deliveries) {
    verdict = delivery.body.verification.verdict;
    if (verdict === 'verified') return verdict;
  }
  for (const delivery of deliveries) {
    for (const reverification of reverifications.get(delivery.id) ?? []) {
      verdict = reverification.body.verification.verdict;
      if (verdict === 'verified') return verdict;
    }
  }
  return verdict;
};

/**
 * The callbacks among an order's events, with deliveries of one callback grouped by dedupe key. `events`: in
 * canonical order. Oldest first.
 */
export const receiptsOf = (events: readonly Event[]): Receipt[] => {
  const groups = new Map<string, EventOf<'callback.received'>[]>();
  const reverifications = new Map<string, EventOf<'callback.reverified'>[]>();
  const callbacks = events.reduce((n, { kind }) => (kind === 'callback.received' ? n + 1 : n), 0);
  for (const event of events) {
    if (event.kind === 'callback.received') {
      // A key is costly to compute, and a single callback needs none.
      const key = callbacks === 1 ? '' : deliveryKey(event);
      const group = groups.get(key);
      if (group) group.push(event);
      else groups.set(key, [event]);
    } else if (event.kind === 'callback.reverified') {
      const known = reverifications.get(event.body.callback);
      if (known) known.push(event);
      else reverifications.set(event.body.callback, [event]);
    }
  }
  const receipts: Receipt[] = [];
  for (const deliveries of groups.values()) {
    const first = deliveries[0];
    if (!first) continue;
    const fields = new Map<string, string>();
    let repeated: string | null = null;
    for (const [name, value] of first.body.fields) {
      const before = fields.get(name);
      if (before === undefined) fields.set(name, value);
      else if (before !== value) repeated ??= name;
    }
    const verdict = verdictOf(deliveries, reverifications);
    receipts.push({
      event: first.id,
      at: first.happenedAt,
      deliveries: deliveries.map(delivery => delivery.id),
      verdict,
      trusted: verdict === 'verified' && repeated === null,
      fields,
      repeated,
      paymentId: valueOf(fields, 'id') ?? first.paymentId,
      type: fields.get('type') ?? '',
      status: fields.get('status') ?? '',
      terms: {
        amount: valueOf(fields, 'order_amount'),
        currency: valueOf(fields, 'order_currency'),
        description: fields.get('order_description') ?? null,
      },
      refundAmount: first.body.refundAmount ?? 'order',
    });
  }
  return receipts;
};

/**
 * Parameters not compared between deliveries: the signed ones and the signature (§5.3), and those with a separate
 * comparison.
 */
const compared = new Set([
  'id',
  'order_number',
  'order_amount',
  'order_currency',
  'order_description',
  'hash',
  'type',
  'status',
]);
/** Fields that do not change while one transaction leaves the state waiting. */
const stableFields = /^(card|card_expiration_date|card_token|rrn|approval_code|customer_.*)$/;
/** Types that may occur several times per payment, each as a separate transaction. */
const repeatable = new Set(['refund', 'void', 'chargeback', 'recurring', 'capture', 'debit', 'transfer']);
/** A payer may open the page or pass the bank check more than once, each time with another card; no money moves. */
const neverCompared = new Set(['3ds', 'redirect']);

/** The transaction of a receipt, among those of one payment; null if it has no common identifier. */
const transactionOf = (receipt: Receipt): string | null => {
  if (receipt.paymentId === null || neverCompared.has(receipt.type)) return null;
  const own = `${receipt.paymentId} ${receipt.type}`;
  if (!repeatable.has(receipt.type)) return own;
  const date = valueOf(receipt.fields, 'date');
  if (date === null) return null;
  // A failed transaction may be tried again: another status is another attempt.
  return `${own} ${receipt.status} ${receipt.terms.amount ?? ''} ${date} ${valueOf(receipt.fields, 'rrn') ?? ''}`;
};

/** Values never shown, even in a flag. */
const hidden = /token/i;

/** Statuses that another one may follow: `undefined` means that the outcome is uncertain (field notes). */
const unfinished = new Set(['waiting', 'undefined']);

/** The first reported values of a transaction, by field, with their events. */
type ReportedValues = Map<string, { value: string; event: string }>;

/**
 * Compares a receipt with earlier reports of its transaction. Waiting becomes success or fail normally, in either
 * order of arrival, with new fields; one final status becoming another is a conflict.
 */
const flagChanges = (receipt: Receipt, before: ReportedValues, notes: FlagNotes): void => {
  const compare = (slot: string, field: string, value: string): void => {
    const first = before.get(slot);
    if (!first) {
      before.set(slot, { value, event: receipt.event });
      return;
    }
    if (first.value === value) return;
    const ours = hidden.test(field) ? '•••' : first.value;
    const theirs = hidden.test(field) ? '•••' : value;
    notes.add(
      'changed-between-deliveries',
      { field, ours, theirs, type: receipt.type, paymentId: receipt.paymentId ?? '' },
      [first.event, receipt.event],
    );
  };
  if (!unfinished.has(receipt.status)) compare('status', 'status', receipt.status);
  for (const name of receipt.fields.keys()) {
    if (compared.has(name)) continue;
    const value = valueOf(receipt.fields, name);
    if (value === null) continue;
    if (stableFields.test(name)) compare(name, name, value);
    else compare(`${receipt.status} ${name}`, name, value);
  }
};

/** Raises the flags of callbacks alone: verdicts, duplicates, values outside §3.2, changes between deliveries. */
export const flagReceipts = (receipts: readonly Receipt[], notes: FlagNotes): void => {
  const reported = new Map<string, ReportedValues>();
  for (const receipt of receipts) {
    const { type, status, event, deliveries } = receipt;
    if (receipt.verdict !== 'verified') {
      notes.add('unverified-evidence', { verdict: receipt.verdict, type, status }, deliveries);
    }
    if (deliveries.length > 1) {
      notes.add('duplicate-delivery', { type, status, deliveries: String(deliveries.length) }, deliveries);
    }
    if (receipt.repeated !== null) {
      notes.add('contradicts-interface', { field: receipt.repeated, theirs: 'more than one value' }, [event]);
    }
    if (!isDocumentedType(type)) notes.add('outside-interface', { field: 'type', theirs: type }, [event]);
    if (!isDocumentedStatus(status)) {
      notes.add('outside-interface', { field: 'status', theirs: status }, [event]);
    } else if (isDocumentedType(type) && !isAllowedPair(type, status)) {
      notes.add('contradicts-interface', { field: 'status', theirs: `${type} + ${status}` }, [event]);
    }
    const orderStatus = valueOf(receipt.fields, 'order_status');
    if (orderStatus !== null && type === 'sale') {
      const hasConflict =
        (status === 'success' && orderStatus !== 'settled') ||
        (status === 'fail' && orderStatus === 'settled');
      if (hasConflict) {
        notes.add(
          'order-status-disagrees',
          { field: 'order_status', ours: `sale + ${status}`, theirs: orderStatus },
          [event],
        );
      }
    }
    const transaction = transactionOf(receipt);
    if (transaction === null) continue;
    const before: ReportedValues = reported.get(transaction) ?? new Map();
    reported.set(transaction, before);
    flagChanges(receipt, before, notes);
  }
};
