import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';
import type { SessionRequest, StatusKey } from './requests.ts';
import type { EventType } from './sandbox.ts';

/** The statuses of §3.1, and `void` (assumption). */
export type PaymentStatus =
  | 'prepare'
  | 'settled'
  | 'pending'
  | '3ds'
  | 'redirect'
  | 'decline'
  | 'refund'
  | 'reversal'
  | 'chargeback'
  | 'void';

/** The payer's choices on the payment page. `continue` ends a bank check, a wait or a visit to another page. */
export const scenarios = [
  'pay',
  'decline',
  '3ds-pay',
  '3ds-fail',
  'wait-pay',
  'redirect-pay',
  'cancel',
  'continue',
] as const;
export type Scenario = (typeof scenarios)[number];

/** One attempt of the payer; callbacks contain its id and status requests take it. */
export type Attempt = {
  paymentId: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  status: PaymentStatus;
  reason: string | null;
  /** The result of the bank check or the wait. */
  ahead: 'settled' | 'decline' | null;
  /** Masked; the last two digits of the month select the scenario, as in the family's test cards. */
  card: { number: string; expires: string } | null;
  rrn: string | null;
  approvalCode: string | null;
  /** Refunded so far, in the smallest digit of the amount's wire form. */
  refunded: bigint;
  /** When it settled, milliseconds since 1970. */
  paidAt: number | null;
  /** Whether it waits for a capture. */
  isAuthorised: boolean;
  /** What the capture took, in the same unit; null without a capture. */
  captured: bigint | null;
  inFlight: readonly OperationInFlight[];
};

/** An operation without its last callback yet; `amount` in wire form, null for the whole payment. */
export type OperationInFlight = { operation: OperationKind; amount: string | null; since: number };

/** One link: a registered purchase with the payer's attempts (§4.1). */
export type Session = {
  /** The link's secret part. */
  token: string;
  request: SessionRequest;
  customer: { name: string; email: string; ip: string };
  issuedAt: number;
  expiresAt: number;
  /** Never empty; the last one is the current one. */
  attempts: [Attempt, ...Attempt[]];
  cancelled: boolean;
  cardToken: string;
  /** The recurring series that this payment began (`initialPaymentId` null: its own paid attempt) or belongs to. */
  recurring: { token: string; initialPaymentId: string | null } | null;
  /** The number of scheduled payments in its series. */
  repeats: number;
  callbacks: Callback[];
};

/** An event that is sent as a callback (§6.1). */
export type SandboxEvent = {
  attempt: Attempt;
  type: EventType;
  status: 'success' | 'fail' | 'waiting';
  /** Why it failed. */
  reason?: string;
  /** Wire form, if it is not the order's amount. */
  amount?: string;
};

/** A callback (§2.6) as the gateway stores it: unsigned, with the history of its deliveries. */
export type Callback = {
  orderNumber: string;
  type: SandboxEvent['type'];
  status: SandboxEvent['status'];
  fields: readonly (readonly [string, string])[];
  /** `at` in milliseconds; `httpStatus` null if there was no response. Oldest first, the newest twenty. */
  deliveries: { at: number; httpStatus: number | null }[];
};

const hour = 60 * 60_000;
export const defaultReason = 'Declined by processing';
const failedBankCheck = '3-D Secure authentication failed';

const newAttempt = (now: number): Attempt => ({
  paymentId: randomUUID(),
  startedAt: now,
  status: 'prepare',
  reason: null,
  ahead: null,
  card: null,
  rrn: null,
  approvalCode: null,
  refunded: 0n,
  paidAt: null,
  isAuthorised: false,
  captured: null,
  inFlight: [],
});

export const currentAttempt = (session: Session): Attempt => session.attempts.at(-1) ?? session.attempts[0];

const paidStatuses: readonly PaymentStatus[] = ['settled', 'refund', 'reversal', 'chargeback', 'void'];

/**
 * Whether the link can still be used at `now` in milliseconds: one hour (or as requested), and never after success
 * (§3.3).
 */
export const linkState = (session: Session, now: number): 'live' | 'expired' | 'used' => {
  if (session.attempts.some(attempt => attempt.isAuthorised || paidStatuses.includes(attempt.status)))
    return 'used';
  return now >= session.expiresAt ? 'expired' : 'live';
};

const cards: Partial<Record<Scenario, string>> = {
  pay: '01/2038',
  'wait-pay': '01/2038',
  'redirect-pay': '01/2038',
  decline: '02/2038',
  '3ds-pay': '05/2038',
  '3ds-fail': '06/2038',
};

