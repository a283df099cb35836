import type { Event } from '../../payments/evidence.ts';
import { confirmsPayment } from './look-ups.ts';

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

/** Whether an event says no more of a link than that it exists, or existed. */
const isOfLinkAlone = (event: Event): boolean => {
  switch (event.kind) {
    case 'session.requested':
      return event.body.purpose === 'connection-check';
    case 'session.accepted':
    case 'session.refused':
    case 'session.unanswered':
    case 'link.withdrawn':
    case 'amended':
      return true;
    case 'status.observed':
      return event.body.answers.every(({ status }) => status === 'prepare' || status === 'redirect');
    case 'callback.received':
      return event.body.fields.some(([name, text]) => name === 'type' && text === 'redirect');
    case 'callback.reverified':
    case 'note.added':
    case 'customer.joined':
    case 'customer.separated':
    case 'link.shared':
    case 'review.resolved':
    case 'review.reopened':
    case 'review.assigned':
    case 'review.snoozed':
    case 'operation.requested':
    case 'operation.answered':
    case 'operation.refused':
    case 'operation.unanswered':
    case 'movement.recorded':
    case 'dispute.noted':
    case 'statement.recorded':
    case 'activity.recorded':
      return false;
  }
};

/**
 * Whether an order has only links of connection checks, which no customer got: evidence that is in no list and no
 * sum. A callback or answer that shows a payer makes it a payment. `events`: as for `isInquiry`.
 */
export const isConnectionCheck = (events: readonly Event[]): boolean =>
  events.some(({ kind }) => kind === 'session.requested') && events.every(isOfLinkAlone);
