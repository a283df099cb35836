import type { Event } from '../../../shared/payments/evidence.ts';
import { paymentsOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';

/** Minimum interval between two batches: each one makes every console of the team read its lists. */
const minIntervalMs = 250;
/** Limit of changed payments of one batch; beyond it the window reads everything again. */
const maxPayments = 1_000;

/** Gathers what other installations wrote: the first event is passed on at once, further ones in batches. */
export const createRemoteEventGatherer = (
  /** `payments` null: too many to name. */
  emit: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void,
) => {
  let waiting: Event[] = [];
  let timer: NodeJS.Timeout | null = null;

  const flush = (): void => {
    timer = null;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    timer = setTimeout(flush, minIntervalMs);
    timer.unref();
    const payments = paymentsOf(events);
    emit(payments.length > maxPayments ? null : payments, events);
  };

  return {
    add(events: readonly Event[]): void {
      waiting.push(...events);
      if (timer === null) flush();
    },
    close(): void {
      if (timer) clearTimeout(timer);
      timer = null;
      waiting = [];
    },
  };
};
