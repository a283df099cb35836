import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { ReconciliationCause } from '../../shared/reports/reconcile.ts';
import { accepted, callback, hour, lookUp, requested, start } from './evidence.ts';
import { drafts } from './evidence-line.ts';

/** Payments with missing or conflicting information. */

export const minute = 60_000;
export const raised = [requested(), accepted()];
export const paid = callback(minute, 'sale', 'success');
export const settled = lookUp(2 * minute, 'settled');

/** A payment that a status check alone reports as paid. */
export const paidWithoutCallback: EventDraft[] = [...raised, settled];

/** For each cause a payment with it as its gravest, in the notation of evidence-line.ts; no further event for three hours. */
const lines: Record<ReconciliationCause, string> = {
  'changed-between-deliveries': '+sale +sale(card=555555****4444) +=settled',
  'sources-disagree': '+sale +=decline',
  'source-took-back': '+sale +=settled +=pending',
  'record-differs': '+sale(12.34) +=settled(12.34)',
  'settled-twice': '+sale +=settled +sale(2nd rrn=2) +=settled(2nd)',
  'operation-unknown': '+sale +=settled +refund!',
  'refunds-differ': '+sale +=settled +refund!(10.00) +>accepted +refund +=refund',
  'returned-twice': '+sale +=settled +refund(status=refund) +chargeback',
  'operation-overdue': '+sale +=settled +refund:waiting',
  'paid-after-withdrawal': '+withdrawn +sale +=settled',
  chargeback: '+sale +=settled +chargeback',
  'returned-without-callback': '+sale +=settled +=refund',
  'order-status-disagrees': '+sale(status=pending)',
  'contradicts-interface': '+3ds:fail',
  'outside-interface': '+transfer',
  'unverified-callback': '+forged',
  'outcome-unknown': '',
  'paid-without-look-up': '+sale',
  'refund-amount-unknown': '+sale +=settled +refund',
  'no-outcome-yet': '+sale:waiting',
  'expired-without-outcome': '',
  'refund-seen': '+sale +=settled +refund +=refund',
};
export const attemptHistories = {
  ...(Object.fromEntries(
    Object.entries(lines).map(([cause, line]) => [cause, drafts(line, raised)]),
  ) as Record<ReconciliationCause, EventDraft[]>),
  'outcome-unknown': [requested()],
};

const threeHoursAgo = Date.now() - 3 * hour;

/** The events of one order as another order's, from another moment on (milliseconds since 1970). */
export const moved = (
  drafts: readonly EventDraft[],
  profileId: string,
  orderNumber: string,
  from = threeHoursAgo,
): EventDraft[] => {
  const shift = from - start;
  const ids = new Map(drafts.map(({ id }) => [id, crypto.randomUUID()]));
  const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
  /** The provider's own date moves with its event. */
  const dateOf = (text: string): string => text.replace(isoDay(start), isoDay(from));
  const bodyOf = (one: EventDraft): EventDraft['body'] => {
    if (one.kind === 'session.accepted') {
      const { issuedAt, expiresAt } = one.body;
      return { ...one.body, issuedAt: issuedAt + shift, expiresAt: expiresAt + shift };
    }
    if (one.kind === 'callback.reverified')
      return { ...one.body, callback: ids.get(one.body.callback) ?? one.body.callback };
    if (one.kind === 'callback.received')
      return {
        ...one.body,
        fields: one.body.fields.map(([name, value]): [string, string] => [
          name,
          name === 'date' ? dateOf(value) : value,
        ]),
      };
    if (one.kind !== 'status.observed') return one.body;
    const answers = one.body.answers.map(answer => ({
      ...answer,
      date: answer.date === null ? null : dateOf(answer.date),
      order: { ...answer.order, number: orderNumber },
    }));
    return { ...one.body, answers };
  };
  return drafts.map(
    one =>
      ({
        ...one,
        id: ids.get(one.id),
        dedupeKey: one.dedupeKey === null ? null : `${one.dedupeKey} ${orderNumber}`,
        happenedAt: one.happenedAt + shift,
        profileId,
        orderNumber,
        body: bodyOf(one),
      }) as EventDraft,
  );
};
