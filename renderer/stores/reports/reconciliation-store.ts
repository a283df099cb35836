import { create } from 'zustand';
import type { ReconciliationPage } from '../../../shared/contract/contract.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { AppError } from '../../../shared/errors.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import {
  needsReviewOf,
  reconcile,
  type NeedsReview,
  type ReconciliationCause,
  type ReconciliationCount,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import type { ReviewList } from '../../../shared/review/review.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import { useRoute } from '../route-store.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** A payment of the queue; `under`: the cause it was listed under, even if it changed since. */
export type Queued = ReconciliationRow & { under: ReconciliationCause };
/** The queue of payments to reconcile: read page by page, its rows updated without moving. */
type ReconciliationState = {
  /** Of the active profile, gravest cause first. */
  counts: readonly ReconciliationCount[];
  /** The number of payments that need review, of all causes. */
  needsReview: NeedsReview;
  profileId: string | null;
  cause: ReconciliationCause | null;
  list: ReviewList;
  /** The number of payments in the lists that people made. */
  lists: ReconciliationPage['lists'];
  rows: readonly Queued[];
  next: string | null;
  loading: 'first' | 'again' | 'more' | null;
  problem: AppError | null;
  /** The error of the last action, and its payment. */
  failed: { key: string; error: AppError } | null;
  /** The payment with an action in flight. */
  busy: string | null;
  /** Identifies the look-up in flight. */
  requestId: string | null;
  /** The payment of the last answered look-up. */
  lookedUp: Queued | null;
  /** Payments were added or removed since it was read. */
  changed: boolean;
  show: (profileId: string, cause: ReconciliationCause | null, list: ReviewList) => Promise<void>;
  /** Reads the shown list again; its rows stay until the answer. */
  reread: () => Promise<void>;
  /** The same after the person acted on these: on a busy PC the list may show it later, and is read again then. */
  rereadAfterAction: (acted: readonly PaymentKey[]) => Promise<void>;
  more: () => Promise<void>;
  count: () => Promise<void>;
  lookUp: (payment: Queued) => Promise<void>;
  /** Cancels the wait for the gateway. */
  stop: () => void;
};

const pageSize = 200;
let latestRequest = 0;
/** What the person acted on last, and when. */
let lastAction = { payments: new Set<string>(), at: Number.NEGATIVE_INFINITY };
/** How long after an own action the list may still change. */
const effectMs = 5_000;

const queued = (rows: readonly ReconciliationRow[]): Queued[] =>
  rows.flatMap(row => {
    const [mostSevere] = row.findings;
    // A resolved payment may have no cause any more.
    const under = mostSevere?.cause ?? (row.review?.resolved ? 'refund-seen' : null);
    return under === null ? [] : [{ ...row, under }];
  });

/** Reads one payment again and updates its row. */
const refreshRows = async (key: PaymentKey): Promise<void> => {
  const read = await request('payments.read', key);
  if (!read.ok) return;
  const row = rowOf(read.value.payment);
  const findings = reconcile(row, currentTime());
  useReconciliation.setState(({ rows }) => ({
    rows: rows.map(old =>
      paymentKey(old) === paymentKey(key) ? { ...row, findings, under: old.under } : old,
    ),
  }));
};

export const useReconciliation = create<ReconciliationState>()((set, get) => {
  /** The next page; the queue's pages may be empty before the next match. Ends early if it is no longer wanted. */
  const page = async (
    isWanted: () => boolean,
    profileId: string,
    cause: ReconciliationCause | null,
    list: ReviewList,
    from: string | null,
  ) => {
    let read = await request('payments.reconcile', { profileId, cause, list, cursor: from, limit: pageSize });
    while (isWanted() && read.ok && read.value.rows.length === 0 && read.value.next !== null)
      read = await request('payments.reconcile', {
        profileId,
        cause,
        list,
        cursor: read.value.next,
        limit: pageSize,
      });
    return read;
  };
  return {
    counts: [],
    needsReview: needsReviewOf([]),
    profileId: null,
    cause: null,
    list: 'all',
    lists: null,
    rows: [],
    next: null,
    loading: null,
    problem: null,
    failed: null,
    busy: null,
    requestId: null,
    lookedUp: null,
    changed: false,
    show: async (profileId, cause, list) => {
      latestRequest += 1;
      const requestNumber = latestRequest;
      set(old => {
        const isSame = old.profileId === profileId && old.cause === cause && old.list === list;
        return {
          profileId,
          cause,
          list,
          loading: isSame && old.loading !== 'first' ? 'again' : 'first',
          problem: null,
          failed: null,
          lookedUp: null,
          // Rows of another profile or cause would be wrong; those of the same one are only outdated.
          rows: isSame ? old.rows : [],
        };
      });
      const read = await page(() => requestNumber === latestRequest, profileId, cause, list, null);
      if (requestNumber !== latestRequest) return;
      if (!read.ok) {
        set({ rows: [], next: null, loading: null, problem: read.error });
        return;
      }
      await get().count();
      if (requestNumber === latestRequest)
        set({ rows: queued(read.value.rows), next: read.value.next, loading: null, changed: false });
    },
    reread: async () => {
      const { profileId, cause, list, show } = get();
      if (profileId !== null) await show(profileId, cause, list);
    },
    rereadAfterAction: async acted => {
      lastAction = { payments: new Set(acted.map(paymentKey)), at: performance.now() };
      await get().reread();
    },
    more: async () => {
      const { profileId, cause, list, next, loading } = get();
      if (profileId === null || next === null || loading !== null) return;
      const requestNumber = latestRequest;
      set({ loading: 'more' });
      const read = await page(() => requestNumber === latestRequest, profileId, cause, list, next);
      if (requestNumber !== latestRequest) return;
      if (!read.ok) {
        set({ loading: null, problem: read.error });
        return;
      }
      const known = new Set(get().rows.map(paymentKey));
      const fresh = queued(read.value.rows).filter(row => !known.has(paymentKey(row)));
      set({ rows: [...get().rows, ...fresh], next: read.value.next, loading: null });
    },
    count: async () => {
      const profileId = activeProfile(useAppState.getState())?.id ?? null;
      const read = await request('payments.reconcile', { profileId, limit: 0 });
      if (!read.ok || read.value.counts === null) return;
      const { counts, lists } = read.value;
      set({ lists });
      const isSame = JSON.stringify(counts) === JSON.stringify(get().counts);
      if (!isSame) set({ counts, needsReview: needsReviewOf(counts), changed: true });
    },
    lookUp: async payment => {
      if (get().busy !== null) return;
      const key = paymentKey(payment);
      const requestId = crypto.randomUUID();
      set({ busy: key, requestId, failed: null, lookedUp: null });
      const { profileId, orderNumber } = payment;
      const looked = await request('payments.lookUp', { profileId, key: lookUpKeyOf(payment), requestId });
      await refreshRows({ profileId, orderNumber });
      const failed = looked.ok || looked.error.code === 'gateway.cancelled' ? null : looked.error;
      set({ busy: null, failed: failed && { key, error: failed }, lookedUp: looked.ok ? payment : null });
    },
    stop: () => {
      const { requestId } = get();
      if (requestId !== null) void request('payments.cancelWait', { requestId });
    },
  };
});

/** The payments that changed since the queue was updated; null: any payment may have changed. */
let waiting: Set<string> | null = new Set();
/** One of these changes may be the person's own. Decided when it arrives: reading the rows takes a slow PC longer. */
let hasOwn = false;
let timer: number | null = null;

const followUp = async (): Promise<void> => {
  const changed = waiting;
  const isOwn = hasOwn;
  waiting = new Set();
  hasOwn = false;
  const { rows, count, reread } = useReconciliation.getState();
  const isCurrent = useRoute.getState().route.screen === 'reconciliation';
  // Rows are expected to move after an own action.
  if (isOwn && isCurrent) return reread();
  for (const row of rows)
    if (changed === null || changed.has(paymentKey(row)))
      await refreshRows({ profileId: row.profileId, orderNumber: row.orderNumber });
  await count();
  const { changed: isOld, rows: left } = useReconciliation.getState();
  // In an empty list no row can move under the pointer.
  if (isCurrent && isOld && left.length === 0) await reread();
};

/** Keeps the queue's rows and counts current for the lifetime of the window. */
export const followReconciliation = (): void => {
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void followUp();
    }, 1500);
  };
  subscribe('payments.changed', ({ payments }) => {
    if (payments === null) waiting = null;
    else for (const payment of payments) waiting?.add(paymentKey(payment));
    hasOwn ||=
      performance.now() - lastAction.at < effectMs &&
      (payments === null || payments.some(payment => lastAction.payments.has(paymentKey(payment))));
    soon();
  });
  useAppState.subscribe((state, before) => {
    if (activeProfile(state)?.id !== activeProfile(before)?.id) soon();
  });
  // Payments also enter the queue by the passing of time.
  window.setInterval(soon, 60_000);
};
