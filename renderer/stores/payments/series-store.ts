import { create } from 'zustand';
import type {
  OpenOperation,
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

type Sent = RequestInput<'operations.send'>;

/** The input of a charge that a person decides; the open form gives the rest. */
type ChargeInput = Pick<Sent, 'amount' | 'reason' | 'text' | 'typedOrder' | 'approval'> & {
  charge: NonNullable<Sent['charge']>;
  insist: boolean;
};

/** The series of the open payment, and the form for another charge. */
type SeriesStore = {
  key: PaymentKey | null;
  /** Null: not read yet, or the payment belongs to none. */
  series: PaymentSeries | null;
  /** Why the series cannot be shown, or the form cannot be opened. */
  problem: AppError | null;
  /** The open form: what can be charged, by whom, and the one request that it may send. */
  form: {
    intent: string;
    open: readonly OpenOperation[];
    series: PaymentSeries;
    firstOrder: string;
    offer: OperationOffer;
  } | null;
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

const begin = (profileId: string, orderNumber: string, paymentId: string) =>
  request('operations.begin', { profileId, orderNumber, paymentId, operation: 'recurring' });

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
    const begun =
      firstOrder === null || series === null
        ? null
        : await begin(key.profileId, firstOrder, series.firstPaymentId);
    if (!isSame(get().key, key)) return;
    set({ busy: null });
    if (!read.ok) return set({ problem: read.error });
    set({ series });
    if (offer?.ok === false) return set({ problem: offer.error });
    if (begun?.ok === false) return set({ problem: begun.error });
    if (series === null || firstOrder === null || offer === null || begun === null) return;
    const { intent, open } = begun.value;
    set({ form: { intent, open, series, firstOrder, offer: offer.value } });
  },
  stopCharge: () => {
    if (get().busy !== 'charging') set({ form: null });
  },
  charge: async ({ insist, ...input }) => {
    const { key, form, busy } = get();
    if (key === null || form === null || busy !== null)
      return { ok: false, error: { code: 'internal', message: { key: 'error.internal' } } };
    set({ busy: 'charging' });
    const { intent, open, series, firstOrder } = form;
    const charged = await request('operations.send', {
      ...input,
      operation: 'recurring',
      profileId: key.profileId,
      orderNumber: firstOrder,
      paymentId: series.firstPaymentId,
      intent,
      seen: insist ? open.map(({ id }) => id) : [],
    });
    if (charged.ok) {
      if (isSame(get().key, key)) set({ busy: null, form: null });
      return charged;
    }
    // A used intent is over. What was refused may have used up its order number.
    const read = await request('operations.series', key);
    const fresh = read.ok ? read.value.series : null;
    const begun = await begin(key.profileId, firstOrder, series.firstPaymentId);
    if (isSame(get().key, key))
      set({
        busy: null,
        ...(fresh && { series: fresh }),
        form: { ...form, ...(begun.ok && begun.value), series: fresh ?? series },
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
