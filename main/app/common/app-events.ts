import { EventEmitter } from 'node:events';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';

/** Events inside the application layer. Listeners run in the order in which they were added. */
export type AppEvents = EventEmitter<{
  /** A part of the state that the window shows has changed. */
  stateChanged: [];
  /** The state was sent to the window. */
  statePublished: [];
  /** The correction of the clock by the shared payment log's server has changed. */
  clockCorrected: [];
  /** Other installations wrote events to the shared payment log; `payments` null: too many to name. */
  eventsElsewhere: [payments: readonly PaymentKey[] | null, events: readonly Event[]];
  /** The same events, once it is known which payments this installation has written about itself. */
  eventsElsewhereSorted: [
    { ownPayments: readonly PaymentKey[]; own: readonly Event[]; others: readonly Event[] },
  ];
  /** The console was locked. */
  locked: [];
  /** Events were written to the payment log of this installation; `payments` null: any payment may have changed. */
  eventsWritten: [payments: readonly PaymentKey[] | null, events: readonly Event[]];
}>;

/** The hub through which parts react to each other without importing each other. */
export const createAppEvents = (): AppEvents => new EventEmitter();