const approve = (attempt: Attempt): void => {
  attempt.rrn = String(randomInt(100_000_000_000, 281_000_000_000));
  attempt.approvalCode = String(randomInt(100_000, 1_000_000));
};

/** Settles an attempt at `now` in milliseconds. */
export const settle = (attempt: Attempt, now: number): SandboxEvent[] => {
  attempt.status = 'settled';
  attempt.reason = null;
  attempt.paidAt = now;
  attempt.ahead = null;
  approve(attempt);
  return [{ attempt, type: 'sale', status: 'success' }];
};

/** With `auth` the money is only reserved, until a capture: the callback says so by its order status alone. */
const pay = ({ request }: Session, attempt: Attempt, now: number): SandboxEvent[] => {
  if (request.auth !== 'Y') return settle(attempt, now);
  attempt.status = 'pending';
  attempt.isAuthorised = true;
  approve(attempt);
  return [{ status: 'success', type: 'sale', attempt }];
};

const decline = (attempt: Attempt, reason: string): SandboxEvent[] => {
  attempt.status = 'decline';
  attempt.reason = reason;
  return [{ attempt, type: 'sale', status: 'fail', reason }];
};

const wait = (attempt: Attempt): SandboxEvent[] => {
  attempt.status = 'pending';
  attempt.ahead = 'settled';
  return [{ attempt, type: 'sale', status: 'waiting' }];
};

/**
 * Applies the payer's choice at `now` in milliseconds; `reason` is the bank's reason for a decline. Returns the
 * events, in order; null if the choice is not available (link expired or used, nothing to continue).
 */
const applyScenario = (
  session: Session,
  scenario: Scenario,
  now: number,
  reason = '',
): SandboxEvent[] | null => {
  const last = currentAttempt(session);
  if (scenario === 'continue') {
    const { ahead } = last;
    last.ahead = null;
    if (ahead === null) return null;
    return ahead === 'settled' ? pay(session, last, now) : decline(last, failedBankCheck);
  }
  if (linkState(session, now) !== 'live' || last.ahead !== null) return null;
  session.cancelled = scenario === 'cancel';
  if (scenario === 'cancel') return [];
  // After a declined attempt the link stays active: the next attempt is a separate payment.
  const attempt = last.status === 'decline' ? newAttempt(now) : last;
  if (attempt !== last) session.attempts.push(attempt);
  attempt.card = { number: '411111****1111', expires: cards[scenario] ?? '01/2038' };
  if (scenario === 'pay') return pay(session, attempt, now);
  if (scenario === 'decline') return decline(attempt, reason === '' ? defaultReason : reason);
  if (scenario === 'wait-pay') return wait(attempt);
  attempt.ahead = scenario === '3ds-fail' ? 'decline' : 'settled';
  if (scenario === 'redirect-pay') {
    // §6.1: the event redirect belongs to the session request, so nothing is sent now.
    attempt.status = 'redirect';
    return [];
  }
  attempt.status = '3ds';
  return [{ attempt, type: '3ds', status: 'success' }];
};

type Repeated = { session: Session; sandboxEvents: SandboxEvent[] };
type Charge = Pick<SessionRequest, 'schedule_id' | 'custom_data'> & {
  order: Omit<SessionRequest['order'], 'currency'>;
};
export type FoundAttempt = { session: Session; attempt: Attempt };

/** The gateway's records, in memory: the newest `capacity` links. */
export type SandboxPayments = ReturnType<typeof createSandboxPayments>;

