import type { Event, EventOf, Verification } from '../../payments/evidence.ts';
import {
  contradictsSale,
  isAllowedPair,
  isDocumentedStatus,
  isDocumentedType,
  repeatableTypes,
} from '../../callbacks/callback-meaning.ts';
import { deliveryKey } from '../../callbacks/pii-fields.ts';
import type { Asked, Terms } from './terms.ts';
import type { FlagCollector } from './flag-collector.ts';

/** One piece of callback evidence: a callback and all its deliveries (§6.2.4). */
export type Receipt = {
  /** The first delivery's event. */
  event: string;
  /** When it first counted: as a verified one, otherwise when it was first seen. A later delivery never changes it. */
  at: number;
  /** The chain and the place of the event by which it counts. */
  writer: string;
  index: number;
  /** What had been asked for by then. */
  asked: Asked;
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

/** A delivery, or a second verification of one, with its place among the events. */
type Placed = { index: number; event: EventOf<'callback.received' | 'callback.reverified'> };
/** All deliveries of one callback, oldest first. */
type Deliveries = [EventOf<'callback.received'>, ...EventOf<'callback.received'>[]];

/** The parameters of a callback: equal for equal callbacks of any receiver. */
const contentOf = ({ profileId, body }: EventOf<'callback.received'>): string =>
  JSON.stringify([profileId, body.fields.map(([name, value]) => `${name}=${value}`).sort()]);

/**
 * The callbacks among an order's events: equal ones are deliveries of one. `events`: in order. A signature that verified
 * once is proof: a later failure only means that the password was changed. Otherwise the last verification counts. A
 * second verification counts only in the chain that holds the delivery, and a key only among deliveries of one chain.
 * Oldest first.
 */
export const receiptsOf = (events: readonly Event[], askedAt: (index: number) => Asked): Receipt[] => {
  const groups = new Map<string, { deliveries: Deliveries; checks: Placed[] }>();
  const byDelivery = new Map<string, { checks: Placed[] }>();
  const contents = new Map<string, string>();
  const received = events.filter(event => event.kind === 'callback.received').length;
  for (const [index, event] of events.entries()) {
    if (event.kind === 'callback.reverified')
      byDelivery.get(`${event.writer} ${event.body.callback}`)?.checks.push({ index, event });
    if (event.kind !== 'callback.received') continue;
    // Keys are costly to compute, and a single callback needs none.
    const content = received === 1 ? '' : contentOf(event);
    const own = received === 1 ? '' : `${event.writer} ${deliveryKey(event)}`;
    const key = contents.get(content) ?? contents.get(own) ?? own;
    contents.set(content, key).set(own, key);
    const group = groups.get(key) ?? { deliveries: [event], checks: [] };
    if (group.deliveries[0] !== event) group.deliveries.push(event);
    group.checks.push({ index, event });
    groups.set(key, group);
    byDelivery.set(`${event.writer} ${event.id}`, group);
  }
  return [...groups.values()].map(({ deliveries, checks }) => readReceipt(deliveries, checks, askedAt));
};

const readReceipt = (
  deliveries: Deliveries,
  checks: readonly Placed[],
  askedAt: (index: number) => Asked,
): Receipt => {
  const [first] = deliveries;
  const fields = new Map<string, string>();
  let repeated: string | null = null;
  for (const [name, value] of first.body.fields) {
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (before !== value) repeated ??= name;
  }
  const verdictOf = ({ event }: Placed): Verification['verdict'] => event.body.verification.verdict;
  const proof = checks.find(one => verdictOf(one) === 'verified');
  const last = checks.at(-1);
  const counts = proof ?? checks[0];
  const verdict = proof ? 'verified' : last ? verdictOf(last) : first.body.verification.verdict;
  return {
    event: first.id,
    at: counts?.event.happenedAt ?? first.happenedAt,
    writer: counts?.event.writer ?? first.writer,
    index: counts?.index ?? 0,
    asked: askedAt(counts?.index ?? 0),
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
  };
};

/** Parameters not compared between deliveries: signed terms, which are compared with our request, and the signature. */
const signed = new Set(['order_amount', 'order_currency', 'order_description', 'hash']);
/** Fields that do not change while one transaction leaves the state waiting. */
const stableFields = /^(card|card_expiration_date|card_token|rrn|approval_code|customer_.*)$/;
/** A payer may open the page or pass the bank check more than once, each time with another card; no money moves. */
const neverCompared = new Set(['3ds', 'redirect']);

/** The transaction of a receipt, among those of one payment and try; null if it has no common identifier. */
const comparedTransaction = (
  { type, status, terms, fields }: Receipt,
  paymentId: string,
  attempt: number,
): string | null => {
  if (neverCompared.has(type)) return null;
  const own = [paymentId, type, attempt];
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
export const flagReceipts = (
  receipts: readonly Receipt[],
  /** How often a retry of its payment was requested before a receipt: its result is a new one. */
  triesBefore: (receipt: Receipt) => number,
  notes: FlagCollector,
): void => {
  const reported = new Map<string, ReportedValues>();
  for (const receipt of receipts) {
    const { type, status, event, deliveries } = receipt;
    if (receipt.verdict !== 'verified')
      notes.add('unverified-evidence', { verdict: receipt.verdict, type, status }, deliveries);
    if (deliveries.length > 1)
      notes.add('duplicate-delivery', { type, status, deliveries: String(deliveries.length) }, deliveries);
    if (receipt.repeated !== null)
      notes.add('contradicts-interface', { field: receipt.repeated, theirs: 'more than one value' }, [event]);
    if (!isDocumentedType(type)) notes.add('outside-interface', { field: 'type', theirs: type }, [event]);
    if (!isDocumentedStatus(status))
      notes.add('outside-interface', { field: 'status', theirs: status }, [event]);
    else if (isDocumentedType(type) && !isAllowedPair(type, status))
      notes.add('contradicts-interface', { field: 'status', theirs: `${type} + ${status}` }, [event]);
    const orderStatus = valueOf(receipt.fields, 'order_status');
    if (orderStatus !== null && type === 'sale' && contradictsSale(status, orderStatus))
      notes.add(
        'order-status-disagrees',
        { field: 'order_status', ours: `sale + ${status}`, theirs: orderStatus },
        [event],
      );
    if (receipt.paymentId === null) continue;
    const transaction = comparedTransaction(receipt, receipt.paymentId, triesBefore(receipt));
    if (transaction === null) continue;
    const before: ReportedValues = reported.get(transaction) ?? new Map();
    reported.set(transaction, before);
    flagChanges(receipt, receipt.paymentId, before, notes);
  }
};
