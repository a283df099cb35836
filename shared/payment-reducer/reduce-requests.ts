import type { Event, EventOf } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';

/** The state of a payment and its basis. */
export type Base = Pick<Payment, 'state' | 'since' | 'basis' | 'reason'>;

/** One submission of the form and its result, as far as known. */
export type SessionRequestRecord = {
  requested: EventOf<'session.requested'>;
  ended: EventOf<'session.accepted' | 'session.refused' | 'session.unanswered'> | null;
};

/** The requests sent from here, oldest first, each with the most certain result. `events`: in canonical order. */
export const sessionRequestsOf = (events: readonly Event[]): SessionRequestRecord[] => {
  const requestsByKey = new Map<string, SessionRequestRecord>();
  for (const event of events) {
    if (event.kind === 'session.requested' && !requestsByKey.has(event.body.idempotencyKey)) {
      requestsByKey.set(event.body.idempotencyKey, { requested: event, ended: null });
    }
  }
  for (const kind of ['session.accepted', 'session.refused', 'session.unanswered'] as const) {
    for (const event of events) {
      if (event.kind !== kind) continue;
      const request = requestsByKey.get(event.body.idempotencyKey);
      if (request) request.ended ??= event;
    }
  }
  return [...requestsByKey.values()];
};

/** The state from the requests alone: an unobserved outcome is unknown, never assumed (§4.1). */
export const baseOf = (
  requests: readonly SessionRequestRecord[],
  firstAt: number,
  hasEvidence: boolean,
): Base => {
  let refused: Base | null = null;
  for (const { requested, ended } of requests.toReversed()) {
    const { id, happenedAt: since } = ended ?? requested;
    const basis = { event: id, at: since, verified: false };
    if (ended?.kind === 'session.accepted') {
      return { state: 'waiting', since, basis: { ...basis, kind: 'acceptance' }, reason: null };
    }
    const reason = ended?.body.message ?? null;
    if (ended?.kind !== 'session.refused') {
      return { state: 'outcome-unknown', since, basis: { ...basis, kind: 'silence' }, reason };
    }
    refused ??= { state: 'refused', since, basis: { ...basis, kind: 'request' }, reason };
  }
  return (
    refused ?? { state: hasEvidence ? 'outcome-unknown' : 'draft', since: firstAt, basis: null, reason: null }
  );
};
