import { create } from 'zustand';
import type {
  OperationOffer,
  PaymentDetail,
  PaymentSeries,
  RequestInput,
} from '../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { request, subscribe } from '../../ipc-client.ts';

/** Delay after a change of any payment before the series is read again, milliseconds: changes come in groups. */
const settleMs = 500;

/** The input of a charge that a person decides; the open form gives the rest. */
type ChargeInput = Omit<RequestInput<'operations.charge'>, 'profileId' | 'firstPaymentId' | 'intent'>;

/** The series of the open payment, and the form for another charge. */
type SeriesStore = {
  key: PaymentKey | null;
  /** Null: not read yet, or the payment belongs to none. */
  series: PaymentSeries | null;
  /** Why the series cannot be shown, or the form cannot be opened. */
  problem: AppError | null;
  /** The open form: what can be charged, by whom, and the one request that it may send. */
  form: { intent: string; series: PaymentSeries; firstOrder: string; offer: OperationOffer } | null;
  busy: 'opening' | 'charging' | null;
  open: (key: PaymentKey) => Promise<void>;
  /** Reads the series and the limits afresh, and opens the form. */
  startCharge: () => Promise<void>;
  stopCharge: () => void;
  /** Sends the charge once. After a refusal the form stays open, with another intent and a fresh series. */
  charge: (input: ChargeInput) => Promise<Result<PaymentDetail>>;
  /** Cancels the wait for the gateway. */
  cancelWait: () => void;
};

const isSame = (one: PaymentKey | null, other: PaymentKey): boolean =>
  one?.profileId === other.profileId && one.orderNumber === other.orderNumber;

export const useSeries = create<SeriesStore>()((set, get) => ({
  key: null,
  series: null,
  problem: null,
  form: null,
  busy: null,
  open: async key => {
    if (!isSame(get().key, key)) set({ key, series: null, problem: null, form: null, busy: null });
    const read = await request('operations.series', key);
    if (!isSame(get().key, key)) return;
    if (read.ok) set({ series: read.value.series, problem: null });
    else set({ problem: read.error });
  },
  startCharge: async () => {
    const { key, busy } = get();
    if (key === null || busy !== null) return;
    set({ busy: 'opening', problem: null });
    const read = await request('operations.series', key);
    const series = read.ok ? read.value.series : null;
    const firstOrder = series?.firstOrder ?? null;
    const offer =
      firstOrder === null
        ? null
        : await request('operations.offer', { profileId: key.profileId, orderNumber: firstOrder });
    if (!isSame(get().key, key)) return;
    set({ busy: null });
    if (!read.ok) return set({ problem: read.error });
    set({ series });
    if (offer?.ok === false) return set({ problem: offer.error });
    if (series !== null && firstOrder !== null && offer !== null)
      set({ form: { intent: crypto.randomUUID(), series, firstOrder, offer: offer.value } });
  },
  stopCharge: () => {
    if (get().busy !== 'charging') set({ form: null });
  },
  charge: async input => {
    const { key, form, busy } = get();
    if (key === null || form === null || busy !== null)
      return { ok: false, error: { code: 'internal', message: { key: 'error.internal' } } };
    set({ busy: 'charging' });
    const { intent, series } = form;
    const charged = await request('operations.charge', {
      ...input,
      profileId: key.profileId,
      firstPaymentId: series.firstPaymentId,
      intent,
    });
    if (charged.ok) {
      if (isSame(get().key, key)) set({ busy: null, form: null });
      return charged;
    }
    // A used intent is over. What was refused may have used up its order number.
    const read = await request('operations.series', key);
    const fresh = read.ok ? read.value.series : null;
    if (isSame(get().key, key))
      set({
        busy: null,
        ...(fresh && { series: fresh }),
        form: { ...form, intent: crypto.randomUUID(), series: fresh ?? series },
      });
    return charged;
  },
  cancelWait: () => {
    const { form } = get();
    if (form !== null) void request('payments.cancelWait', { requestId: form.intent });
  },
}));

/** Reads the shown series again after changes; returns the function that ends it. */
export const followSeries = (): (() => void) => {
  let timer: number | null = null;
  const readAgain = (): void => {
    timer = null;
    const { key } = useSeries.getState();
    if (key !== null) void useSeries.getState().open(key);
  };
  // A charge from elsewhere has an unknown order number: any change may be one.
  const unsubscribe = subscribe('payments.changed', () => {
    timer ??= window.setTimeout(readAgain, settleMs);
  });
  return () => {
    unsubscribe();
    if (timer !== null) window.clearTimeout(timer);
  };
};
