import { create } from 'zustand';
import type { RequestOutput } from '../../shared/contract/contract.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import { lookUpKeyOf } from '../../shared/look-ups/look-up-key.ts';
import { fingerprintOf } from '../../shared/payment-reducer/fingerprint.ts';
import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import type { ReconciliationCause, ReconciliationRow } from '../../shared/reports/reconcile.ts';
import { maxReviewed, type ResolutionReason, type ReviewList } from '../../shared/review/review.ts';
import { request } from '../ipc-client.ts';
import {
  queued,
  queueQuery,
  readPage,
  rereadAfterAction,
  updateRows,
  type Queued,
  type QueuePlace,
} from './review.ts';
import { readRows } from './rows.ts';
import { currentTime } from '../i18n/time-left.ts';

type Reviewed = RequestOutput<'review.resolve'>;
type Done = {
  kind: 'resolved' | 'reopened' | 'assigned' | 'snoozed' | 'shown';
  count: number;
  /** Payments that were left out because they changed meanwhile. */
  changed: number;
  undo: (() => Promise<void>) | null;
  recorded: readonly PaymentKey[];
};

/** What a person does about payments that need review; the last action can be undone for a few seconds. */
type ReviewActionsState = {
  busy: boolean;
  problem: AppError | null;
  done: Done | null;
  resolve: (rows: readonly PaymentRow[], reason: ResolutionReason, text: string) => Promise<void>;
  reopen: (rows: readonly PaymentRow[]) => Promise<void>;
  assign: (rows: readonly PaymentRow[], assignee: string | null) => Promise<void>;
  snooze: (rows: readonly PaymentRow[], until: number | null) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

/** How long an action can be undone. */
const undoMs = 12_000;
/** Limit of payments in one action on a whole group. */
export const maxCollected = 2_000;

const keyOf = ({ profileId, orderNumber }: PaymentKey): PaymentKey => ({ profileId, orderNumber });
const seen = (row: PaymentRow) => ({ ...keyOf(row), facts: fingerprintOf(row) });

/** Sends many payments in bounded requests, one after another. The first failure ends it. */
const inParts = async <T>(
  items: readonly T[],
  send: (part: T[]) => Promise<Result<Reviewed>>,
): Promise<Result<Reviewed>> => {
  const all: Reviewed = { recorded: [], changed: [] };
  for (let at = 0; at < items.length; at += maxReviewed) {
    const part = await send(items.slice(at, at + maxReviewed));
    if (!part.ok) return part;
    all.recorded.push(...part.value.recorded);
    all.changed.push(...part.value.changed);
  }
  return { ok: true, value: all };
};

let timer: number | null = null;
/** The action in progress. */
let running: Promise<void> = Promise.resolve();

export const useReviewActions = create<ReviewActionsState>()((set, get) => {
  const act = async (
    kind: Done['kind'],
    send: () => Promise<Result<Reviewed>>,
    undo: ((recorded: readonly PaymentKey[]) => Promise<unknown>) | null,
  ): Promise<void> => {
    if (timer !== null) window.clearTimeout(timer);
    set({ busy: true, problem: null, done: null });
    const sent = await send();
    if (sent.ok) {
      const { recorded, changed } = sent.value;
      set({
        done: {
          kind,
          count: recorded.length,
          changed: changed.length,
          recorded,
          undo: undo === null || recorded.length === 0 ? null : async () => void (await undo(recorded)),
        },
      });
      timer = window.setTimeout(() => set({ done: null }), undoMs);
    } else set({ problem: sent.error });
    await rereadAfterAction(sent.ok ? sent.value.recorded : []);
    set({ busy: false });
  };
  const run = (...action: Parameters<typeof act>): Promise<void> => {
    if (!get().busy) running = act(...action);
    return running;
  };
  const assignAll = (keys: readonly PaymentKey[], assignee: string | null) =>
    inParts(keys, payments => request('review.assign', { payments, assignee }));
  const snoozeAll = (rows: readonly PaymentRow[], until: number | null) =>
    inParts(rows.map(seen), payments => request('review.snooze', { payments, until }));
  const among = <T extends PaymentKey>(rows: readonly T[], keys: readonly PaymentKey[]): T[] => {
    const wanted = new Set(keys.map(paymentKey));
    return rows.filter(row => wanted.has(paymentKey(row)));
  };
  return {
    busy: false,
    problem: null,
    done: null,
    resolve: (rows, reason, text) =>
      run(
        'resolved',
        () => inParts(rows.map(seen), payments => request('review.resolve', { payments, reason, text })),
        recorded => inParts(recorded, payments => request('review.reopen', { payments })),
      ),
    reopen: rows =>
      run(
        'reopened',
        () => inParts(rows.map(keyOf), payments => request('review.reopen', { payments })),
        null,
      ),
    assign: (rows, assignee) =>
      run(
        'assigned',
        () => assignAll(rows.map(keyOf), assignee),
        async recorded => {
          const before = Map.groupBy(among(rows, recorded), ({ review }) => review?.assignee ?? null);
          for (const [name, of] of before) await assignAll(of.map(keyOf), name);
        },
      ),
    snooze: (rows, until) =>
      run(
        until === null ? 'shown' : 'snoozed',
        () => snoozeAll(rows, until),
        async recorded => {
          const before = Map.groupBy(among(rows, recorded), ({ review }) => review?.snoozedUntil ?? null);
          for (const [at, of] of before) await snoozeAll(of, at !== null && at > currentTime() ? at : null);
        },
      ),
    undo: async () => {
      // Its row is gone before everything is answered.
      await running;
      const { done, busy } = get();
      if (!done?.undo || busy) return;
      set({ busy: true, done: null });
      await done.undo();
      await rereadAfterAction(done.recorded);
      set({ busy: false });
    },
    dismiss: () => set({ done: null, problem: null }),
  };
});

/** Every payment of a cause in a list, up to `maxCollected`, loaded or not. */
export const collectGroup = async (
  profileId: string,
  list: ReviewList,
  cause: ReconciliationCause,
): Promise<ReconciliationRow[]> => {
  const rows: ReconciliationRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof request<'payments.reconcile'>>> = await request(
      'payments.reconcile',
      { profileId, list, cause, cursor, limit: 200 },
    );
    if (!page.ok) break;
    rows.push(...page.value.rows);
    cursor = page.value.next;
  } while (cursor !== null && rows.length < maxCollected);
  return rows.slice(0, maxCollected);
};

