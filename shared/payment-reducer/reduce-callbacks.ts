import type { Event, EventOf, Verification } from '../payments/evidence.ts';
import {
  contradictsSale,
  isAllowedPair,
  isDocumentedStatus,
  isDocumentedType,
  repeatableTypes,
} from '../callbacks/callback-meaning.ts';
import { deliveryKey } from '../callbacks/pii-fields.ts';
import type { Terms } from './reduce-amounts.ts';
import type { FlagCollector } from './flag-collector.ts';

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
  /** Whether the profile took a refund's `order_amount` for the refunded amount when the callback arrived. */
  isRefundedAmount: boolean;
};

/** A parameter's value; absent ones may be empty or the literal text `null`. */
export const valueOf = (fields: ReadonlyMap<string, string>, name: string): string | null => {
  const value = fields.get(name);
  return value === undefined || value === '' || value === 'null' ? null : value;
};

/** All deliveries of one callback, oldest first. */
type Deliveries = [EventOf<'callback.received'>, ...EventOf<'callback.received'>[]];

/**
 * A signature that verified once is proof: a later failure only means that the password was changed. Otherwise the
 * last verification counts.
 */
const verdictOf = (
  deliveries: Deliveries,
  reverifications: ReadonlyMap<string, readonly EventOf<'callback.reverified'>[]>,
): Verification['verdict'] => {
  let { verdict } = deliveries[0].body.verification;
  const again = deliveries.flatMap(({ id }) => reverifications.get(id) ?? []);
  for (const { body } of [...deliveries, ...again]) {
    verdict = body.verification.verdict;
    if (verdict === 'verified') break;
  }
  return verdict;
};

/**
 * The callbacks among an order's events, with deliveries of one callback grouped by dedupe key. `events`: in
 * canonical order. Oldest first.
 */
export const receiptsOf = (events: readonly Event[]): Receipt[] => {
  const callbacks = events.filter(event => event.kind === 'callback.received');
  const reverifications = Map.groupBy(
    events.filter(event => event.kind === 'callback.reverified'),
    ({ body }) => body.callback,
  );
  const groups = new Map<string, Deliveries>();
  for (const event of callbacks) {
    // A key is costly to compute, and a single callback needs none.
    const key = callbacks.length === 1 ? '' : deliveryKey(event);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  const receipts: Receipt[] = [];
  for (const deliveries of groups.values()) {
    const [first] = deliveries;
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
      isRefundedAmount: first.body.refundAmount === 'refunded',
    });
  }
  return receipts;
};

/** Parameters not compared between deliveries: signed terms, which are compared with our request, and the signature. */
const signed = new Set(['order_amount', 'order_currency', 'order_description', 'hash']);
/** Fields that do not change while one transaction leaves the state waiting. */
const stableFields = /^(card|card_expiration_date|card_token|rrn|approval_code|customer_.*)$/;
/** A payer may open the page or pass the bank check more than once, each time with another card; no money moves. */
const neverCompared = new Set(['3ds', 'redirect']);

/** The transaction of a receipt, among those of one payment; null if it has no common identifier. */
const transactionOf = ({ type, status, terms, fields }: Receipt, paymentId: string): string | null => {
  if (neverCompared.has(type)) return null;
  const own = [paymentId, type];
  if (!repeatableTypes.has(type)) return JSON.stringify(own);
  const date = valueOf(fields, 'date');
  // A failed transaction may be tried again: another status is another attempt.
  return date === null ? null : JSON.stringify([...own, status, terms.amount, date, valueOf(fields, 'rrn')]);
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
const flagChanges = (
  { event, type, status, fields }: Receipt,
  paymentId: string,
  before: ReportedValues,
  notes: FlagCollector,
): void => {
  const compare = (field: string, value: string, slot = field): void => {
    const first = before.get(slot);
    if (!first) {
      before.set(slot, { value, event });
      return;
    }
    if (first.value === value) return;
    const ours = hidden.test(field) ? '•••' : first.value;
    const theirs = hidden.test(field) ? '•••' : value;
    notes.add('changed-between-deliveries', { field, ours, theirs, type, paymentId }, [first.event, event]);
  };
  if (!unfinished.has(status)) compare('status', status);
  for (const name of fields.keys()) {
    const value = valueOf(fields, name);
    if (value === null || signed.has(name)) continue;
    compare(name, value, stableFields.test(name) ? name : `${status} ${name}`);
  }
};

/** Raises the flags of callbacks alone: verdicts, duplicates, values outside §3.2, changes between deliveries. */
export const flagReceipts = (receipts: readonly Receipt[], notes: FlagCollector): void => {
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
    if (orderStatus !== null && type === 'sale' && contradictsSale(status, orderStatus)) {
      notes.add(
        'order-status-disagrees',
        { field: 'order_status', ours: `sale + ${status}`, theirs: orderStatus },
        [event],
      );
    }
    if (receipt.paymentId === null) continue;
    const transaction = transactionOf(receipt, receipt.paymentId);
    if (transaction === null) continue;
    const before: ReportedValues = reported.get(transaction) ?? new Map();
    reported.set(transaction, before);
    flagChanges(receipt, receipt.paymentId, before, notes);
  }
};
