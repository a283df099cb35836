import {
  documentedStatuses,
  documentedTypes,
  observedTypes,
  repeatableTypes,
} from '../../../../shared/callbacks/callback-meaning.ts';
import { fail, type Result } from '../../../../shared/errors.ts';
import type { EventDraft } from '../../../../shared/payments/evidence.ts';
import { msg } from '../../../../shared/messages/message.ts';
import type { LogDatabase } from './database.ts';
import { maxDeliveries } from '../../evidence/chain.ts';
import { eventsOfPayment } from './stored-event.ts';

/** Limits of one order's callbacks from the receiver, events and bytes; new signed evidence is never limited. */
const maxCallbacks = 1_000;
const maxBytes = 4 * 1024 * 1024;
/** Limit of verified callbacks beyond them whose content is new only in parameters that no signature covers. */
const maxFurther = 200;
/** Cache limit, orders. */
const maxOrders = 5_000;

/** The fields that the signature covers (§5.3), and those that describe a payment (§3.2). */
const signedNames = ['id', 'order_number', 'order_amount', 'order_currency', 'order_description'];
const types = new Set<string>([...documentedTypes, ...observedTypes]);
const statuses = new Set<string>(documentedStatuses);
/** The unsigned parameters in which two callbacks of a type that repeats differ. */
const repeatedNames = ['date', 'rrn'];

type Callback = Extract<EventDraft, { kind: 'callback.received' }>;

/** One order's callbacks so far. */
type Count = {
  callbacks: number;
  bytes: number;
  /** Deliveries of each callback. */
  deliveries: Map<string, number>;
  /** Verified callbacks that differ in a signed field, in type or in status. */
  signed: Set<string>;
  /** Those that differ also in date or rrn or have an unknown word, and how many were stored beyond the limits. */
  repeated: Set<string>;
  further: number;
};

/** `admitted`; `repeat`: the same callback is in the log often enough; or the reason for the refusal. */
export type Admission = 'admitted' | 'repeat' | Extract<Result<never>, { ok: false }>;

const isLimited = (draft: EventDraft): draft is Callback =>
  draft.kind === 'callback.received' && draft.body.via === 'receiver' && draft.orderNumber !== null;

const bytesOf = ({ body }: Callback): number =>
  body.fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);

/** Identifies a verified callback by its content: `signed` if its type and status are known, `repeated` if it may repeat. */
const keysOf = ({ body }: Callback): { signed: string | null; repeated: string | null } => {
  if (body.verification.verdict !== 'verified') return { signed: null, repeated: null };
  const fields = new Map(body.fields.toReversed());
  const type = fields.get('type') ?? '';
  const status = fields.get('status') ?? '';
  const content = [...signedNames.map(name => fields.get(name)), type, status];
  const isKnown = types.has(type) && statuses.has(status);
  const dated = [...content, ...repeatedNames.map(name => fields.get(name))];
  return {
    signed: isKnown ? JSON.stringify(content) : null,
    repeated: !isKnown || repeatableTypes.has(type) ? JSON.stringify(dated) : null,
  };
};

/**
 * Limits what others can add to one order. A signature leaves most parameters uncovered (§5.3), so the sender of one
 * genuine callback can produce any number of variants that verify. Unverified callbacks need no signature. A verified
 * callback with a new value in its signed fields, its type or its status is always admitted. One of a type that repeats,
 * with a new date or rrn, and one with an unknown type or status are admitted up to a second number.
 */
export const orderLimits = (database: LogDatabase) => {
  const readEvents = eventsOfPayment(database);
  const totals = database.prepare<[number], { n: number; bytes: number | null }>(
    `SELECT count(*) AS n, sum(length("values")) AS bytes FROM event WHERE payment = ? AND kind = 'callback.received'`,
  );
  const counts = new Map<number, Count>();

  const isWithin = (count: Count, draft: Callback): boolean =>
    count.callbacks < maxCallbacks && count.bytes + bytesOf(draft) <= maxBytes;
  const isNew = (known: ReadonlySet<string>, key: string | null): key is string =>
    key !== null && !known.has(key);
  const add = (count: Count, draft: Callback): void => {
    const { signed, repeated } = keysOf(draft);
    if (!isWithin(count, draft) && !isNew(count.signed, signed) && isNew(count.repeated, repeated))
      count.further += 1;
    if (signed !== null) count.signed.add(signed);
    if (repeated !== null) count.repeated.add(repeated);
    count.callbacks += 1;
    count.bytes += bytesOf(draft);
    const { dedupeKey } = draft;
    if (dedupeKey !== null) count.deliveries.set(dedupeKey, (count.deliveries.get(dedupeKey) ?? 0) + 1);
  };
  const remember = (payment: number, count: Count): Count => {
    counts.set(payment, count);
    if (counts.size > maxOrders)
      for (const oldest of counts.keys()) {
        counts.delete(oldest);
        break;
      }
    return count;
  };
  const read = (payment: number): Count => {
    const count: Count = {
      callbacks: 0,
      bytes: 0,
      deliveries: new Map(),
      signed: new Set(),
      repeated: new Set(),
      further: 0,
    };
    for (const event of readEvents(payment)) if (event.kind === 'callback.received') add(count, event);
    // Repeats beyond the counted ones are stored too.
    const { n = 0, bytes = 0 } = totals.get(payment) ?? {};
    count.callbacks = n;
    count.bytes = Math.max(count.bytes, bytes ?? 0);
    return remember(payment, count);
  };

  return {
    /** Whether a callback may be written. `payment`: its order's id; undefined if the log does not contain it yet. */
    admit: (payment: number | undefined, draft: EventDraft): Admission => {
      if (payment === undefined || !isLimited(draft)) return 'admitted';
      const count = counts.get(payment) ?? read(payment);
      const { dedupeKey } = draft;
      if (dedupeKey !== null && (count.deliveries.get(dedupeKey) ?? 0) >= maxDeliveries) return 'repeat';
      const { signed, repeated } = keysOf(draft);
      if (isNew(count.signed, signed) || isWithin(count, draft)) return 'admitted';
      if (isNew(count.repeated, repeated) && count.further < maxFurther) return 'admitted';
      return fail('receiver.quarantine-full', msg('callbacks.too-many'), {
        hint: msg('callbacks.too-many.hint'),
      });
    },
    /** Counts an event that was written. `first`: the order has no other. */
    count: (payment: number, draft: EventDraft, first: boolean): void => {
      if (draft.kind !== 'callback.received') return;
      const count = counts.get(payment);
      // The counts of an order with one callback are read when its second one arrives.
      if (count && !first) add(count, draft);
    },
    /** Clears all counts, after a transaction was rolled back. */
    reset: (): void => counts.clear(),
  };
};
