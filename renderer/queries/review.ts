import type { ReconciliationPage } from '../../shared/contract/contract.ts';
import { ok } from '../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import {
  needsReviewOf,
  reconcile,
  type NeedsReview,
  type ReconciliationCause,
  type ReconciliationCount,
  type ReconciliationRow,
} from '../../shared/reports/reconcile.ts';
import type { ReviewList } from '../../shared/review/review.ts';
import { currentTime } from '../i18n/time-left.ts';
import { request } from '../ipc-client.ts';
import { useActiveProfileId } from '../stores/app-state-store.ts';
import { createQuery, type Changed } from './create-query.ts';
import { readRows, withRows } from './rows.ts';

/** The numbers of a profile's payments that need review. */
type ReviewCounts = {
  /** Gravest cause first. */
  counts: readonly ReconciliationCount[];
  /** Of all causes. */
  needsReview: NeedsReview;
  /** Of the lists that people made. */
  lists: ReconciliationPage['lists'];
};

const none: ReviewCounts = { counts: [], needsReview: needsReviewOf([]), lists: null };

/** Delay after a change of payments, milliseconds: changes come in groups. */
const throttleMs = 1_500;
/** Payments also enter the queue by the passing of time. */
const everyMs = 60_000;

const countsQuery = createQuery({
  read: async ({ profileId }: { profileId: string | null }) => {
    const read = await request('payments.reconcile', { profileId, limit: 0 });
    if (!read.ok) return read;
    const { counts, lists } = read.value;
    return ok({ counts: counts ?? [], needsReview: needsReviewOf(counts ?? []), lists });
  },
  on: ['payments.changed'],
  throttleMs,
  everyMs,
});

/** The numbers of the active profile. `settleMs`: a screen that shows them first does not wait for them. */
export const useReviewCounts = (settleMs = 0): ReviewCounts =>
  countsQuery.use({ profileId: useActiveProfileId() }, settleMs).value ?? none;

/** A payment of the queue; `under`: the cause it was listed under, even if it changed since. */
export type Queued = ReconciliationRow & { under: ReconciliationCause };

export type QueuePlace = { profileId: string; cause: ReconciliationCause | null; list: ReviewList };

/** The queue of payments to reconcile: read page by page, its rows updated without moving. */
export type Queue = {
  rows: readonly Queued[];
  next: string | null;
  /** The numbers when it was read: with others, payments were added or removed since. */
  counted: readonly ReconciliationCount[];
};
/** `updated`: only these rows are new; null: all of it is. */
type Read = Queue & { updated: readonly PaymentRow[] | null };

const pageSize = 200;

export const queued = (rows: readonly ReconciliationRow[]): Queued[] =>
  rows.flatMap(row => {
    const [mostSevere] = row.findings;
    // A resolved payment may have no cause any more.
    const under = mostSevere?.cause ?? (row.review?.resolved ? 'refund-seen' : null);
    return under === null ? [] : [{ ...row, under }];
  });

export const updateRows = (rows: readonly Queued[], updated: readonly PaymentRow[]): Queued[] => {
  const places = new Map(rows.map(row => [paymentKey(row), row]));
  const queuedAgain = updated.flatMap(row => {
    const old = places.get(paymentKey(row));
    return old ? [{ ...row, findings: reconcile(row, currentTime()), under: old.under }] : [];
  });
  return withRows(rows, queuedAgain);
};

/** The page from a cursor on; the queue's pages may be empty before the next match. */
export const readPage = async (place: QueuePlace, from: string | null, isCurrent: () => boolean) => {
  let read = await request('payments.reconcile', { ...place, cursor: from, limit: pageSize });
  while (isCurrent() && read.ok && read.value.rows.length === 0 && read.value.next !== null)
    read = await request('payments.reconcile', { ...place, cursor: read.value.next, limit: pageSize });
  return read;
};

/** What the person acted on last, and when. */
let lastAction = { payments: new Set<string>(), at: Number.NEGATIVE_INFINITY };
/** How long after an own action the list may still change. */
const effectMs = 5_000;
/** One of the changes since the queue was read may be the person's own: rows are expected to move after it. */
let hasOwn = false;

/** Decided when the change arrives: reading the rows takes a slow PC longer. */
const noticeOwn = (changed: Changed): boolean => {
  hasOwn ||=
    performance.now() - lastAction.at < effectMs &&
    (changed === null || [...changed].some(key => lastAction.payments.has(key)));
  return true;
};

export const queueQuery = createQuery({
  read: async (place: QueuePlace, present: Queue | null, changed, isCurrent) => {
    const isOwn = hasOwn;
    hasOwn = false;
    // In an empty list no row can move under the pointer.
    if (present !== null && changed !== null && present.rows.length > 0 && !isOwn)
      return ok({
        ...present,
        updated: await readRows(present.rows.filter(row => changed.has(paymentKey(row)))),
      });
    const page = await readPage(place, null, isCurrent);
    if (!page.ok) return page;
    const { value } = await countsQuery.read({ profileId: place.profileId });
    const { rows, next } = page.value;
    return ok({ rows: queued(rows), next, counted: value?.counts ?? [], updated: null });
  },
  merge: ({ updated, ...queue }: Read, present: Queue | null): Queue =>
    updated === null || present === null ? queue : { ...present, rows: updateRows(present.rows, updated) },
  on: ['payments.changed'],
  concerns: noticeOwn,
  throttleMs,
});

/**
 * Reads the shown queue again after the person acted on these: on a busy PC the list may show it later, and is read
 * again then.
 */
export const rereadAfterAction = async (acted: readonly PaymentKey[]): Promise<void> => {
  lastAction = { payments: new Set(acted.map(paymentKey)), at: performance.now() };
  await queueQuery.refresh();
};
