import type { Result } from '../../shared/errors.ts';
import { readGatewayTime } from '../../shared/gateway-time.ts';
import {
  lookUpEvidenceOf,
  needsSecondSource,
  nextLookUp,
  type LookUpReason,
  type LookUpWishes,
} from '../../shared/look-ups/next-look-up.ts';
import { lastAskedAt } from '../../shared/payment-reducer/checked-days.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import type { Event, EventBody, LookUpKey } from '../../shared/payments/evidence.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import type { LookUpQueue } from './look-up-queue.ts';

/** Delay before a payment is read after an event, so that many at once are not read at once. */
const afterPaidMs = 1_500;
/** Further delay at other installations than the one that raised the payment, which comes first. */
const elsewhereMs = 5_000;
/** Delay after a look-up without an answer. */
const retryMs = 60_000;
/** Delay of a look-up that another installation has claimed: one that is still due then is made here. */
export const claimedMs = 3 * 60_000;
/** A look-up that is due later than this is found again by its evidence. */
const maxAheadMs = 2 * 60 * 60_000;
/** Limit of the questions for all open links together, in an hour. */
const maxWatched = 40;
const hourMs = 60 * 60_000;
/** Age up to which a callback that was pasted or read from a file counts. */
const maxStoredAgeMs = 24 * hourMs;
/** Difference between two clocks that does not make a callback one of the future. */
const clockToleranceMs = 5 * 60_000;

/** Looks up a payment and stores the answer. */
export type AutomaticLookUp = (
  payment: PaymentKey,
  key: LookUpKey,
  requestedBy: 'console',
) => Promise<Result<unknown>>;

export type AutomaticLookUpOptions = {
  queue: LookUpQueue;
  lookUp: AutomaticLookUp;
  /** All events of an order. */
  eventsOf: (payment: PaymentKey) => Promise<readonly Event[]>;
  /** What is wanted of a payment now; null: this installation cannot ask about it. */
  wishesOf: (payment: PaymentKey, events: readonly Event[]) => Promise<LookUpWishes | null>;
  /** Called with every payment that is read. */
  onRead?: (payment: Payment) => void;
  /** Claims a look-up for this installation. */
  claim: (task: string) => Promise<boolean>;
  /** Whether the evidence of other installations is read here, so that what one of them did not do is noticed. */
  seesOthers: boolean;
  /** IANA zone of a profile's gateway times. */
  zoneOf: (profileId: string) => string;
  clock: () => number;
};

const valueOf = ({ fields }: EventBody<'callback.received'>, name: string): string =>
  fields.find(([field]) => field === name)?.[1] ?? '';

/**
 * Looks payments up without a person at their page. What is due follows from a payment's evidence alone
 * (`nextLookUp`): it is read when something was written about the payment, and again when its look-up is due.
 */
export const createAutomaticLookUps = ({
  queue,
  lookUp,
  eventsOf,
  wishesOf,
  onRead = () => undefined,
  claim,
  seesOthers,
  zoneOf,
  clock,
}: AutomaticLookUpOptions) => {
  /** When open links were looked up in the last hour. */
  let watched: readonly number[] = [];

  /** When another open link may be looked up. */
  const watchFrom = (now: number): number => {
    watched = watched.filter(at => at > now - hourMs);
    return watched.length < maxWatched ? now : (watched[0] ?? now) + hourMs;
  };

  /** Reads a payment's evidence at `at`, and looks it up if that is due then. `isOverdue`: without a claim. */
  const consider = (payment: PaymentKey, at: number, reason: LookUpReason, isOverdue = false): void => {
    const ask = async () => {
      const events = await eventsOf(payment);
      if (events.length === 0) return 'skipped';
      const reduced = reducePayment(events);
      onRead(reduced);
      const wishes = await wishesOf(payment, events);
      const now = clock();
      const wanted = wishes && nextLookUp(reduced, lookUpEvidenceOf(events), wishes, now);
      if (wanted === null) return 'skipped';
      const from = Math.max(wanted.at, wanted.reason === 'watch' ? watchFrom(now) : 0);
      if (from > now) {
        if (from - now <= maxAheadMs) consider(payment, from, wanted.reason);
        return 'skipped';
      }
      const { profileId, orderNumber } = payment;
      if (!isOverdue && !(await claim(`look-up:${wanted.reason}:${profileId}:${orderNumber}`))) {
        // A claim postpones it: its holder may never ask.
        if (seesOthers) consider(payment, now + claimedMs, wanted.reason, true);
        return 'skipped';
      }
      if (wanted.reason === 'watch') watched = [...watched, now];
      const key: LookUpKey =
        wanted.paymentId === null
          ? { by: 'order-number', value: orderNumber }
          : { by: 'payment-id', value: wanted.paymentId };
      const answer = await lookUp(payment, key, 'console');
      return answer.ok ? 'answered' : answer.error;
    };
    queue.add({ ...payment, at, reason, ask });
  };

  /** Whether a callback is recent enough to be a reason for a look-up. */
  const isRecent = (profileId: string, body: EventBody<'callback.received'>): boolean => {
    if (body.via === 'receiver') return true;
    const at = readGatewayTime(valueOf(body, 'date'), zoneOf(profileId));
    const age = at === null ? Infinity : clock() - at;
    return age <= maxStoredAgeMs && age >= -clockToleranceMs;
  };

  /** Why an event is a reason to read its payment, and after which time; null if it is not. */
  const reasonOf = (event: Event, isElsewhere: boolean): [LookUpReason, number] | null => {
    switch (event.kind) {
      case 'callback.received': {
        const type = valueOf(event.body, 'type');
        const isReason =
          event.body.verification.verdict === 'verified' &&
          needsSecondSource(type, valueOf(event.body, 'status')) &&
          isRecent(event.profileId, event.body);
        return isReason ? [type === 'sale' ? 'confirm' : 'operation', afterPaidMs] : null;
      }
      case 'callback.reverified':
        return event.body.verification.verdict === 'verified' ? ['confirm', afterPaidMs] : null;
      case 'operation.answered':
      case 'operation.unanswered':
        return ['operation', 0];
      case 'session.accepted':
        return isElsewhere ? null : ['watch', 0];
      case 'status.observed':
        // Not by the others: what waits here is read again before it is asked.
        return isElsewhere ? null : ['stalled', lastAskedAt([event]) === null ? retryMs : 0];
      default:
        return null;
    }
  };

  return {
    consider,
    /** Call it with every written event; `from`: where its payment was raised. */
    handleEvents(events: readonly Event[], from: 'here' | 'elsewhere' = 'here'): void {
      for (const event of events) {
        const { profileId, orderNumber } = event;
        const found = orderNumber === null ? null : reasonOf(event, from === 'elsewhere');
        if (orderNumber === null || found === null) continue;
        const [reason, delayMs] = found;
        const at = clock() + delayMs + (from === 'elsewhere' ? elsewhereMs : 0);
        consider({ profileId, orderNumber }, at, reason);
      }
    },
  };
};
