import type { Event, StatusAnswer } from './evidence.ts';
import type { Attempt, Payment, PaymentState } from './payment.ts';
import { agreementWith, exactAmount, type Agreement, type Terms } from './reduce-amounts.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import type { FlagNotes } from './reduce-flags.ts';

/** One status answer about one payment id (§2.5). */
export type Observation = {
  event: string;
  at: number;
  paymentId: string | null;
  answer: StatusAnswer;
  terms: Terms;
};

/** What the evidence about one payment id adds up to. */
export type Story = {
  paymentId: string;
  state: PaymentState;
  since: number;
  restsOn: NonNullable<Payment['restsOn']>;
  reason: string | null;
  /** The first time anything said that money moved: from then on the link is spent (§3.3). */
  paidAt: number | null;
  attempt: Attempt;
};

/** The states of §3.1 and `void`, which was seen beside them, as the console names them. */
const observedStates: ReadonlyMap<string, PaymentState> = new Map([
  ['prepare', 'started'],
  ['pending', 'processing'],
  ['3ds', 'bank-check'],
  ['redirect', 'bank-check'],
  ['settled', 'paid-unconfirmed'],
  ['decline', 'declined'],
  ['refund', 'refunded'],
  ['reversal', 'reversed'],
  ['void', 'voided'],
  ['chargeback', 'chargeback'],
]);

/** How far a payment has come while it is under way; a late report of an earlier step undoes nothing. */
const steps: readonly PaymentState[] = ['started', 'bank-check', 'processing'];
const underWay = (state: PaymentState): boolean => steps.includes(state);

/**
 * The status answers among an order's events.
 * `events`: in canonical order. Answers that name another order are flagged and left out.
 */
export const observationsOf = (
  events: readonly Event[],
  orderNumber: string,
  notes: FlagNotes,
): Observation[] => {
  const observations: Observation[] = [];
  for (const event of events) {
    if (event.kind !== 'status.observed') continue;
    for (const answer of event.body.answers) {
      if (!observedStates.has(answer.status)) {
        notes.add('outside-interface', { field: 'status', theirs: answer.status }, [event.id]);
      } else if (answer.status === 'void') {
        notes.add('outside-interface', { field: 'status', theirs: 'void' }, [event.id]);
      }
      if (answer.order.number !== null && answer.order.number !== orderNumber) {
        notes.add(
          'sources-disagree',
          { field: 'order number', ours: orderNumber, theirs: answer.order.number },
          [event.id],
        );
        continue;
      }
      observations.push({
        event: event.id,
        at: event.happenedAt,
        paymentId: answer.paymentId ?? (event.body.asked.by === 'payment-id' ? event.body.asked.value : null),
        answer,
        terms: answer.order,
      });
    }
  }
  return observations;
};

/** A claim about a payment, from one of the two sources. */
type Claim = {
  state: PaymentState;
  at: number;
  /** When this source said it last. */
  lastAt: number;
  event: string;
  reason: string | null;
};

const claim = (state: PaymentState, receipt: Receipt): Claim => ({
  state,
  at: receipt.at,
  lastAt: receipt.at,
  event: receipt.event,
  reason: valueOf(receipt.fields, 'reason'),
});

const is = (receipt: Receipt, type: string, status: string): boolean =>
  receipt.type === type && receipt.status === status;

/** Refunds add up in exact integers; a partial one leaves `order_status` at settled (field notes), its size then unknown. */
const refundState = (refunds: readonly Receipt[], paid: string | null): PaymentState => {
  const whole = paid === null ? null : exactAmount(paid);
  let returned = 0n;
  for (const refund of refunds) {
    const amount = refund.terms.amount === null ? null : exactAmount(refund.terms.amount);
    const part = valueOf(refund.fields, 'order_status') === 'settled';
    if (amount === null || whole === null) {
      if (!part) return 'refunded';
    } else if (amount < whole) returned += amount;
    else if (!part) return 'refunded';
  }
  return whole !== null && returned >= whole ? 'refunded' : 'part-refunded';
};

