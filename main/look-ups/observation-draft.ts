import type { EventDraft, LookUpKey } from '../../shared/payments/evidence.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { StatusOutcome } from '../gateway/gateway.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';

/** The fields that every event has. */
type EventHeaderDraft = Pick<
  EventDraft,
  'id' | 'profileId' | 'orderNumber' | 'paymentId' | 'happenedAt' | 'agent' | 'dedupeKey'
>;

/** The event for the outcome of a look-up; `header` makes its common fields for an order number and a payment id. */
export const observationDraft = async (
  log: Pick<PaymentLog, 'ordersOf'>,
  profileId: string,
  key: LookUpKey,
  outcome: StatusOutcome,
  requestedBy: 'person' | 'console',
  header: (orderNumber: string | null, paymentId: string | null) => EventHeaderDraft,
): Promise<EventDraft> => {
  const known = key.by === 'payment-id' ? await log.ordersOf(key.value) : [];
  const first =
    outcome.kind === 'answered' ? outcome.answers.find(answer => answer.order.number !== null) : undefined;
  const orderNumber =
    key.by === 'order-number'
      ? key.value
      : (known.find(order => order.profileId === profileId)?.orderNumber ?? first?.order.number ?? null);
  const paymentId = key.by === 'payment-id' ? key.value : (first?.paymentId ?? null);
  return {
    ...header(orderNumber, paymentId),
    kind: 'status.observed',
    body: {
      asked: key,
      answers: outcome.kind === 'answered' ? [...outcome.answers] : [],
      problem:
        outcome.kind === 'failed'
          ? { code: outcome.error.code, message: inEnglish(outcome.error.message) }
          : null,
      answer: outcome.answer,
      requestedBy,
    },
  };
};
