import { sameAmount } from '../money/wire-amount.ts';
import type { Event, EventOf } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';
import type { AttemptHistory } from './reduce-attempts.ts';
import type { FlagCollector } from './evidence/flag-collector.ts';
import type { SessionRequestRecord } from './reduce-requests.ts';

type Links = Payment['links'];

/** Of a request or a withdrawal: a link is withdrawn only in the chain that holds its request. */
const keyOf = ({ writer, body }: EventOf<'session.requested' | 'link.withdrawn'>): string =>
  `${writer} ${body.idempotencyKey}`;

/** The first withdrawal of each link, by the key of its request. */
const withdrawalsOf = (events: readonly Event[]): Map<string, EventOf<'link.withdrawn'>> => {
  const byKey = new Map<string, EventOf<'link.withdrawn'>>();
  for (const event of events) {
    if (event.kind !== 'link.withdrawn') continue;
    const key = keyOf(event);
    if (!byKey.has(key)) byKey.set(key, event);
  }
  return byKey;
};

/**
 * Which links were paid. A payment came by a link that was issued before, of its amount if one has it. As many payments
 * as links that they can have come by: each of these was paid.
 */
const usesOf = (links: Links, payments: readonly AttemptHistory[]): Links => {
  let open = payments.flatMap(({ usedAt, paid }) => {
    const issued = links.filter(({ issuedAt }) => usedAt !== null && issuedAt <= usedAt);
    const { amount = null } = paid ?? {};
    const equal = issued.filter(link => amount !== null && sameAmount(link.amount, amount));
    const of = new Set(equal.length > 0 ? equal : issued);
    return of.size > 0 ? [of] : [];
  });
  const used = new Set<Links[number]>();
  for (;;) {
    const full = open.find(of => open.filter(other => other.isSubsetOf(of)).length >= of.size);
    if (!full) break;
    for (const link of full) used.add(link);
    open = open.map(of => of.difference(full)).filter(({ size }) => size > 0);
  }
  return links.map(link => ({
    ...link,
    used: used.has(link) ? 'yes' : open.some(of => of.has(link)) ? 'perhaps' : 'no',
  }));
};

/** The links of an order, oldest first. `events`: in canonical order; `payments`: those of the payers. */
export const linksOf = (
  requests: readonly SessionRequestRecord[],
  events: readonly Event[],
  payments: readonly AttemptHistory[],
): Links => {
  const withdrawals = withdrawalsOf(events);
  const links = requests
    .flatMap(({ requested, ended }): Links => {
      if (ended?.kind !== 'session.accepted') return [];
      const { idempotencyKey, amount } = requested.body;
      const { issuedAt, expiresAt } = ended.body;
      const withdrawal = withdrawals.get(keyOf(requested));
      return [
        {
          idempotencyKey,
          amount,
          issuedAt,
          expiresAt,
          agent: requested.agent,
          used: 'no',
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
  return usesOf(links, payments);
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
  const requested = new Set(
    events.flatMap(event => (event.kind === 'session.requested' ? keyOf(event) : [])),
  );
  for (const { usedAt, paid, basis, paymentId } of histories) {
    if (usedAt === null) continue;
    const amount = paid?.amount ?? null;
    const issued = links.filter(({ issuedAt }) => issuedAt <= usedAt);
    const withdrawn = issued.filter(link => link.withdrawn !== null && link.withdrawn.at <= usedAt);
    const open = issued.filter(link => !withdrawn.includes(link) && usedAt < link.expiresAt);
    const isOpenPaid = open.some(link => amount === null || sameAmount(link.amount, amount));
    if (withdrawn.length === 0 || isOpenPaid) continue;
    const keys = new Set(withdrawn.map(({ idempotencyKey }) => idempotencyKey));
    const withdrawals = events.filter(
      event =>
        event.kind === 'link.withdrawn' && keys.has(event.body.idempotencyKey) && requested.has(keyOf(event)),
    );
    notes.add('paid-after-withdrawal', { paymentId }, [...withdrawals.map(({ id }) => id), basis.event]);
  }
};
