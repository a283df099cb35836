import type { Event, EventOf } from '../payments/evidence.ts';
import { convertedStates } from '../payments/outcomes.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';
import { exactAmount } from '../money/wire-amount.ts';
import { compareTexts } from './compare-texts.ts';
import { bestTermsMatch, type Terms } from './reduce-amounts.ts';
import { historyOf, type AttemptHistory } from './reduce-attempts.ts';
import { flagReceipts, receiptsOf, valueOf, type Receipt } from './reduce-callbacks.ts';
import { flagNotes, type FlagNotes } from './reduce-flags.ts';
import { observationsOf, type Observation } from './reduce-look-ups.ts';

const inOrder = (one: Event | undefined, other: Event): boolean =>
  one !== undefined &&
  (one.happenedAt < other.happenedAt || (one.happenedAt === other.happenedAt && one.id < other.id));

/** Oldest first, by a rule that does not depend on the order of arrival; each event once. */
const canonical = (events: readonly Event[]): readonly Event[] => {
  if (events.every((event, index) => index === 0 || inOrder(events[index - 1], event))) return events;
  const byId = new Map<string, Event>();
  for (const event of events) byId.set(event.id, event);
  return [...byId.values()].sort(
    (one, other) => one.happenedAt - other.happenedAt || compareTexts(one.id, other.id),
  );
};

type Base = Pick<Payment, 'state' | 'since' | 'basis' | 'reason'>;

/** One submission of the form and its result, as far as known. */
type SessionRequestRecord = {
  requested: EventOf<'session.requested'>;
  ended: EventOf<'session.accepted' | 'session.refused' | 'session.unanswered'> | null;
};

const certainty = ['session.unanswered', 'session.refused', 'session.accepted'];

/** The requests sent from here, oldest first, each with the most certain result. */
const sessionRequestsOf = (events: readonly Event[]): SessionRequestRecord[] => {
  const requestsByKey = new Map<string, SessionRequestRecord>();
  for (const event of events) {
    if (event.kind === 'session.requested' && !requestsByKey.has(event.body.idempotencyKey)) {
      requestsByKey.set(event.body.idempotencyKey, { requested: event, ended: null });
    }
  }
  for (const event of events) {
    if (
      event.kind !== 'session.accepted' &&
      event.kind !== 'session.refused' &&
      event.kind !== 'session.unanswered'
    ) {
      continue;
    }
    const idempotencyKey = requestsByKey.get(event.body.idempotencyKey);
    if (!idempotencyKey) continue;
    if (!idempotencyKey.ended || certainty.indexOf(event.kind) > certainty.indexOf(idempotencyKey.ended.kind))
      idempotencyKey.ended = event;
  }
  return [...requestsByKey.values()];
};

/** The state from the requests alone: an unobserved outcome is unknown, never assumed (§4.1). */
const baseOf = (requestsByKey: readonly SessionRequestRecord[], firstAt: number, evidence: boolean): Base => {
  let refused: Base | null = null;
  for (const { requested, ended } of requestsByKey.toReversed()) {
    if (ended?.kind === 'session.accepted') {
      return {
        state: 'waiting',
        since: ended.happenedAt,
        basis: { event: ended.id, kind: 'acceptance', at: ended.happenedAt, verified: false },
        reason: null,
      };
    }
    const last = ended ?? requested;
    const basis = { event: last.id, at: last.happenedAt, verified: false };
    if (ended?.kind === 'session.refused') {
      refused ??= {
        state: 'refused',
        since: last.happenedAt,
        basis: { ...basis, kind: 'request' },
        reason: ended.body.message,
      };
      continue;
    }
    return {
      state: 'outcome-unknown',
      since: last.happenedAt,
      basis: { ...basis, kind: 'silence' },
      reason: ended?.body.message ?? null,
    };
  }
  return (
    refused ?? { state: evidence ? 'outcome-unknown' : 'draft', since: firstAt, basis: null, reason: null }
  );
};

/** States that decide an order first; among the others the latest counts. */
const bySignificance: readonly PaymentState[] = [
  'chargeback',
  'needs-attention',
  'paid-confirmed',
  'paid-unconfirmed',
  'refund-seen',
  'part-refunded',
  'refunded',
  'outcome-unknown',
];
const significance = (state: PaymentState): number => {
  const index = bySignificance.indexOf(state);
  return index < 0 ? bySignificance.length : index;
};

/** A new link restarts the order, unless money moved or may still be moving. */
const supersededByNewLink: readonly PaymentState[] = [
  'started',
  'bank-check',
  'declined',
  'voided',
  'reversed',
];

/** The verdict covers all attempts: a second attempt must not hide a paid first one. */
const mostSignificantHistory = (attemptHistories: readonly AttemptHistory[]): AttemptHistory | null => {
  let best: AttemptHistory | null = null;
  for (const history of attemptHistories) {
    const before =
      best && (significance(best.state) - significance(history.state) || history.since - best.since);
    if (before === null || before > 0) best = history;
  }
  return best;
};

