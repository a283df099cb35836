import { sameAmount } from '../money/wire-amount.ts';
import type { Event, EventOf } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';
import type { AttemptHistory } from './reduce-attempts.ts';
import type { FlagCollector } from './flag-collector.ts';
import type { SessionRequestRecord } from './reduce-requests.ts';

type Links = Payment['links'];

/** The first withdrawal of each link, by the key of its request. */
const withdrawalsOf = (events: readonly Event[]): Map<string, EventOf<'link.withdrawn'>> => {
  const byKey = new Map<string, EventOf<'link.withdrawn'>>();
  for (const event of events) {
    if (event.kind === 'link.withdrawn' && !byKey.has(event.body.idempotencyKey)) {
      byKey.set(event.body.idempotencyKey, event);
    }
  }
  return byKey;
};

/** The links of an order, oldest first. `events`: in canonical order; `paidAt`: when money moved. */
export const linksOf = (
  requests: readonly SessionRequestRecord[],
  events: readonly Event[],
  paidAt: readonly number[],
): Links => {
  const withdrawals = withdrawalsOf(events);
  return requests
    .flatMap(({ requested, ended }): Links => {
      if (ended?.kind !== 'session.accepted') return [];
      const { idempotencyKey, amount } = requested.body;
      const { issuedAt, expiresAt } = ended.body;
      const withdrawal = withdrawals.get(idempotencyKey);
      return [
        {
          idempotencyKey,
          amount,
          issuedAt,
          expiresAt,
          agent: requested.agent,
          used: paidAt.some(at => at >= issuedAt),
          withdrawn: withdrawal
            ? {
                at: withdrawal.happenedAt,
                agent: withdrawal.agent,
                reason: withdrawal.body.reason,
                text: withdrawal.body.text,
              }
            : null,
        },
      ];
    })
    .sort((one, other) => one.issuedAt - other.issuedAt);
};

/**
 * Flags a payment that arrived although its link had been withdrawn: the gateway cannot cancel a link. A report does
 * not name the link. So it is flagged if no other link could be paid then, or if only a withdrawn one had the amount.
 */
export const flagWithdrawn = (
  links: Links,
  histories: readonly AttemptHistory[],
  events: readonly Event[],
  notes: FlagCollector,
): void => {
  const withdrawals = withdrawalsOf(events);
  for (const { paidAt, movements, basis, paymentId } of histories) {
    if (paidAt === null) continue;
    const amount = movements.find(({ kind }) => kind === 'paid')?.amount ?? null;
    const issued = links.filter(({ issuedAt }) => issuedAt <= paidAt);
    const withdrawn = issued
      .flatMap(({ idempotencyKey }) => withdrawals.get(idempotencyKey) ?? [])
      .filter(({ happenedAt }) => happenedAt <= paidAt);
    const closed = new Set(withdrawn.map(({ body }) => body.idempotencyKey));
    const open = issued.filter(link => !closed.has(link.idempotencyKey) && paidAt < link.expiresAt);
    const isOpenPaid = open.some(link => amount === null || sameAmount(link.amount, amount));
    if (withdrawn.length === 0 || isOpenPaid) continue;
    notes.add('paid-after-withdrawal', { paymentId }, [...withdrawn.map(({ id }) => id), basis.event]);
  }
};
