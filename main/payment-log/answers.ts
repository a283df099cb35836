import type { ActivityGroup } from '../../shared/activity/activity.ts';
import type { EventHealth } from '../../shared/callbacks/event-health.ts';
import type { ProblemPlace } from '../../shared/messages/problem-place.ts';
import type { Event, EventOf, LookUpKey } from '../../shared/payments/evidence.ts';
import type { Payment, PaymentRow, PaymentState } from '../../shared/payments/payment.ts';
import type { ReviewList } from '../../shared/review/review.ts';

/** The types of the payment log's reads and answers. */

/** `more`: there are more than were counted. */
export type Counted = { count: number; more: boolean };

/** The number of payments by common fields; `flagged`: those with any flag; `retryable`: declined, with an active link. */
export type Counts = {
  states: Record<string, number>;
  retryable: number;
  currencies: Record<string, number>;
  flagged: number;
};

/** A page of an order's events. */
export type EventPage = {
  /** Oldest first. */
  events: Event[];
  /** The position of the page of earlier events; null if there are none. */
  earlier: string | null;
};

/** The position of an event: a writer's name and its number in that writer's chain. */
export type EventPlace = { writer: string; writerSeq: number };

/** A payment, and its state before one writer's events from a position on; null if there were none before. */
export type PaymentChange = { payment: Payment; previousState: PaymentState | null };

export type GatewayRequestEvent = EventOf<
  | 'session.accepted'
  | 'session.refused'
  | 'session.unanswered'
  | 'operation.answered'
  | 'operation.refused'
  | 'operation.unanswered'
  | 'status.observed'
>;

/** The latest of a profile's gateway requests and callbacks, by outcome. */
export type RecentGatewayActivity = {
  lastSuccess: GatewayRequestEvent | null;
  /** The last status check that the gateway answered. */
  lastLookUp: GatewayRequestEvent | null;
  lastFailure: GatewayRequestEvent | null;
  verified: EventOf<'callback.received'> | null;
  invalid: EventOf<'callback.received'> | null;
  /** How many events were scanned. */
  scanned: number;
};

/** The fields outside the body that an event's hash covers, in hash order. */
export type EventHeader = {
  writer: string;
  writerSeq: number;
  id: string;
  profileId: string;
  orderNumber: string | null;
  paymentId: string | null;
  happenedAt: number;
  recordedAt: number;
  agent: string;
  kind: string;
  dedupeKey: string | null;
};

/** An event as its chain stores it: what another log needs to hold the same link, byte for byte. */
export type ChainedEvent = EventHeader & {
  /** The body; see body-codec.ts. */
  shape: string;
  values: string;
  /** Salt in hex and the JSON array of values; null if there are none or they were erased. */
  personal: { salt: string; values: string } | null;
  /** Of the personal values, hex; null if there are none. */
  digest: string | null;
  /** Its link of the chain, hex. */
  hash: string;
};

/** An event with the complete input of its hash; see chain.ts. */
export type ProvenEvent = EventHeader & {
  /** The body's text as it was hashed, without personal and secret values; null if it is withheld. */
  body: string | null;
  bodySha256: string;
  /** Salt in hex and the JSON array of values; null if there are none, they were erased or may be secret. */
  personal: { salt: string; values: string } | null;
  personalDigest: string | null;
};

/** The content hashes of a writer's events from number `first` to `last`, after the link `from`. */
export type ProofPath = { writer: string; first: number; last: number; from: string; contents: string[] };

/** The end of one writer's chain. */
export type ChainEnd = {
  writer: string;
  /** The number of the writer's last event. */
  seq: number;
  /** Its link of the chain, lower-case hex. */
  hash: string;
};

/**
 * The ends of all chains at one instant, signed. With a signed head, later truncation or rebuilding of the log before
 * it can be detected.
 */
export type SignedHead = {
  format: 'counterfoil-head-1';
  /** Milliseconds since 1970. */
  at: number;
  chains: ChainEnd[];
  /** The export it was written with, and the SHA-256 of the file's bytes in hex; null if it was written alone. */
  export: { file: string; sha256: string } | null;
  /** Ed25519, SPKI, base64. */
  publicKey: string;
  /** Base64. */
  signature: string;
};

/** A stored head; `head` is null if the file does not contain one. */
export type HeadFile = {
  source: Extract<ProblemPlace, { kind: 'keychain' }> | { kind: 'head-file'; name: string };
  head: SignedHead | null;
};

/** An event whose personal values another installation's amendment `by` has erased in the shared log. */
export type AmendedEvent = EventPlace & { id: string; by: EventPlace };

/**
 * The scope of an erasure: all events recorded before an instant, orders in this order, or events that another installation's
 * amendments name; these need no amendment here.
 */
export type Erasure =
  | { reason: 'elsewhere'; events: readonly AmendedEvent[] }
  | { reason: 'retention'; agent: 'console'; before: number }
  | { reason: 'request'; agent: string; profileId: string; orderNumbers: readonly string[] };

/** `onErased`: called after each batch with the numbers of its orders. `signal`: ends the erasure after a batch. */
export type ErasureWatch = { onErased?: (orderNumbers: readonly string[]) => void; signal?: AbortSignal };

/** `list`: one of the review page, null for everything in the queue; `agent`: whose list `mine` is. */
export type ReviewSelection = { list: ReviewList | null; agent: string };

/** The types of a profile's latest verified callbacks, the last one to come first. */
export type CallbackTypes = Pick<EventHealth, 'types' | 'more'>;

/** A paid payment whose check is due, with the key of its look-up. */
export type PaymentToRecheck = { profileId: string; orderNumber: string; key: LookUpKey };

/** `person`: what they did, or what was done about them. */
export type ActivitySelection = { person: string | null; group: ActivityGroup | null };

/** `earlier`: the position of the next page; null if there is none. */
export type Activities = { events: EventOf<'activity.recorded'>[]; earlier: string | null };

/** What the merchant typed about a customer, in the latest spelling of each detail; `orderNumber`: of their newest payment. */
export type CustomerName = {
  orderNumber: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  payments: number;
};

/** A customer of one profile, who is derived from what the merchant typed. */
export type CustomerRecord = {
  /** One for each surest detail, the newest first; `joined`: the join that brought it here, and the order with which it was recorded. */
  spellings: (CustomerName & {
    joined: { id: string; agent: string; at: number; orderNumber: string } | null;
  })[];
  /** Newest first. */
  rows: PaymentRow[];
  /** Whether there are older payments. */
  more: boolean;
  /** Of these payments, newest first. */
  notes: EventOf<'note.added'>[];
  /** Other customers with the same phone number or full name. */
  candidates: CustomerName[];
};

/** A customer that a search found; `isApproximate`: by another spelling of a typed word. */
export type FoundCustomer = CustomerName & {
  profileId: string;
  isApproximate: boolean;
  newest: Pick<PaymentRow, 'amount' | 'currency'> & { at: number };
};

/** The customer that typed details name; `by`: the surest detail that found them. */
export type KnownCustomer = { by: 'email' | 'phone' | 'name'; rows: PaymentRow[]; more: boolean };
