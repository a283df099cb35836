import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import type { Event, EventDraft, EventOf } from '../../shared/payments/evidence.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import type { ListStanding } from '../../shared/payments/list-standing.ts';
import type { MovedMoney } from '../../shared/money/moved-money.schema.ts';
import type { Overview } from '../../shared/reports/overview.ts';
import type { Span } from '../../shared/reports/periods.ts';
import type { OrderRecord, Payment, PaymentRow } from '../../shared/payments/payment.ts';
import type {
  FoundPayments,
  ListedPage,
  PaymentFilter,
  PaymentPage,
  PaymentTotals,
  ReconciliationPage,
  VerifyReport,
} from '../../shared/contract/contract.ts';
import type { ReconciliationCause } from '../../shared/reports/reconcile.ts';
import type {
  Activities,
  ActivitySelection,
  CallbackTypes,
  ChainEnd,
  ChainedEvent,
  Counted,
  Counts,
  CustomerRecord,
  Erasure,
  ErasureWatch,
  EventPage,
  EventPlace,
  FoundCustomer,
  HeadFile,
  KnownCustomer,
  PaymentChange,
  PaymentToRecheck,
  ProofPath,
  ProvenEvent,
  RecentGatewayActivity,
  ReviewSelection,
} from './answers.ts';
import type { SharedLogSettings } from './postgres/connection-settings.ts';
import type { TypedDetails } from './projection/customer-keys.ts';

export type Appended = {
  /** Written events, in the order of the drafts; a draft with a known dedupe key is still an event (a delivery). */
  events: readonly Event[];
  /** For each draft: whether its dedupe key was already in the log. */
  duplicates: readonly boolean[];
};

export type OwnChain = {
  writer: string;
  /**
   * Its events after number `after`, oldest first, at most `limit` of them or about 8 million characters. `chain`: the
   * writer of another chain in this log.
   */
  events(after: number, limit: number, chain?: string): Promise<readonly ChainedEvent[]>;
  /**
   * Stores events that continue the chain, byte for byte, as the shared log holds them; all or none. Errors: as
   * `append`, and `log.fork` if they do not continue it.
   */
  restore(events: readonly ChainedEvent[]): Promise<Result<undefined>>;
  /** From now on `milliseconds` are added to this computer's clock for the times of recording. */
  correctClock(milliseconds: number): Promise<void>;
};

