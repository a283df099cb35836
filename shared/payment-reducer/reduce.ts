import type { Event } from '../payments/evidence.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';
import { rowOf } from '../payments/payment-row.ts';
import { isOperationOpen, movesMoney } from '../operations/operation-kinds.ts';
import type { Operation } from '../operations/operation.ts';
import { compareTexts } from '../compare-texts.ts';
import { askedIn } from './evidence/asked.ts';
import { checkedAtOf } from './checked-days.ts';
import { evidenceByPayment } from './ledger/evidence-by-payment.ts';
import { inOrder } from './evidence/evidence-order.ts';
import type { Terms } from './evidence/terms.ts';
import { historyOf, type AttemptHistory } from './reduce-attempts.ts';
import { flagReceipts, receiptsOf, valueOf, type Receipt } from './evidence/callbacks.ts';
import { noteDifferences } from './reduce-differences.ts';
import { fingerprintOf } from './fingerprint.ts';
import { createFlagCollector, type FlagCollector } from './evidence/flag-collector.ts';
import { ledgerOf } from './ledger/ledger.ts';
import { flagWithdrawn, linksOf } from './reduce-links.ts';
import { observationsOf, type Observation } from './evidence/look-ups.ts';
import { concernOf } from './concern.ts';
import { disputeOf } from './recordable-movements.ts';
import { baseOfCharges, chargeOperations, chargeTermsOf, standingCharges } from './reduce-charges.ts';
import { flagOperations, operationRecordsOf, type OperationRecord } from './ledger/requests.ts';
import { reviewOf } from './reduce-review.ts';
import { sameId, spellingOfIds } from './evidence/payment-id.ts';
import {
  baseOf,
  sessionRequestsOf,
  shownRequestOf,
  type Base,
  type SessionRequestRecord,
} from './reduce-requests.ts';

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
const ranks: ReadonlyMap<PaymentState, number> = new Map(bySignificance.map((state, rank) => [state, rank]));
const rankOf = (state: PaymentState): number => ranks.get(state) ?? bySignificance.length;

/** A new link restarts the order, unless money moved or may still be moving. */
const supersededByNewLink: readonly PaymentState[] = [
  'waiting',
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
    const before = best && (rankOf(best.state) - rankOf(history.state) || history.since - best.since);
    if (before === null || before > 0) best = history;
  }
  return best;
};

const statesWithMoney: readonly PaymentState[] = [
  'paid-confirmed',
  'paid-unconfirmed',
  'refund-seen',
  'part-refunded',
];

/** Whether money came in that did not all go back, also another amount than asked for. */
const hasMoneyLeft = ({ state, paid }: AttemptHistory): boolean =>
  statesWithMoney.includes(state) ||
  (state === 'needs-attention' && paid !== null && paid.fate !== 'contradicted');

