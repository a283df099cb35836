import { sameId } from '../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import { request } from '../ipc-client.ts';
import { useOperation } from '../stores/payments/operation-store.ts';
import { createQuery } from './create-query.ts';

/** The series of a payment. A charge from elsewhere has an unknown order number: any change may be one. */
export const seriesQuery = createQuery({
  read: (key: PaymentKey) => request('operations.series', key),
  on: ['payments.changed'],
  throttleMs: 500,
});

/** Reads the series afresh and opens the form for another charge. */
export const openCharge = async (key: PaymentKey): Promise<void> => {
  const { key: page } = useOperation.getState();
  const series = (await seriesQuery.read(key)).value?.series;
  // Another payment was opened meanwhile.
  if (useOperation.getState().key !== page || !series || series.firstOrder === null) return;
  const { firstOrder, firstPaymentId, payments, suggestedOrder } = series;
  const first = payments.find(({ paymentIds }) => paymentIds.some(id => sameId(id, firstPaymentId)));
  await useOperation.getState().openForm(
    { profileId: key.profileId, orderNumber: firstOrder, kind: 'recurring', paymentId: firstPaymentId },
    // What follows from the first payment, never the amount or the consent.
    { orderNumber: suggestedOrder, description: first?.description ?? '', reason: 'agreed-payment' },
  );
};
