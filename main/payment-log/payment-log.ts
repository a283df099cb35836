import type { Event, EventDraft, EventOf } from '../../shared/payments/evidence.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import type { Overview } from '../../shared/reports/overview.ts';
import type { OrderRecord, Payment, PaymentRow } from '../../shared/payments/payment.ts';
import type {
  PaymentFilter,
  PaymentPage,
  ReconciliationPage,
  VerifyReport,
} from '../../shared/contract/index.ts';
import type { ReconciliationCause } from '../../shared/reports/reconcile.ts';
import type { Erasure } from './store/erase.ts';
import type { HeadFile } from './integrity/head-files.ts';
import type { RecentGatewayActivity } from './query/recent-gateway-activity.ts';
import type { Counted } from './query/count.ts';
import type { EventPage } from './query/event-page.ts';
import type { Counts, EventPlace, PaymentChange } from './store/reader.ts';
import type { ProofPath, ProvenEvent } from './integrity/proof.ts';
import type { ChainEnd } from './integrity/read-signed-head.ts';

export type Appended = {
  /** Written events, in the order of the drafts; a draft already known by its dedupe key is still an event (a delivery). */
  events: readonly Event[];
  /** For each draft: whether its dedupe key was already in the log. */
  duplicates: readonly boolean[];
};

/**
 * The payment log: evidence appended, payments derived. It runs on a worker
 * thread; every promise resolves off the main thread's time.
 */
export type PaymentLog = {
  /**
   * Resolves when the events are on disk. A callback from the receiver that is known often enough gives no event; one
   * that says nothing new of an order with too many is refused (`receiver.quarantine-full`). Errors: `log.full`, `log.read-only`, `log.unavailable`, `log.corrupt`, `log.busy`.
   */
  append(drafts: readonly EventDraft[]): Promise<Result<Appended>>;
  /** Null when no evidence names this order under this profile. */
  payment(profileId: string, orderNumber: string): Promise<Payment | null>;
  /** What the list of payments holds of an order, without reading its evidence; null when it is not listed. */
  orderRecord(profileId: string, orderNumber: string): Promise<OrderRecord | null>;
  /** One page of an order's evidence, the latest first; see event-page.ts. `before`: null, or what was answered as `earlier`. */
  eventPage(profileId: string, orderNumber: string, before: number | null): Promise<EventPage>;
  /** A payment now, and its state before one writer's events from some place on; null when nothing names it. */
  change(profileId: string, orderNumber: string, since: EventPlace): Promise<PaymentChange | null>;
  /** All evidence of one order, oldest first: for what must have all of it, such as a dossier. */
  events(profileId: string, orderNumber: string): Promise<readonly Event[]>;
  /** The orders under which a payment id was seen. */
  ordersOf(paymentId: string): Promise<readonly { profileId: string; orderNumber: string }[]>;
  list(filter: PaymentFilter, cursor: string | null, limit: number): Promise<PaymentPage>;
  /** How many payments a filter lets through; what cannot be told without walking is counted to 999. */
  count(filter: PaymentFilter): Promise<Counted>;
  counts(profileId: string | null): Promise<Counts>;
  /** Links raised between the first of `cuts` and the last, day by day; milliseconds, ascending. */
  overview(profileId: string | null, dayBoundaries: readonly number[]): Promise<Overview>;
  /** Payments whose story is incomplete or contradictory, gravest cause first; counts with the first page alone. */
  reconcile(
    profileId: string | null,
    cause: ReconciliationCause | null,
    cursor: string | null,
    limit: number,
  ): Promise<ReconciliationPage>;
  /** Payments whose link still runs, the first to run out first. */
  expiringSoon(profileId: string | null, limit: number): Promise<readonly PaymentRow[]>;
  /** Notes recorded since an instant (milliseconds), newest first. */
  notesSince(
    profileId: string | null,
    since: number,
    limit: number,
  ): Promise<readonly EventOf<'note.added'>[]>;
  /** A profile's latest calls and callbacks, by how they went. */
  recentGatewayActivity(profileId: string): Promise<RecentGatewayActivity>;
  /** Callbacks, newest first. */
  recentCallbacks(limit: number): Promise<readonly Event[]>;
  /** Look-ups that found no payment, newest first; with `paymentIds` those about these ids, whatever came of them. */
  inquiries(
    profileId: string,
    limit: number,
    paymentIds?: readonly string[],
  ): Promise<readonly EventOf<'status.observed'>[]>;
  hasEvent(profileId: string, orderNumber: string | null, dedupeKey: string): Promise<boolean>;
  /** Where every writer's chain ends: what a signed head signs. */
  chainEnds(): Promise<readonly ChainEnd[]>;
  /** When the last event was recorded, in milliseconds; null when there is none. */
  lastRecordedAt(): Promise<number | null>;
  /** All that the hashes of an order's events are made of. */
  proof(profileId: string, orderNumber: string): Promise<readonly ProvenEvent[]>;
  /** The way along a writer's chain from an order's event to number `last`; null when it is too long. */
  proofPath(
    profileId: string,
    orderNumber: string,
    writer: string,
    first: number,
    last: number,
  ): Promise<ProofPath | null>;
  /** Copies the log, in use as it is, into one file; see copy-log.ts. */
  copyTo(
    copy: string,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Result<{ bytes: number }>>;
  /** Erases personal details for good and writes down that it did. Returns in how many payments. Errors: as `append`. */
  erase(erasure: Erasure): Promise<Result<{ payments: number }>>;
  /** Makes the list of payments again from the evidence; resolves when it is complete. Errors: as `append`. */
  rebuild(): Promise<Result<undefined>>;
  /** Verifies the log against itself, the signed heads beside it and `heads`, which are kept elsewhere. */
  verify(
    onProgress?: (done: number, total: number) => void,
    heads?: readonly HeadFile[],
  ): Promise<VerifyReport>;
  /** Called after every durable append with the payments it touched. */
  onChange(
    listener: (
      payments: readonly { profileId: string; orderNumber: string }[],
      events: readonly Event[],
    ) => void,
  ): () => void;
  close(): Promise<void>;
};

export type OpenPaymentLog = (options: {
  /** Path of the database file; made when missing, never deleted. */
  file: string;
  /** Who writes: one chain per installation. */
  writer: string;
  /** Told when the log fails in use, and with null when it works again. */
  onStateError?: (error: AppError | null) => void;
  /** Told of a question that took long: its name alone, and milliseconds. */
  onSlow?: (question: string, milliseconds: number) => void;
  /** How long a question about the list waits for what was just written, in milliseconds. */
  timeoutMs?: number;
}) => Promise<Result<PaymentLog>>;
