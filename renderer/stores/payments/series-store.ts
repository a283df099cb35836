import { create } from 'zustand';
import type { PaymentSeries } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { sameId } from '../../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { useOperation } from './operation-store.ts';

/** Delay after a change of any payment before the series is read again, milliseconds: changes come in groups. */
const settleMs = 500;

/** The series of the open payment. */
type SeriesStore = {
  key: PaymentKey | null;
  /** Null: not read yet, or the payment belongs to none. */
  series: PaymentSeries | null;
  /** Why the series cannot be shown. */
  problem: AppError | null;
  isOpening: boolean;
  open: (key: PaymentKey) => Promise<void>;
  /** Reads the series afresh and opens the form for another charge. */
  startCharge: () => Promise<void>;
};

const isSame = (one: PaymentKey | null, other: PaymentKey): boolean =>
  one?.profileId === other.profileId && one.orderNumber === other.orderNumber;

export const useSeries = create<SeriesStore>()((set, get) => ({
  key: null,
  series: null,
  problem: null,
  isOpening: false,
  open: async key => {
    if (!isSame(get().key, key)) set({ key, series: null, problem: null, isOpening: false });
    const read = await request('operations.series', key);
    if (!isSame(get().key, key)) return;
    if (read.ok) set({ series: read.value.series, problem: null });
    else set({ problem: read.error });
  },
  startCharge: async () => {
    const { key, isOpening } = get();
    if (key === null || isOpening) return;
    set({ isOpening: true });
    await get().open(key);
    const { series } = get();
    if (isSame(get().key, key) && series !== null && series.firstOrder !== null) {
      const { firstOrder, firstPaymentId, payments, suggestedOrder } = series;
      const first = payments.find(({ paymentIds }) => paymentIds.some(id => sameId(id, firstPaymentId)));
      await useOperation.getState().openForm(
        {
          profileId: key.profileId,
          orderNumber: firstOrder,
          kind: 'recurring',
          paymentId: firstPaymentId,
        },
        // What follows from the first payment, never the amount or the consent.
        { orderNumber: suggestedOrder, description: first?.description ?? '', reason: 'agreed-payment' },
      );
    }
    if (isSame(get().key, key)) set({ isOpening: false });
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