/** The files of a log. */
export type LogFiles = {
  /** Of the database, for a thread of this program. */
  path: string;
  /** Copies the log, while in use, into one file. Errors: every `log.*` code, `file.unwritable`. */
  copyTo(
    copy: string,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Result<{ bytes: number }>>;
  /** Ends the report of confirmed events that are missing: a person has dealt with it. Errors: as `append`. */
  settleLoss(): Promise<Result<undefined>>;
};

/** As a `logId`: the list keeps the chains that it has. */
export const anyLog = 'any';

/** A shared log whose chains a list has. `maxAwayMs`: how long it may be without the erasures there. */
export type FollowedLog = { logId: string; maxAwayMs: number };

/** The list of payments of all installations, beside the evidence; made again whenever it cannot be used. */
export type PaymentList = {
  standing(): ListStanding;
  /** Resolves when it is whole. Errors: `log.incomplete` after `milliseconds`, and why it cannot be made. */
  whole(milliseconds: number): Promise<Result<undefined>>;
  /** Deletes it and makes it again; resolves when it is whole. Errors: `log.*`. */
  rebuild(): Promise<Result<undefined>>;
  /**
   * Has the chains of this shared log from now on, null: none. `settings`: where to read them, once that is known. It
   * connects again after a failure.
   */
  follow(shared: FollowedLog | null, settings?: SharedLogSettings): Promise<void>;
  /** Whether a person is at the console: then it follows news at once, otherwise every 5 seconds. */
  attend(isAttended: boolean): void;
  /** Called with what other installations wrote; `payments` null: any payment may have changed. */
  onElsewhere(
    listener: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void,
  ): () => void;
  /** Called when the standing has changed. */
  onStanding(listener: (standing: ListStanding) => void): () => void;
};

/**
 * What a payment log answers. A failed read rejects with a LogFailure. A new read is added here and to `logReader`, which
 * answers it, with its source in `readSources`.
 */
export type PaymentLogReader = {
  /** Null if no event names this order under this profile. */
  payment(profileId: string, orderNumber: string): Promise<Payment | null>;
  /** What is known of an order; null if nothing is. */
  orderRecord(profileId: string, orderNumber: string): Promise<OrderRecord | null>;
  /**
   * One page of an order's events, the latest first. `before`: null, or the `earlier` of the previous page.
   */
  eventPage(profileId: string, orderNumber: string, before: string | null): Promise<EventPage>;
  /** A payment now, and its state before one writer's events from a position on; null if no event names it. */
  change(profileId: string, orderNumber: string, since: EventPlace): Promise<PaymentChange | null>;
  /** What was recorded under a name that is no profile's, and no order: statements, see `statement.recorded`. */
  statementRecords(name: string): Promise<readonly EventOf<'statement.recorded'>[]>;
  /** All events of one order, oldest first: for consumers that need all of them, such as a dossier. */
  events(profileId: string, orderNumber: string): Promise<readonly Event[]>;
  /** The customer of a payment with at most `limit` of their payments; null if the merchant typed none. */
  customer(profileId: string, orderNumber: string, limit: number): Promise<CustomerRecord | null>;
  /**
   * The orders of a payment's customer, in an order in which they can be erased: while one is left, those after it are
   * found from the last one.
   */
  ordersToErase(profileId: string, orderNumber: string): Promise<readonly string[]>;
  /** The customer that typed details name, with at most `limit` of their links; null if none has such details. */
  knownCustomer(profileId: string, typed: TypedDetails, limit: number): Promise<KnownCustomer | null>;
  /** Customers by any part of name or e-mail address, or by phone number, newest first. */
  findCustomers(profileId: string | null, words: string, limit: number): Promise<readonly FoundCustomer[]>;
  /**
   * Orders whose customer has one of these details, or was joined with such a customer, with this amount (minor units),
   * begun since the day of an instant (milliseconds), or with a request for a link since then; newest first.
   */
  ordersOfCustomer(
    profileId: string,
    typed: TypedDetails,
    amount: number,
    currency: string,
    since: number,
  ): Promise<readonly string[]>;
  /** The orders under which a payment id was seen. */
  ordersOf(paymentId: string): Promise<readonly PaymentKey[]>;
  /** One page, newest first; payments that match the words almost if none matches them. */
  list(filter: PaymentFilter, cursor: string | null, limit: number): Promise<ListedPage>;
  /** The rows of the list of these payments, in their order; one that is not listed has none. */
  rows(payments: readonly PaymentKey[]): Promise<readonly PaymentRow[]>;
  /** The first payments that a search finds: exact ones, then those that match almost. */
  find(filter: PaymentFilter, limit: number): Promise<FoundPayments>;
  /**
   * The orders of a profile with events after these positions of their chains; of a chain that has none, with events
   * recorded after `since`, milliseconds.
   */
  ordersSince(
    profileId: string,
    positions: Readonly<Record<string, number>>,
    since: number,
  ): Promise<readonly string[]>;
  /** Payments whose money moved in a time span (milliseconds, half-open), the first to move first. */
  moved(
    profileId: string | null,
    from: number,
    until: number,
    cursor: string | null,
    limit: number,
  ): Promise<PaymentPage>;
  /** What moved in each time span by its own date, the currency with the most payments first. */
  movedMoney(profileId: string | null, spans: readonly Span[]): Promise<MovedMoney[][]>;
  /**
   * Paid payments of these profiles without a look-up since the last of `days` (ascending, days after the payment);
   * at most `limit`. `now`: milliseconds.
   */
  paymentsToRecheck(
    profileIds: readonly string[],
    days: readonly number[],
    now: number,
    limit: number,
  ): Promise<readonly PaymentToRecheck[]>;
  /** The number of payments that match a filter; a count that needs a scan stops at 999. */
  count(filter: PaymentFilter): Promise<Counted>;
  /** The number of payments that match a filter, and their sums by currency; no sums beyond a limit. */
  totals(filter: PaymentFilter): Promise<PaymentTotals>;
  counts(profileId: string | null): Promise<Counts>;
  /** Links created between the first of `dayBoundaries` and the last, day by day; milliseconds, ascending. */
  overview(profileId: string | null, dayBoundaries: readonly number[]): Promise<Overview>;
  /** Payments with missing or conflicting information, gravest cause first; counts with the first page only. */
  reconcile(
    profileId: string | null,
    cause: ReconciliationCause | null,
    cursor: string | null,
    limit: number,
    selection?: ReviewSelection,
  ): Promise<ReconciliationPage>;
  /** Payments with an active link, the first to expire first. */
  expiringSoon(profileId: string | null, limit: number): Promise<readonly PaymentRow[]>;
  /** Notes recorded since an instant (milliseconds), newest first. */
  notesSince(
    profileId: string | null,
    since: number,
    limit: number,
  ): Promise<readonly EventOf<'note.added'>[]>;
  /**
   * Operations that this installation requested since an instant (milliseconds) and that may have been sent, oldest first.
   */
  operationsSince(since: number): Promise<readonly EventOf<'operation.requested'>[]>;
  /** A profile's latest gateway requests and callbacks, by outcome. */
  recentGatewayActivity(profileId: string): Promise<RecentGatewayActivity>;
  /** Whether a verified callback came for a profile. */
  hasCallbacks(profileId: string): Promise<boolean>;
  /** The types of callbacks that came for a profile. */
  callbackTypes(profileId: string): Promise<CallbackTypes>;
  /** Callbacks, newest first. */
  recentCallbacks(limit: number): Promise<readonly Event[]>;
  /**
   * Look-ups that found no payment, newest first; with `paymentIds` all look-ups of these ids, with any result.
   */
  inquiries(
    profileId: string,
    limit: number,
    paymentIds?: readonly string[],
  ): Promise<readonly EventOf<'status.observed'>[]>;
  /** Activities of people before a position (null: the newest of all), newest first, at most `limit`. */
  activities(selection: ActivitySelection, before: string | null, limit: number): Promise<Activities>;
  hasEvent(profileId: string, orderNumber: string | null, dedupeKey: string): Promise<boolean>;
  /** Whether this installation has written about an order. */
  hasWritten(profileId: string, orderNumber: string): Promise<boolean>;
  /** The end of every chain that this installation has written: the content of a signed head. */
  chainEnds(): Promise<readonly ChainEnd[]>;
  /** When the last event was recorded, milliseconds; null if the log is empty. */
  lastRecordedAt(): Promise<number | null>;
  /** The complete input of the hashes of an order's events. */
  proof(profileId: string, orderNumber: string): Promise<readonly ProvenEvent[]>;
  /** The path along a writer's chain from an order's event to number `last`; null if it is too long. */
  proofPath(
    profileId: string,
    orderNumber: string,
    writer: string,
    first: number,
    last: number,
  ): Promise<ProofPath | null>;
};

export type ReadName = keyof PaymentLogReader;

/** The same questions, answered at once: what a worker thread offers. */
export type PaymentLogAnswers = {
  [N in ReadName]: (...args: Parameters<PaymentLogReader[N]>) => Awaited<ReturnType<PaymentLogReader[N]>>;
};

/**
 * What a read needs: the evidence alone; the list of payments, which follows the evidence; or all of the list, because a
 * part of it would be taken for the whole.
 */
export const readSources = {
  payment: 'evidence',
  orderRecord: 'evidence',
  eventPage: 'evidence',
  change: 'evidence',
  events: 'evidence',
  statementRecords: 'evidence',
  ordersSince: 'evidence',
  notesSince: 'evidence',
  operationsSince: 'evidence',
  recentGatewayActivity: 'evidence',
  hasCallbacks: 'evidence',
  callbackTypes: 'evidence',
  recentCallbacks: 'evidence',
  activities: 'evidence',
  hasEvent: 'evidence',
  hasWritten: 'evidence',
  chainEnds: 'evidence',
  lastRecordedAt: 'evidence',
  proof: 'evidence',
  proofPath: 'evidence',
  customer: 'list',
  knownCustomer: 'list',
  findCustomers: 'list',
  ordersOfCustomer: 'list',
  ordersOf: 'list',
  list: 'list',
  rows: 'list',
  find: 'list',
  paymentsToRecheck: 'list',
  count: 'list',
  counts: 'list',
  reconcile: 'list',
  expiringSoon: 'list',
  inquiries: 'list',
  ordersToErase: 'whole-list',
  moved: 'whole-list',
  movedMoney: 'whole-list',
  totals: 'whole-list',
  overview: 'whole-list',
} as const satisfies Readonly<Record<ReadName, 'evidence' | 'list' | 'whole-list'>>;

/** The reads that need the list. */
export type ListRead = {
  [N in ReadName]: (typeof readSources)[N] extends 'evidence' ? never : N;
}[ReadName];

/** Every read, each sent to `ask` by its name. */
export const createLogReader = (
  ask: (name: ReadName, args: readonly unknown[]) => Promise<unknown>,
): PaymentLogReader =>
  Object.fromEntries(
    Object.keys(readSources).map(name => [name, (...args: unknown[]) => ask(name as ReadName, args)]),
  ) as unknown as PaymentLogReader;

/** Calls the read of this name. */
export const callRead = <N extends string>(
  reader: Readonly<Record<N, unknown>>,
  name: N,
  args: readonly unknown[],
): unknown => (reader[name] as (...all: readonly unknown[]) => unknown)(...args);

/**
 * The payment log: evidence is appended, payments are derived. It runs on worker threads; no promise blocks the main
 * thread.
 */
export type PaymentLog = PaymentLogReader & {
  /**
   * Resolves when the events are on disk. A callback from the receiver that has been stored often enough yields no
   * event. A callback that adds no information to an order with too many is refused (`receiver.quarantine-full`).
   * Errors: `log.full`, `log.read-only`, `log.unavailable`, `log.corrupt`, `log.busy`.
   */
  append(drafts: readonly EventDraft[]): Promise<Result<Appended>>;
  /** The chain that this installation writes. */
  ownChain: OwnChain;
  files: LogFiles;
  /** Null if there is none, as at an intake. */
  paymentList: PaymentList | null;
  /**
   * Erases personal data permanently and records the erasure; what was erased before `signal` ended it stays erased, and
   * nothing of it is left in the files. Returns the number of payments. Errors: as `append`.
   */
  erase(erasure: Erasure, watch?: ErasureWatch): Promise<Result<{ payments: number }>>;
  /** Verifies the evidence against itself, the signed heads next to it and `heads`, which are stored elsewhere. */
  verify(
    onProgress?: (done: number, total: number) => void,
    heads?: readonly HeadFile[],
  ): Promise<VerifyReport>;
  /** Called after every durable append with the affected payments; null: any payment may have changed. */
  onChange(listener: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void): () => void;
  close(): Promise<void>;
};

export type OpenPaymentLog = (options: {
  /** Path of the database file; created if missing, never deleted. */
  file: string;
  /** The writer's name: one chain per installation. */
  writer: string;
  /** Called when the log fails while in use, and with null when it works again. */
  onStateError?: (error: AppError | null) => void;
  /** Called after a slow request: its name only, and milliseconds. */
  onSlow?: (read: string, milliseconds: number) => void;
  /** Read timeout: how long a read of the list waits for what was written before it. */
  timeoutMs?: number;
  /** False: no list is kept, and its reads fail. */
  hasList?: boolean;
  /** The shared log whose chains the list has. */
  followed?: FollowedLog | null;
}) => Promise<Result<PaymentLog>>;

/** Opens the log; `onStateError` as in `OpenPaymentLog`. Called again after its files were changed. */
export type OpenLog = (onStateError: (error: AppError | null) => void) => Promise<Result<PaymentLog>>;
