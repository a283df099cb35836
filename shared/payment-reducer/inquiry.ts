import type { Event } from '../payments/evidence.ts';
import { confirmsPayment } from './reduce-look-ups.ts';

/**
 * Whether only failed look-ups are known of an order. Such evidence is stored, but it is not a payment until an
 * answer, a callback or a request of ours confirms one. `events`: all events of one order number of one profile, in
 * any order.
 */
export const isInquiry = (events: readonly Event[], orderNumber: string): boolean =>
  events.every(
    event =>
      event.kind === 'amended' ||
      (event.kind === 'status.observed' &&
        !event.body.answers.some(answer => confirmsPayment(answer, orderNumber))),
  );