const customerOf = (
  asked: Payment['customer'],
  receipts: readonly Receipt[],
  observations: readonly Observation[],
): Pick<Payment, 'customer' | 'customerFrom'> => {
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

const seriesOf = (
  orderNumber: string,
  attemptHistories: readonly AttemptHistory[],
  charge: OperationRecord | null,
): Payment['series'] => {
  const first =
    charge?.requested.body.charge?.firstPaymentId ??
    scheduledOrder.exec(orderNumber)?.[1] ??
    attemptHistories.find(({ seriesId }) => seriesId)?.seriesId;
  return first ? { firstPaymentId: first } : null;
};

/** The payment ids of some evidence, in its order. */
const paymentIdsOf = (evidence: readonly { paymentId: string | null }[]): string[] => {
  const ids = new Set(evidence.map(({ paymentId }) => paymentId ?? ''));
  ids.delete('');
  return [...ids];
};

/**
 * The state of one order number of one profile from its events (§3.2, §3.3). Pure: any order and any duplication of
 * the same events gives the same payment. It uses no clock; `stateAt` handles expired links.
 * docs/use/payment-states.md explains grades and flags. `events`: at least one, all of one profile and order number.
 * Throws a RangeError if it is empty.
 */
export const reducePayment = (events: readonly Event[]): Payment => {
  const sorted = inOrder(events);
  const [oldest] = sorted;
  if (!oldest) throw new RangeError('A payment needs at least one event.');
  // An installation whose clock is slow must not date a payment back by reviewing it.
  const first = sorted.find(event => !isReview(event)) ?? oldest;
  const orderNumber = first.orderNumber ?? '';
  const notes = createFlagCollector();

  const requests = sessionRequestsOf(sorted);
  const shownRequest = shownRequestOf(requests);
  const operationRecords = operationRecordsOf(sorted);
  const charges = operationRecords.filter(one => one.requested.body.operation === 'recurring');
  const askedAt = askedIn(sorted);
  const spelled = spellingOfIds();
  const receipts = receiptsOf(sorted, askedAt).map(spelled);
  const observations = observationsOf(sorted, orderNumber, askedAt, notes).map(spelled);
  const trusted = receipts.filter(receipt => receipt.trusted);

  const raised = requests.filter(({ ended }) => ended?.kind !== 'session.refused');
  const { terms: asked } = askedAt(sorted.length);
  const [reported] = [...trusted, ...observations, ...receipts];
  const records = asked.length > 0 ? asked : reported ? [reported.terms] : [];

  flagReceipts(
    receipts,
    ({ paymentId, index }) =>
      sorted.filter(
        (event, place) =>
          place < index &&
          event.kind === 'operation.requested' &&
          event.body.operation === 'retry' &&
          sameId(event.paymentId ?? '', paymentId ?? ''),
      ).length,
    notes,
  );
  const attempts = evidenceByPayment(sorted, trusted, observations);
  const attemptHistories = attempts
    .filter(one => one.receipts.length + one.observations.length > 0)
    .map(evidence => historyOf(evidence, notes))
    .sort(
      (one, other) =>
        one.attempt.firstAt - other.attempt.firstAt || compareTexts(one.paymentId, other.paymentId),
    );
  noteDifferences(receipts, observations, attemptHistories, notes);

  const settled = attemptHistories.filter(hasMoneyLeft);
  // Instalments of one series belong together: only unrelated payments count as paid twice.
  if (new Set(settled.map(({ seriesId, paymentId }) => seriesId ?? paymentId)).size > 1) {
    const ids = settled.map(({ paymentId }) => paymentId).join(' ');
    notes.add(
      'settled-twice',
      { paymentIds: ids },
      settled.map(({ basis }) => basis.event),
    );
  }
  const isRaisedHere = requests.length > 0 || charges.length > 0;
  if (!isRaisedHere && reported) notes.add('not-raised-here', {}, []);
  if (raised.length > 1)
    notes.add(
      'raised-twice',
      { times: String(raised.length) },
      raised.map(({ requested: { id } }) => id),
    );

  const isCharge = requests.length === 0 && charges.length > 0;
  const base = isCharge
    ? baseOfCharges(charges)
    : baseOf(requests, first.happenedAt, receipts.length > 0 || sorted.some(isLookUp));
  const history = mostSignificantHistory(attemptHistories);
  const isLinkOpen = !isCharge && base.basis !== null && base.state !== 'refused';
  const isNewAttempt =
    history !== null &&
    isLinkOpen &&
    supersededByNewLink.includes(history.state) &&
    base.since > history.since;
  // An issued redirect address (§6.1) and a prepared page add nothing to our own request and its answer.
  const isOnlyIssued =
    (isLinkOpen && history?.state === 'started' && history.basis.kind === 'callback') ||
    (base.state === 'waiting' && history?.state === 'waiting');
  const verdict: Base = history === null || isNewAttempt || isOnlyIssued ? base : history;

  const accepted =
    requests.map(({ ended }) => ended).findLast(ended => ended?.kind === 'session.accepted') ?? null;
  const links = linksOf(
    requests,
    sorted,
    attemptHistories.filter(({ attempt }) => !attempt.instalment),
  );
  flagWithdrawn(links, attemptHistories, sorted, notes);
  const [charge = null] = isCharge ? standingCharges(charges).slice(-1) : [];
  const shownTerms = shownRequest?.body ?? (charge && chargeTermsOf(charge));
  const paid = (history?.paid ? history : attemptHistories.find(one => one.paid))?.paid ?? null;
  const terms = termsOf(history, records, shownTerms);
  // A paid request other than the shown one brings its customer and agent along.
  const { agent = charge?.requested.agent ?? null, body } =
    requests.findLast(({ requested: { body: of } }) => of === terms)?.requested ?? shownRequest ?? {};
  const lastNamed =
    raised.findLast(({ requested: { body: of } }) => of.customer !== null)?.requested.body.customer ?? null;
  const operations = [
    ...attemptHistories.flatMap(one => one.operations),
    // Nothing else is known of their payment: it was erased, or its evidence is elsewhere.
    ...attempts.flatMap(({ paymentId, receipts: of, observations: seen, items }) =>
      of.length + seen.length > 0 ? [] : ledgerOf(paymentId, items, notes).operations(),
    ),
    ...chargeOperations(
      charges,
      history && {
        state: history.state,
        since: history.since,
        isByCallback: history.basis.kind === 'callback',
      },
    ),
  ].sort((one, other) => one.at - other.at || compareTexts(one.intent, other.intent));
  flagOperations(operations, operationRecords, notes);
  flagMissingTokens(raised, trusted, observations, notes);
  flagInProgress(operations, attemptHistories, notes);
  const movements = attemptHistories.flatMap(one => one.movements).sort((one, other) => one.at - other.at);
  const payment: Payment = {
    profileId: first.profileId,
    orderNumber,
    raisedHere: isRaisedHere,
    state: verdict.state,
    since: verdict.since,
    amount: terms.amount,
    currency: terms.currency,
    description: terms.description,
    ...customerOf(
      body?.customer ?? lastNamed ?? charge?.requested.body.charge?.customer ?? null,
      trusted,
      observations,
    ),
    link: accepted && {
      url: accepted.body.link,
      issuedAt: accepted.body.issuedAt,
      expiresAt: accepted.body.expiresAt,
    },
    links,
    reason: verdict.reason,
    paidAmount: paid?.amount ?? null,
    paidCurrency: paid?.currency ?? null,
    paidAt: paid && paid.fate !== 'contradicted' ? paid.at : null,
    checkedAt: checkedAtOf(sorted, orderNumber),
    linkUsable: links.some(
      ({ idempotencyKey, issuedAt, withdrawn }) =>
        idempotencyKey === accepted?.body.idempotencyKey &&
        withdrawn === null &&
        !attemptHistories.some(({ usedAt }) => usedAt !== null && usedAt >= issuedAt),
    ),
    paymentIds: paymentIdsOf([...receipts, ...observations, ...chargedPayments(charges).map(spelled)]),
    series: seriesOf(orderNumber, attemptHistories, charge),
    // A page that was only prepared is not an attempt yet.
    attempts: attemptHistories
      .filter(({ paymentId, state }) => paymentId !== '' && state !== 'started' && state !== 'waiting')
      .map(({ attempt }) => attempt),
    movements,
    entries: attemptHistories.flatMap(({ entries }) => entries).sort((one, other) => one.at - other.at),
    operations,
    pendingSince: pendingSinceOf(operations, attemptHistories),
    concern: concernOf(operations, movements, terms.currency),
    flags: notes.flags(),
    basis: verdict.basis,
    cardLast4:
      history?.attempt.cardLast4 ??
      attemptHistories.findLast(({ attempt }) => attempt.cardLast4)?.attempt.cardLast4 ??
      null,
    firstAt: first.happenedAt,
    lastAt: Math.max(...sorted.map(({ happenedAt }) => happenedAt)),
    agent,
    events: sorted.length,
    review: null,
    dispute: movements.some(({ kind }) => kind === 'chargeback') ? disputeOf(sorted, movements) : null,
  };
  return { ...payment, review: reviewOf(sorted, () => fingerprintOf(rowOf(payment))) };
};

/** The payment ids that answers to recurring charges name. */
const chargedPayments = (charges: readonly OperationRecord[]): { paymentId: string | null }[] =>
  charges.map(({ ended }) => ({
    paymentId: ended?.kind === 'operation.answered' ? ended.body.report.paymentId : null,
  }));

/** What a request for a link asks for, and the parameter that brings it. */
const requestedTokens = [
  ['recurring_init', 'recurring_token'],
  ['req_token', 'card_token'],
] as const;

/** Flags a token or series that was requested and did not come with the payment: the payer may not have agreed. */
const flagMissingTokens = (
  raised: readonly SessionRequestRecord[],
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  notes: FlagCollector,
): void => {
  const sale = receipts.find(({ type, status }) => type === 'sale' && status === 'success');
  if (!sale) return;
  for (const [asked, parameter] of requestedTokens) {
    const isAsked = raised.some(({ requested: { body } }) => body.request.includes(`"${asked}":true`));
    const isHere =
      receipts.some(({ fields }) => fields.has(parameter)) ||
      observations.some(({ answer }) => Object.hasOwn(answer.extra, parameter));
    if (isAsked && !isHere) notes.add('token-missing', { field: parameter }, [sale.event]);
  }
};

const isReview = ({ kind }: Event): boolean => kind.startsWith('review.');
const isLookUp = ({ kind }: Event): boolean => kind === 'status.observed';

/** The terms to show: those of the paid request, otherwise of the shown request, otherwise as first reported. */
const termsOf = (history: AttemptHistory | null, records: readonly Terms[], shown: Terms | null): Terms =>
  history?.paid?.asked ?? shown ?? records.at(-1) ?? { amount: null, currency: null, description: null };

/** Flags money that may be on its way, requested here or elsewhere. */
const flagInProgress = (
  operations: readonly Operation[],
  histories: readonly AttemptHistory[],
  notes: FlagCollector,
): void => {
  const movements = histories.flatMap(one => one.movements);
  const note = (operation: string, amount: string | null, events: readonly string[]): void =>
    notes.add('money-in-progress', { operation, ...(amount === null ? {} : { amount }) }, events);
  for (const { kind, amount, state, intent } of operations.filter(movesMoney))
    if (state === 'accepted' || state === 'waiting')
      note(kind, amount, movements.find(one => one.intent === intent)?.events.slice(0, 1) ?? []);
  for (const { kind, amount, fate, origin, events } of movements)
    if (fate === 'in-progress' && origin !== 'here') note(kind, amount, events);
};

/** Since when the oldest request or report without a result has had none, milliseconds; null if all have one. */
const pendingSinceOf = (
  operations: readonly Operation[],
  histories: readonly AttemptHistory[],
): number | null => {
  const since = [
    ...operations.filter(movesMoney).filter(isOperationOpen),
    ...histories.flatMap(({ movements }) => movements.filter(({ fate }) => fate === 'in-progress')),
  ].map(one => one.since);
  return since.length === 0 ? null : Math.min(...since);
};