/** What the trusted callbacks of one payment id say together, by §3.2; null when they say nothing. */
const callbackClaim = (
  receipts: readonly Receipt[],
  agreement: (terms: Terms) => Agreement,
  notes: FlagNotes,
): { claim: Claim; whole: boolean } | null => {
  const first = (type: string, status: string): Receipt | undefined =>
    receipts.find(receipt => is(receipt, type, status));
  const chargeback = first('chargeback', 'success');
  if (chargeback) return { claim: claim('chargeback', chargeback), whole: false };
  const reversal = first('reversal', 'success');
  if (reversal) return { claim: claim('reversed', reversal), whole: false };
  const voided = first('void', 'success');
  if (voided) return { claim: claim('voided', voided), whole: false };
  const refunds = receipts.filter(receipt => is(receipt, 'refund', 'success'));
  const refund = refunds[0];
  const sale = first('sale', 'success');
  if (refund) {
    const state = refundState(refunds, agreement(sale?.terms ?? refund.terms).ours.amount);
    const last = state === 'refunded' ? (refunds.at(-1) ?? refund) : refund;
    return { claim: claim(state, last), whole: false };
  }
  const failed = first('sale', 'fail') ?? first('recurring', 'fail');
  if (sale) {
    const closest = receipts
      .filter(receipt => is(receipt, 'sale', 'success'))
      .find(receipt => {
        const { amount, currency } = agreement(receipt.terms);
        return amount && currency;
      });
    if (!closest) return { claim: claim('needs-attention', sale), whole: false };
    if (failed) {
      notes.add(
        'sources-disagree',
        { field: 'status', ours: `${failed.type} + fail`, theirs: 'sale + success' },
        [failed.event, closest.event],
      );
      return { claim: claim('needs-attention', closest), whole: agreement(closest.terms).description };
    }
    return { claim: claim('paid-unconfirmed', closest), whole: agreement(closest.terms).description };
  }
  if (failed) return { claim: claim('declined', failed), whole: false };
  let furthest: Claim | null = null;
  for (const receipt of receipts) {
    const { type, status } = receipt;
    let step: PaymentState | null = null;
    // The callback says no more than that a redirect_url was returned (§6.1): nobody need have opened it yet.
    if (type === 'redirect' && status === 'success') step = 'started';
    if (type === '3ds' && status === 'success') step = 'bank-check';
    // A scheduled payment that succeeded is not a sale: §3.2 calls only sale + success paid.
    if ((type === 'sale' || type === 'recurring') && status === 'waiting') step = 'processing';
    if (type === 'recurring' && status === 'success') step = 'processing';
    if (step !== null && (!furthest || steps.indexOf(step) > steps.indexOf(furthest.state))) {
      furthest = claim(step, receipt);
    }
  }
  return furthest && { claim: furthest, whole: false };
};

/** The gateway's latest word on one payment id, and since when it has been saying so. */
const lookUpClaim = (
  observations: readonly Observation[],
  agreement: (terms: Terms) => Agreement,
): { claim: Claim; whole: boolean } | null => {
  const last = observations.at(-1);
  const state = last && observedStates.get(last.answer.status);
  if (!last || state === undefined) return null;
  let since = last;
  for (const observation of observations.toReversed()) {
    if (observation.answer.status !== last.answer.status) break;
    since = observation;
  }
  const { amount, currency, description } = agreement(last.terms);
  const named = last.terms.amount !== null && last.terms.currency !== null;
  const wrong = (last.terms.amount !== null && !amount) || (last.terms.currency !== null && !currency);
  return {
    claim: {
      state: state === 'paid-unconfirmed' && wrong ? 'needs-attention' : state,
      at: since.at,
      lastAt: last.at,
      event: last.event,
      reason: last.answer.reason,
    },
    whole: named && amount && currency && (description || last.terms.description === null),
  };
};

type Verdict = { state: PaymentState; since: number; by: 'callback' | 'look-up'; disagrees: boolean };

const tookBack: readonly PaymentState[] = ['refunded', 'part-refunded', 'reversed', 'voided', 'chargeback'];