export const createSandboxPayments = (capacity: number) => {
  /** In the order of registration, so that the oldest is evicted first. */
  const byToken = new Map<string, Session>();
  const byOrder = new Map<string, Set<Session>>();
  const byPaymentId = new Map<string, Session>();

  const remove = (session: Session): void => {
    byToken.delete(session.token);
    for (const { paymentId } of session.attempts) byPaymentId.delete(paymentId);
    const siblings = byOrder.get(session.request.order.number);
    siblings?.delete(session);
    if (siblings?.size === 0) byOrder.delete(session.request.order.number);
  };

  const add = (session: Session): Session => {
    const { number } = session.request.order;
    byToken.set(session.token, session);
    byPaymentId.set(session.attempts[0].paymentId, session);
    byOrder.set(number, (byOrder.get(number) ?? new Set<Session>()).add(session));
    const oldest = byToken.values().next().value;
    if (byToken.size > capacity && oldest) remove(oldest);
    return session;
  };

  const open = (request: SessionRequest, now: number): Session => ({
    token: randomBytes(24).toString('base64url'),
    request,
    customer: {
      name: request.customer?.name ?? 'Sandbox Payer',
      email: request.customer?.email ?? 'payer@example.com',
      ip: `203.0.113.${randomInt(1, 255)}`,
    },
    issuedAt: now,
    expiresAt: now + (request.session_expiry === undefined ? hour : request.session_expiry * 60_000),
    attempts: [newAttempt(now)],
    cancelled: false,
    cardToken: randomBytes(32).toString('hex'),
    recurring: request.recurring_init ? { token: randomUUID(), initialPaymentId: null } : null,
    repeats: 0,
    callbacks: [],
  });

  const attemptsOf = (orderNumber: string): FoundAttempt[] =>
    [...(byOrder.get(orderNumber) ?? [])]
      .flatMap(session => session.attempts.map(attempt => ({ session, attempt })))
      .sort((a, b) => a.attempt.startedAt - b.attempt.startedAt)
      .reverse();

  const initialPaymentIdOf = (session: Session): string =>
    session.recurring?.initialPaymentId ?? currentAttempt(session).paymentId;

  /** The next payment of a series; it is never authorised only. */
  const next = (
    parent: Session,
    now: number,
    status: SandboxEvent['status'],
    request: SessionRequest,
  ): Repeated => {
    const session = open({ ...request, auth: undefined }, now);
    session.recurring = parent.recurring && {
      token: parent.recurring.token,
      initialPaymentId: initialPaymentIdOf(parent),
    };
    const [attempt] = session.attempts;
    attempt.card = currentAttempt(parent).card;
    const sandboxEvents =
      status === 'success'
        ? settle(attempt, now)
        : status === 'fail'
          ? decline(attempt, defaultReason)
          : wait(attempt);
    return { session: add(session), sandboxEvents };
  };

  return {
    /** Registers a purchase; the link's lifetime starts at `now` in milliseconds. */
    register: (request: SessionRequest, now: number): Session => add(open(request, now)),
    /** The payer's choice, see `applyScenario`; a new attempt can be found by its id afterwards. */
    applyScenario: (
      session: Session,
      scenario: Scenario,
      now: number,
      reason: string,
    ): SandboxEvent[] | null => {
      const sandboxEvents = applyScenario(session, scenario, now, reason);
      byPaymentId.set(currentAttempt(session).paymentId, session);
      return sandboxEvents;
    },
    /** A scheduled payment of the series that `session` began; its link is never shown. */
    repeat: (parent: Session, now: number, status: SandboxEvent['status']): Repeated => {
      parent.repeats += 1;
      const number = `${initialPaymentIdOf(parent)}-${parent.repeats}`;
      const { session, sandboxEvents } = next(parent, now, status, {
        ...parent.request,
        order: { ...parent.request.order, number },
      });
      // §6.1: a scheduled payment is a purchase executed and a recurring event.
      const [attempt] = session.attempts;
      return { session, sandboxEvents: [...sandboxEvents, { attempt, type: 'recurring', status }] };
    },
    /** A payment that the merchant requested in the series that `session` began. */
    charge: (
      parent: Session,
      now: number,
      status: SandboxEvent['status'],
      { order, schedule_id: scheduleId, custom_data: customData }: Charge,
    ): Repeated =>
      next(parent, now, status, {
        ...parent.request,
        order: { ...order, currency: parent.request.order.currency },
        schedule_id: scheduleId,
        custom_data: customData,
      }),
    byToken: (token: string): Session | null => byToken.get(token) ?? null,
    /** By payment id, or by order number the most recent attempt. */
    find: ({ by, value }: StatusKey): FoundAttempt | null => {
      if (by === 'order_id') return attemptsOf(value)[0] ?? null;
      const session = byPaymentId.get(value);
      const attempt = session?.attempts.find(({ paymentId }) => paymentId === value);
      return session && attempt ? { session, attempt } : null;
    },
    /** All attempts of one order, newest first. */
    attemptsOf,
    /** All links of one order, oldest first. */
    ofOrder: (orderNumber: string): readonly Session[] => [...(byOrder.get(orderNumber) ?? [])],
    newest: (count: number): readonly Session[] => [...byToken.values()].slice(-count).reverse(),
  };
};