/** What the person asked of the queue. */
type QueueActions = {
  isLoadingMore: boolean;
  /** The error of the last action, and its place. */
  failed: { place: QueuePlace; error: AppError } | null;
  /** The look-up in flight. */
  requestId: string | null;
  /** The payment of the last answered look-up. */
  lookedUp: Queued | null;
  more: (place: QueuePlace) => Promise<void>;
  lookUp: (place: QueuePlace, payment: Queued) => Promise<void>;
  /** Cancels the wait for the gateway. */
  stop: () => void;
};

export const useQueueActions = create<QueueActions>()((set, get) => ({
  isLoadingMore: false,
  failed: null,
  requestId: null,
  lookedUp: null,
  more: async place => {
    const { value } = queueQuery.get(place);
    if (value === null || value.next === null || get().isLoadingMore) return;
    const isCurrent = (): boolean => queueQuery.get(place).value?.next === value.next;
    set({ isLoadingMore: true, failed: null });
    const read = await readPage(place, value.next, isCurrent);
    set({ isLoadingMore: false, failed: read.ok ? null : { place, error: read.error } });
    if (!read.ok || !isCurrent()) return;
    queueQuery.update(place, present => {
      const known = new Set(present?.rows.map(paymentKey));
      const fresh = queued(read.value.rows).filter(row => !known.has(paymentKey(row)));
      return present && { ...present, rows: [...present.rows, ...fresh], next: read.value.next };
    });
  },
  lookUp: async (place, payment) => {
    if (get().requestId !== null) return;
    const requestId = crypto.randomUUID();
    set({ requestId, failed: null, lookedUp: null });
    const { profileId } = payment;
    const looked = await request('payments.lookUp', { profileId, key: lookUpKeyOf(payment), requestId });
    const updated = await readRows([payment]);
    queueQuery.update(place, present => present && { ...present, rows: updateRows(present.rows, updated) });
    const failed = looked.ok || looked.error.code === 'gateway.cancelled' ? null : looked.error;
    set({
      requestId: null,
      failed: failed && { place, error: failed },
      lookedUp: looked.ok ? payment : null,
    });
  },
  stop: () => {
    const { requestId } = get();
    if (requestId !== null) void request('payments.cancelWait', { requestId });
  },
}));
