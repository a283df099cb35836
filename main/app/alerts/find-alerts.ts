import { paymentFilterSchema } from '../../../shared/contract/contract.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { factAbout, overdueFact } from '../../alerts/alert-facts.ts';
import { inConsole, type ConsoleFact } from './alert-book.ts';

/** Finds the facts that no single change brings: those that time brings, and what happened while the console was closed. */

const minuteMs = 60_000;
/** Scan limits of one run, payments. */
const maxExpiring = 200;
const maxOverdue = 50;
const maxAssigned = 50;
/** Earlier assignments cause no alert when the console starts or a person signs in. */
export const recentMs = 24 * 60 * minuteMs;

/**
 * When a link becomes an alert, milliseconds: `minutes` before it expires, but not in the first half of its time, so that
 * a short one is no alert as soon as it is created.
 */
export const expiringFrom = (
  { issuedAt, expiresAt }: { issuedAt: number; expiresAt: number },
  minutes: number,
): number => Math.max(expiresAt - minutes * minuteMs, issuedAt + (expiresAt - issuedAt) / 2);

/** Whether a payment's latest link can still be paid and nothing has come of it. */
export const isUnpaidLink = (payment: Payment, now: number): boolean =>
  payment.link !== null && payment.linkUsable && endsWithLink(payment.state) && now < payment.link.expiresAt;

/** Links of a person that expire unpaid within `minutes`. */
export const expiringLinks = async (
  log: PaymentLog,
  name: string,
  minutes: number,
  now: number,
): Promise<ConsoleFact[]> => {
  const rows = await log.expiringSoon(null, maxExpiring);
  const facts: ConsoleFact[] = [];
  for (const row of rows) {
    const isSoon = row.expiresAt !== null && row.expiresAt - now <= minutes * minuteMs;
    if (!isSoon || row.agent !== name || !endsWithLink(stateAt(row, now))) continue;
    const payment = await log.payment(row.profileId, row.orderNumber);
    if (!payment?.link || !isUnpaidLink(payment, now)) continue;
    const at = expiringFrom(payment.link, minutes);
    const { expiresAt } = payment.link;
    if (at <= now)
      facts.push(
        inConsole(factAbout('link-expiring', payment, expiresAt, at), { createdBy: name, expiresAt }),
      );
  }
  return facts;
};

/** How old a payment may be that a callback is missed for, milliseconds. */
const overdueScanMs = 6 * 60 * minuteMs;

/**
 * Payments whose callback is overdue: the gateway's status check says that they were paid or returned, the grace period of the
 * review list has passed, and no callback came. The gateway repeats a callback up to three times at intervals that it does not state
 * (§6.2), so no other time is assumed. Only under profiles for which callbacks have come before.
 */
export const overdueCallbacks = async (log: PaymentLog, now: number): Promise<ConsoleFact[]> => {
  const filter = paymentFilterSchema.parse({ states: ['paid-confirmed'], from: now - overdueScanMs });
  const [paid, returned] = await Promise.all([
    log.list(filter, null, maxOverdue),
    log.reconcile(null, 'returned-without-callback', null, maxOverdue),
  ]);
  const overdue = [...paid.rows, ...returned.rows].flatMap(row => {
    const fact = overdueFact(row, now);
    return fact === null ? [] : [{ row, fact }];
  });
  /** Whether callbacks come at all, by profile. */
  const comes = new Map<string, boolean>();
  const facts: ConsoleFact[] = [];
  for (const { row, fact } of overdue) {
    const { profileId, agent } = row;
    const isReached = comes.get(profileId) ?? (await log.hasCallbacks(profileId));
    comes.set(profileId, isReached);
    if (isReached) facts.push(inConsole(fact, { createdBy: agent }));
  }
  return facts;
};

const isAssignment = (event: Event): event is EventOf<'review.assigned'> => event.kind === 'review.assigned';

/** The alerts of events that assign a payment to another person. */
export const assignments = (events: readonly Event[]): ConsoleFact[] =>
  events.filter(isAssignment).flatMap(({ id, profileId, orderNumber, happenedAt, agent, body }) =>
    orderNumber === null || body.assignee === null || body.assignee === agent
      ? []
      : [
          inConsole(factAbout('assigned-to-me', { profileId, orderNumber }, id, happenedAt), {
            assignee: body.assignee,
            by: agent,
          }),
        ],
  );

/** The recent assignments of a person that are still open. */
export const openAssignments = async (log: PaymentLog, name: string, now: number): Promise<ConsoleFact[]> => {
  const { rows } = await log.reconcile(null, null, null, maxAssigned, { list: 'mine', agent: name });
  const facts: ConsoleFact[] = [];
  for (const { profileId, orderNumber, lastAt } of rows.slice(0, maxAssigned)) {
    if (lastAt < now - recentMs) continue;
    const last = (await log.events(profileId, orderNumber)).findLast(isAssignment);
    if (last) facts.push(...assignments([last]).filter(({ at }) => at >= now - recentMs));
  }
  return facts;
};
