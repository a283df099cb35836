import type { Event, EventOf } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';

/** The state of a payment and its basis. */
export type Base = Pick<Payment, 'state' | 'since' | 'basis' | 'reason'>;

/** One submission of the form and its result, as far as known. */
export type SessionRequestRecord = {
  requested: EventOf<'session.requested'>;
  ended: EventOf<'session.accepted' | 'session.refused' | 'session.unanswered'> | null;
};

/** The most certain result last. */
const certainty: readonly Event['kind'][] = ['session.unanswered', 'session.refused', 'session.accepted'];

/**
 * The requests sent from here, oldest first, each with the most certain result. `events`: in order. A result counts
 * only in the chain that holds its request. A key may name several requests, because a corrected form has the key of the
 * refused one: a result belongs to the last request of its key before it.
 */
export const sessionRequestsOf = (events: readonly Event[]): SessionRequestRecord[] => {
  const requests: SessionRequestRecord[] = [];
  const latest = new Map<string, SessionRequestRecord>();
  for (const event of events) {
    const { kind, writer } = event;
    if (kind === 'session.requested') {
      const request = { requested: event, ended: null };
      requests.push(request);
      latest.set(`${writer} ${event.body.idempotencyKey}`, request);
    } else if (kind === 'session.accepted' || kind === 'session.refused' || kind === 'session.unanswered') {
      const request = latest.get(`${writer} ${event.body.idempotencyKey}`);
      const known = request?.ended ?? null;
      if (request && (known === null || certainty.indexOf(kind) > certainty.indexOf(known.kind)))
        request.ended = event;
    }
  }
  return requests;
};

/**
 * The request whose amount and customer are shown while no payment says more: the one whose link was accepted last,
 * otherwise the last that may have been accepted, otherwise the last refused one.
 */
export const shownRequestOf = (
  requests: readonly SessionRequestRecord[],
): SessionRequestRecord['requested'] | null => {
  const shown =
    requests.findLast(({ ended }) => ended?.kind === 'session.accepted') ??
    requests.findLast(({ ended }) => ended?.kind !== 'session.refused') ??
    requests.at(-1);
  return shown?.requested ?? null;
};

/** The same, from an order's events in canonical order. Null if no request was made here. */
export const requestShownOf = (events: readonly Event[]): SessionRequestRecord['requested'] | null =>
  shownRequestOf(sessionRequestsOf(events));

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
    if (ended?.kind === 'session.accepted')
      return { state: 'waiting', since, basis: { ...basis, kind: 'acceptance' }, reason: null };
    const reason = ended?.body.message ?? null;
    if (ended?.kind !== 'session.refused')
      return { state: 'outcome-unknown', since, basis: { ...basis, kind: 'silence' }, reason };
    refused ??= { state: 'refused', since, basis: { ...basis, kind: 'request' }, reason };
  }
  return (
    refused ?? { state: hasEvidence ? 'outcome-unknown' : 'draft', since: firstAt, basis: null, reason: null }
  );
};