/** Reports both values if a reported amount or text differs from the request. */
const noteDifferences = (
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  records: readonly Terms[],
  notes: FlagNotes,
): void => {
  const note = (theirs: Terms, source: string, event: string, partAllowed: boolean): void => {
    const { amount, currency, description, ours } = bestTermsMatch(theirs, records);
    const whole = exactAmount(ours.amount ?? '');
    const part = exactAmount(theirs.amount ?? '');
    const isPart = partAllowed && currency && whole !== null && part !== null && part < whole;
    if (!amount && !isPart) {
      const values = { field: 'amount', ours: ours.amount ?? '', theirs: theirs.amount ?? '', source };
      notes.add('amount-differs', values, [event]);
    }
    if (!currency) {
      const values = { field: 'currency', ours: ours.currency ?? '', theirs: theirs.currency ?? '', source };
      notes.add('currency-differs', values, [event]);
    }
    if (!description) {
      const values = {
        field: 'description',
        ours: ours.description ?? '',
        theirs: theirs.description ?? '',
        source,
      };
      notes.add('description-differs', values, [event]);
    }
  };
  for (const { terms, type, event, verdict } of receipts) {
    note(terms, verdict === 'verified' ? 'callback' : 'callback, not verified', event, type === 'refund');
  }
  for (const { terms, event } of observations) {
    // A field that an answer leaves out cannot differ.
    const ours = records.at(-1);
    note(
      {
        amount: terms.amount ?? ours?.amount ?? null,
        currency: terms.currency ?? ours?.currency ?? null,
        description: terms.description ?? ours?.description ?? null,
      },
      'look-up',
      event,
      false,
    );
  }
};

const customerOf = (
  requestsByKey: readonly SessionRequestRecord[],
  receipts: readonly Receipt[],
  observations: readonly Observation[],
): Pick<Payment, 'customer' | 'customerFrom'> => {
  const asked = requestsByKey.findLast(({ requested }) => requested.body.customer !== null)?.requested.body
    .customer;
  if (asked) return { customer: asked, customerFrom: 'request' };
  const observed = observations.findLast(({ answer }) => answer.customer !== null)?.answer.customer;
  if (observed) return { customer: observed, customerFrom: 'look-up' };
  for (const { fields } of receipts.toReversed()) {
    const name = valueOf(fields, 'customer_name');
    const email = valueOf(fields, 'customer_email');
    if (name === null && email === null) continue;
    const customer = { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) };
    return { customer, customerFrom: 'callback' };
  }
  return { customer: null, customerFrom: null };
};

/** The order number of a scheduled payment contains the payment that began the series (field notes). */
const scheduledOrder = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-\d+$/i;

const seriesOf = (orderNumber: string, attemptHistories: readonly AttemptHistory[]): Payment['series'] => {
  const first =
    scheduledOrder.exec(orderNumber)?.[1] ?? attemptHistories.find(({ seriesId }) => seriesId)?.seriesId;
  return first ? { firstPaymentId: first } : null;
};

/** Evidence grouped by payment id; evidence without an id belongs to the only id, if there is one. */
const byPaymentId = (
  receipts: readonly Receipt[],
  observations: readonly Observation[],
): Map<string, { receipts: Receipt[]; observations: Observation[] }> => {
  const ids = new Set([...receipts, ...observations].map(({ paymentId }) => paymentId ?? ''));
  ids.delete('');
  const [only] = ids;
  const nameless = ids.size === 1 && only !== undefined ? only : '';
  const groups = new Map<string, { receipts: Receipt[]; observations: Observation[] }>();
  const group = (paymentId: string | null): { receipts: Receipt[]; observations: Observation[] } => {
    const id = paymentId ?? nameless;
    const known = groups.get(id);
    if (known) return known;
    const made = { receipts: [], observations: [] };
    groups.set(id, made);
    return made;
  };
  for (const receipt of receipts) group(receipt.paymentId).receipts.push(receipt);
  for (const observation of observations) group(observation.paymentId).observations.push(observation);
  return groups;
};

/**
 * The state of one order number of one profile from its events (§3.2, §3.3). Pure: any order and any duplication of
 * the same events gives the same payment. It uses no clock; `stateAt` handles expired links.
 * docs/use/payment-states.md explains grades and flags. `events`: at least one, all of one profile and order number.
 * Throws a RangeError if it is empty.
 */
