import type { Event } from '../../../shared/payments/evidence.ts';
import { isConnectionCheck, isInquiry } from '../../../shared/payment-reducer/evidence/inquiry.ts';
import { countedWire } from '../../../shared/money/wire-amount.ts';
import type { Entry } from '../../../shared/payments/movement.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { endsWithLink } from '../../../shared/payment-reducer/state-at.ts';
import { mayBeRetried } from '../../../shared/payments/link.ts';
import { checkedDaysOf } from '../../../shared/payment-reducer/checked-days.ts';
import { wordsOf } from '../../../shared/search-query/search-words.ts';
import { customerEntries, joinsIn, type ProjectedJoin } from './customer-keys.ts';
import { linkWord } from './link-word.ts';
import { packRow } from './packed-row.ts';

/** A payment as the tables store it: the reducer's result, reduced for lists, filters and search. */
export type Projected = {
  profileId: string;
  orderNumber: string;
  state: string;
  currency: string;
  flagged: number;
  /** Whether a person resolved its review. */
  resolved: number;
  firstAt: number;
  runsOutAt: number | null;
  /** The agent who created it; null if it was not created here. */
  agent: string | null;
  /** Minor units of its currency; null if unknown. */
  amount: number | null;
  /** Milliseconds from the first event to the paid event. */
  paidAfter: number | null;
  /** Minor units that came in and that went back; null if none. */
  paid: number | null;
  returned: number | null;
  /** Entries that are in neither `paid` nor `returned`, because the amount is unknown or unreadable; null if none. */
  uncounted: number | null;
  /** Days from the payment to the gateway's last answer about it; null unless money may still go back. */
  checkedDays: number | null;
  row: string;
  words: string;
  flags: readonly string[];
  paymentIds: readonly string[];
  /** The instants at which money moved, milliseconds, each once. */
  movedAt: readonly number[];
  /** The amounts that moved at each instant. */
  moved: readonly MovedAt[];
  review: ProjectedReview | null;
  /** Keys by which its customer is found. */
  customerKeys: readonly string[];
  joins: readonly ProjectedJoin[];
};

/** What moved at one instant, minor units by kind; `uncounted`: entries whose amount is unknown or unreadable. */
export type MovedAt = {
  at: number;
  paid: number;
  refunded: number;
  voided: number;
  disputed: number;
  uncounted: number;
};

/** Columns of the review lists. */
export type ProjectedReview = {
  assignee: string | null;
  snoozedUntil: number | null;
  resolvedAt: number | null;
};

const projectedReview = ({ review }: Pick<Payment, 'review'>): ProjectedReview | null =>
  review && {
    assignee: review.assignee,
    snoozedUntil: review.snoozedUntil,
    resolvedAt: review.resolved?.at ?? null,
  };

const minorUnits = ({
  amount,
  currency,
}: {
  amount: string | null;
  currency: string | null;
}): number | null => {
  const minor = amount === null || currency === null ? null : countedWire(amount, currency);
  return minor === null ? null : Number(minor);
};

/** An entry's amount in minor units with the sign of a counter-entry; null if it is not counted. */
const countedOf = ({ currency }: Payment, entry: Entry): number | null => {
  const { amount } = entry;
  const isOther = entry.currency !== null && entry.currency !== currency;
  const minor = isOther ? null : minorUnits({ amount, currency });
  return minor === null ? null : entry.isCounter ? -minor : minor;
};

const unitOf = ({ isCounter }: Entry): number => (isCounter ? -1 : 1);

/** The sums of a payment's entries, as far as their amounts can be read. */
const moneyOf = (payment: Payment): Pick<Projected, 'paid' | 'returned' | 'uncounted'> => {
  const sums = { paid: 0, returned: 0, uncounted: 0 };
  for (const entry of payment.entries) {
    const minor = countedOf(payment, entry);
    if (minor === null) sums.uncounted += unitOf(entry);
    else sums[entry.kind === 'paid' ? 'paid' : 'returned'] += minor;
  }
  return { paid: sums.paid || null, returned: sums.returned || null, uncounted: sums.uncounted || null };
};

/** The instants at which money moved, milliseconds, each once. */
export const movedAtOf = ({ entries }: Pick<Payment, 'entries'>): number[] => [
  ...new Set(entries.map(({ at }) => at)),
];

const sumNames = { paid: 'paid', refund: 'refunded', void: 'voided', chargeback: 'disputed' } as const;

/** What moved at each instant. */
const movedOf = (payment: Payment): MovedAt[] => {
  const sums = new Map(
    movedAtOf(payment).map(at => [at, { at, paid: 0, refunded: 0, voided: 0, disputed: 0, uncounted: 0 }]),
  );
  for (const entry of payment.entries) {
    const of = sums.get(entry.at);
    const minor = countedOf(payment, entry);
    if (!of) continue;
    if (minor === null) of.uncounted += unitOf(entry);
    else of[sumNames[entry.kind]] += minor;
  }
  return [...sums.values()];
};

/** The rows for an order with these events (at least one); null if all are inquiries, or of a connection check. */
export const project = (events: readonly Event[]): Projected | null => {
  if (isInquiry(events, events[0]?.orderNumber ?? '') || isConnectionCheck(events)) return null;
  const payment = reducePayment(events);
  const timed = endsWithLink(payment.state) || mayBeRetried(payment);
  return {
    profileId: payment.profileId,
    orderNumber: payment.orderNumber,
    state: payment.state,
    currency: payment.currency ?? '',
    flagged: payment.flags.length > 0 ? 1 : 0,
    resolved: payment.review?.resolved ? 1 : 0,
    firstAt: payment.firstAt,
    runsOutAt: timed ? (payment.link?.expiresAt ?? null) : null,
    agent: payment.agent,
    amount: minorUnits(payment),
    paidAfter: payment.paidAt === null ? null : payment.paidAt - payment.firstAt,
    ...moneyOf(payment),
    checkedDays: checkedDaysOf(payment, events),
    row: packRow(payment),
    words: wordsOf(
      payment,
      events,
      events.flatMap(event => (event.kind === 'session.accepted' ? [linkWord(event.body.link)] : [])),
    ),
    flags: [...new Set(payment.flags.map(({ kind }) => kind))],
    paymentIds: payment.paymentIds,
    movedAt: movedAtOf(payment),
    moved: movedOf(payment),
    review: projectedReview(payment),
    customerKeys: customerEntries(payment, events),
    joins: joinsIn(events),
  };
};

export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000);

/**
 * The version of `project`'s results: raised whenever the same evidence yields another result. A list of another version
 * is made again.
 */
export const projectionVersion = 14;
