import type { Result } from '../../../shared/errors.ts';
import { paymentKey, rowOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { customerGraceMs } from '../../../shared/reports/reconcile.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { factOfComputer, outcomeFact, outcomeOf, overdueFact } from '../../alerts/alert-facts.ts';
import { chainStart } from '../../payment-log/evidence/chain.ts';
import { foreignEventCheck } from '../../payment-log/evidence/check-foreign-event.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { isReachable } from '../../team/ship.ts';
import type { IntakeHealth } from './intake-health.ts';
import type { IntakeAlert } from './alert-outbox.ts';

/** Finds what an intake alerts about, from its journal, the shared log and its own health. */

const dayMs = 86_400_000;
/** A shared log that was unreachable for less is no alert, milliseconds. */
export const outageMs = 2 * 60_000;
/** Days before the end of the certificate at which it is an alert, ascending. */
const certificateDays = [3, 14] as const;
/** Limit of the events of one chain in one run. */
const maxEvents = 256;
/** Limit of payments that wait for their callback. */
const maxSuspects = 2_000;

const ofComputer = (kind: IntakeAlert['kind'], occasion: string | number, at: number): IntakeAlert => ({
  ...factOfComputer(kind, occasion, at),
  amount: null,
  currency: null,
});

/**
 * What the health of an intake alerts about at an instant, milliseconds. `downSince`: when the next callback was first
 * not accepted, milliseconds; null while it is.
 */
export const healthAlerts = (
  health: Pick<IntakeHealth, 'shared' | 'certificateUntil'>,
  downSince: number | null,
  now: number,
): IntakeAlert[] => {
  const alerts: IntakeAlert[] = [];
  if (downSince !== null) alerts.push(ofComputer('receiver-unreachable', downSince, downSince));
  if (health.shared && !isReachable(health.shared)) {
    const since = Date.parse(health.shared.since);
    if (now - since >= outageMs) alerts.push(ofComputer('shared-log-unreachable', since, since));
  }
  if (health.certificateUntil !== null) {
    const until = Date.parse(health.certificateUntil);
    const days = certificateDays.find(limit => until - now <= limit * dayMs);
    if (days !== undefined) alerts.push(ofComputer('certificate-expiring', `${until} ${days}`, now));
  }
  return alerts;
};

type Found = { alerts: IntakeAlert[]; positions: Record<string, number> };

/** Payments that this intake's events after `position` have turned paid or declined. */
export const outcomeAlerts = async (journal: PaymentLog, position: number): Promise<Found | null> => {
  const events = await journal.ownChain.events(position, maxEvents);
  const last = events.at(-1);
  if (!last) return null;
  const first = new Map<string, { key: PaymentKey; writerSeq: number }>();
  for (const { kind, profileId, orderNumber, writerSeq } of events) {
    if (
      orderNumber === null ||
      !['callback.received', 'callback.reverified', 'status.observed'].includes(kind)
    )
      continue;
    const key = { profileId, orderNumber };
    if (!first.has(paymentKey(key))) first.set(paymentKey(key), { key, writerSeq });
  }
  const { writer } = journal.ownChain;
  const alerts: IntakeAlert[] = [];
  let failures = 0;
  for (const { key, writerSeq } of first.values()) {
    const change = await journal
      .change(key.profileId, key.orderNumber, { writer, writerSeq })
      .catch((thrown: unknown) => {
        failures += 1;
        // One payment that cannot be read keeps no alert about others back; a journal that cannot is read again.
        if (failures === first.size) throw thrown;
        return null;
      });
    const outcome = change && outcomeOf(change.payment.state);
    if (!outcome || outcome === (change.previousState && outcomeOf(change.previousState))) continue;
    const { amount, currency } = change.payment;
    alerts.push({ ...outcomeFact(outcome, change.payment), amount, currency });
  }
  return { alerts, positions: { [writer]: last.writerSeq } };
};

type Suspect = PaymentKey & { at: number };

/**
 * Payments that consoles have looked up in the shared log since these positions; a chain without a position begins at
 * its end. They may be paid without a callback.
 */
export const lookedUpSince = async (
  shared: Pick<SharedLog, 'chainEnds' | 'chainedEvents'>,
  own: string,
  positions: Readonly<Record<string, number>>,
): Promise<Result<{ suspects: Suspect[]; positions: Record<string, number> }>> => {
  const ends = await shared.chainEnds();
  if (!ends.ok) return ends;
  const next: Record<string, number> = {};
  const suspects: Suspect[] = [];
  for (const { writer, seq } of ends.value) {
    if (writer === own) continue;
    const position = positions[writer];
    next[writer] = position ?? seq;
    if (position === undefined || position >= seq) continue;
    // The event before them too: the first one has to follow from it.
    const from = Math.max(0, position - 1);
    const read = await shared.chainedEvents(writer, from, maxEvents + 1);
    if (!read.ok) return read;
    const check = foreignEventCheck();
    let before: string | null = position === 0 ? chainStart : null;
    for (const one of read.value) {
      const checked = one.writerSeq > position ? check(one, before) : null;
      before = one.hash;
      if (checked === null) continue;
      next[writer] = one.writerSeq;
      if (checked.problem !== null || checked.event.kind !== 'status.observed') continue;
      const { profileId, orderNumber, recordedAt: at } = checked.event;
      if (orderNumber !== null) suspects.push({ profileId, orderNumber, at });
    }
  }
  return { ok: true, value: { suspects, positions: next } };
};

/** Earlier and further suspects, one for each payment, the earliest: another status check does not postpone an alert. */
export const gatherSuspects = (earlier: readonly Suspect[], further: readonly Suspect[]): Suspect[] => {
  const first = new Map<string, Suspect>();
  for (const one of [...earlier, ...further])
    if (!first.has(paymentKey(one))) first.set(paymentKey(one), one);
  return [...first.values()].slice(-maxSuspects);
};

/** Whether the payment of these events is paid or returned by a status check, and its callback is overdue. */
export const overdueAlert = (events: readonly Event[], now: number): IntakeAlert | null => {
  const payment = events.length === 0 ? null : reducePayment(events);
  const fact = payment && overdueFact(rowOf(payment), now);
  return fact && { ...fact, amount: payment.amount, currency: payment.currency };
};

/** Whether a suspect has been waiting long enough to be checked, at an instant, milliseconds. */
export const isRipe = ({ at }: Suspect, now: number): boolean => now - at >= customerGraceMs + 30_000;