/** Brings the two sources together. Where they contradict each other about paid or not paid, neither is believed. */
const combine = (callback: Claim, lookUp: Claim, whole: boolean): Verdict => {
  const byCallback = (disagrees = false): Verdict => ({
    state: callback.state,
    since: callback.at,
    by: 'callback',
    disagrees,
  });
  const byLookUp = (): Verdict => ({
    state: lookUp.state,
    since: lookUp.at,
    by: 'look-up',
    disagrees: false,
  });
  const contradiction: Verdict = {
    state: 'needs-attention',
    since: Math.max(callback.at, lookUp.at),
    by: 'look-up',
    disagrees: true,
  };
  const later = lookUp.lastAt >= callback.at;
  if (callback.state === 'chargeback') return byCallback();
  if (lookUp.state === 'chargeback') return byLookUp();
  if (lookUp.state === 'needs-attention') return byLookUp();
  if (callback.state === 'needs-attention') {
    return lookUp.state === 'paid-unconfirmed' && whole
      ? { state: 'paid-confirmed', since: Math.max(callback.at, lookUp.at), by: 'callback', disagrees: false }
      : byCallback();
  }
  if (underWay(callback.state)) {
    return underWay(lookUp.state) && steps.indexOf(callback.state) >= steps.indexOf(lookUp.state)
      ? byCallback()
      : byLookUp();
  }
  switch (callback.state) {
    case 'paid-unconfirmed':
      if (lookUp.state === 'paid-unconfirmed') {
        return whole
          ? {
              state: 'paid-confirmed',
              since: Math.max(callback.at, lookUp.at),
              by: 'callback',
              disagrees: false,
            }
          : byCallback();
      }
      if (lookUp.state === 'declined') return contradiction;
      // An answer from before the callback may well have said "pending"; one from after it should not.
      return underWay(lookUp.state) ? byCallback(later) : byLookUp();
    case 'declined':
      if (lookUp.state === 'paid-unconfirmed' || lookUp.state === 'refunded') return contradiction;
      return lookUp.state === 'reversed' || lookUp.state === 'voided' ? byLookUp() : byCallback();
    case 'refunded':
    case 'part-refunded':
      if (lookUp.state === 'paid-unconfirmed' && later) {
        return { state: 'part-refunded', since: callback.at, by: 'callback', disagrees: false };
      }
      if (lookUp.state === 'declined') return contradiction;
      return lookUp.state === 'refunded' && callback.state === 'part-refunded' ? byLookUp() : byCallback();
    case 'voided':
    case 'reversed':
      return lookUp.state === 'paid-unconfirmed' && later ? contradiction : byCallback();
    default:
      return byCallback();
  }
};

const outcomes: Partial<Record<PaymentState, Attempt['outcome']>> = {
  'paid-unconfirmed': 'paid',
  'paid-confirmed': 'paid',
  declined: 'declined',
  'part-refunded': 'refunded',
  refunded: 'refunded',
  voided: 'voided',
  reversed: 'reversed',
  chargeback: 'chargeback',
};

const lastDigits = (card: string | null): string | null => /(\d{4})$/.exec(card ?? '')?.[1] ?? null;

/** The last value that the receipts give a parameter. */
const merged = (receipts: readonly Receipt[], name: string): string | null =>
  receipts.findLast(receipt => valueOf(receipt.fields, name) !== null)?.fields.get(name) ?? null;

/**
 * The story of one payment id from its trusted callbacks and its look-ups, both oldest first;
 * null when neither says anything about its state.
 */
export const storyOf = (
  paymentId: string,
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  records: readonly Terms[],
  notes: FlagNotes,
): Story | null => {
  const agreement = (terms: Terms): Agreement => agreementWith(terms, records);
  const callback = callbackClaim(receipts, agreement, notes);
  const lookUp = lookUpClaim(observations, agreement);
  const either = callback ?? lookUp;
  if (!either) return null;
  const verdict: Verdict =
    callback && lookUp
      ? combine(callback.claim, lookUp.claim, callback.whole && lookUp.whole)
      : {
          state: either.claim.state,
          since: either.claim.at,
          by: callback ? 'callback' : 'look-up',
          disagrees: false,
        };
  if (verdict.disagrees && callback && lookUp) {
    notes.add(
      'sources-disagree',
      { field: 'state', ours: `callback: ${callback.claim.state}`, theirs: `look-up: ${lookUp.claim.state}` },
      [callback.claim.event, lookUp.claim.event],
    );
  }
  const rests = (verdict.by === 'callback' ? callback : lookUp)?.claim ?? either.claim;
  const paid = [
    ...receipts.filter(receipt => receipt.status === 'success' && moneyMoved.has(receipt.type)),
    ...observations.filter(({ answer }) => {
      const state = observedStates.get(answer.status);
      return state !== undefined && (state === 'paid-unconfirmed' || tookBack.includes(state));
    }),
  ].map(({ at }) => at);
  const times = [...receipts, ...observations].map(({ at }) => at);
  const card = merged(receipts, 'card');
  return {
    paymentId,
    state: verdict.state,
    since: verdict.since,
    restsOn: {
      event: rests.event,
      kind: verdict.by,
      at: verdict.by === 'callback' ? rests.at : rests.lastAt,
      verified: verdict.by === 'callback',
    },
    reason: rests.reason ?? null,
    paidAt: paid.length > 0 ? Math.min(...paid) : null,
    attempt: {
      paymentId,
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
      outcome: outcomes[verdict.state] ?? 'in-progress',
      reason: rests.reason ?? null,
      cardLast4: lastDigits(card),
      rrn: merged(receipts, 'rrn'),
      approvalCode: merged(receipts, 'approval_code'),
    },
  };
};

/** Callback types that, with success, mean that money moved or was held. */
const moneyMoved = new Set(['sale', 'refund', 'void', 'reversal', 'chargeback']);