export const reducePayment = (events: readonly Event[]): Payment => {
  const sorted = canonical(events);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (!first || !last) throw new RangeError('A payment needs at least one event.');
  const orderNumber = first.orderNumber ?? '';
  const notes = flagNotes();

  const requestsByKey = sessionRequestsOf(sorted);
  const receipts = receiptsOf(sorted);
  const observations = observationsOf(sorted, orderNumber, notes);
  const trusted = receipts.filter(receipt => receipt.trusted);

  const raised = requestsByKey.filter(({ ended }) => ended?.kind !== 'session.refused');
  const requested = (raised.length > 0 ? raised : requestsByKey).map(
    ({ requested: { body } }): Terms => body,
  );
  const reported = trusted[0]?.terms ?? observations[0]?.terms ?? receipts[0]?.terms;
  const records = requested.length > 0 ? requested : reported ? [reported] : [];

  flagReceipts(receipts, notes);
  noteDifferences(receipts, observations, records, notes);
  const attemptHistories = Array.from(byPaymentId(trusted, observations), ([paymentId, group]) =>
    historyOf(paymentId, group.receipts, group.observations, records, notes),
  ).sort(
    (one, other) =>
      one.attempt.firstAt - other.attempt.firstAt || compareTexts(one.paymentId, other.paymentId),
  );

  const settled = attemptHistories.filter(
    ({ state }) => state === 'paid-confirmed' || state === 'paid-unconfirmed',
  );
  // Instalments of one series belong together: only unrelated payments count as paid twice.
  if (new Set(settled.map(({ seriesId, paymentId }) => seriesId ?? paymentId)).size > 1) {
    const ids = settled.map(({ paymentId }) => paymentId).join(' ');
    notes.add(
      'settled-twice',
      { paymentIds: ids },
      settled.map(({ basis }) => basis.event),
    );
  }
  if (requestsByKey.length === 0 && (receipts.length > 0 || observations.length > 0)) {
    notes.add('not-raised-here', {}, []);
  }
  if (raised.length > 1) {
    notes.add(
      'raised-twice',
      { times: String(raised.length) },
      raised.map(({ requested: { id } }) => id),
    );
  }

  const base = baseOf(requestsByKey, first.happenedAt, receipts.length > 0 || sorted.some(isLookUp));
  const history = mostSignificantHistory(attemptHistories);
  const isNewAttempt =
    history !== null &&
    supersededByNewLink.includes(history.state) &&
    (base.state === 'waiting' || base.state === 'outcome-unknown') &&
    base.since > history.since;
  // An issued redirect address (§6.1) adds nothing to our own request and its answer.
  const isOnlyIssued =
    requestsByKey.length > 0 &&
    (base.state === 'waiting' || base.state === 'outcome-unknown') &&
    history?.state === 'started' &&
    history.basis.kind === 'callback';
  const verdict: Base = history === null || isNewAttempt || isOnlyIssued ? base : history;

  const link = requestsByKey.findLast(({ ended }) => ended?.kind === 'session.accepted')?.ended;
  const accepted = link?.kind === 'session.accepted' ? link : null;
  const isLinkUsed = attemptHistories.some(
    ({ paidAt }) => paidAt !== null && accepted !== null && paidAt >= accepted.body.issuedAt,
  );
  const terms = termsOf(history, trusted, records);
  const paymentIds = new Set(
    [...receipts, ...observations].map(({ paymentId }) => paymentId).filter(id => id !== null && id !== ''),
  );
  return {
    profileId: first.profileId,
    orderNumber,
    raisedHere: requestsByKey.length > 0,
    state: verdict.state,
    since: verdict.since,
    amount: terms.amount,
    currency: terms.currency,
    description: terms.description,
    ...customerOf(requestsByKey, trusted, observations),
    link: accepted && {
      url: accepted.body.link,
      issuedAt: accepted.body.issuedAt,
      expiresAt: accepted.body.expiresAt,
    },
    reason: verdict.reason,
    paidAt: verdict === history && convertedStates.includes(history.state) ? history.paidAt : null,
    linkUsable: accepted !== null && !isLinkUsed,
    paymentIds: [...paymentIds].filter(id => id !== null),
    series: seriesOf(orderNumber, attemptHistories),
    // A page that was only prepared is not an attempt yet.
    attempts: attemptHistories
      .filter(({ paymentId, state }) => paymentId !== '' && state !== 'started')
      .map(({ attempt }) => attempt),
    movements: attemptHistories.flatMap(({ movements }) => movements).sort((one, other) => one.at - other.at),
    flags: notes.flags(),
    basis: verdict.basis,
    cardLast4:
      history?.attempt.cardLast4 ??
      attemptHistories.findLast(({ attempt }) => attempt.cardLast4)?.attempt.cardLast4 ??
      null,
    firstAt: first.happenedAt,
    lastAt: last.happenedAt,
    agent: requestsByKey.at(-1)?.requested.agent ?? null,
    events: sorted.length,
  };
};

const isLookUp = ({ kind }: Event): boolean => kind === 'status.observed';

/** The terms to show: those of the paid request, otherwise of the latest request, otherwise as first reported. */
const termsOf = (
  history: AttemptHistory | null,
  trusted: readonly Receipt[],
  records: readonly Terms[],
): Terms => {
  const paid = history && trusted.find(({ event }) => event === history.basis.event);
  if (paid && paid.type !== 'refund') return bestTermsMatch(paid.terms, records).ours;
  return records.at(-1) ?? { amount: null, currency: null, description: null };
};
