import { randomUUID } from 'node:crypto';
import { ok, type Result } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { Erasure, ErasureWatch } from '../payment-log/answers.ts';
import { startLoop } from '../pacing/loop.ts';
import { logFailure } from '../payment-log/log-failures.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type {
  ErasableEvent,
  RequestedEvent,
  SharedErasures,
} from '../payment-log/postgres/shared-erasures.ts';
import type { SharedPeople } from '../payment-log/postgres/shared-people.ts';
import type { Shipping } from './ship.ts';

/** Interval of looking for erasures that the journal has to carry out. */
const followEveryMs = 5_000;
/** Delay of the first look after the start. */
const firstFollowMs = 1_000;
/** Events of one step. */
const batchSize = 500;
/** How long a request waits until the shared log has erased too. */
const shippedWithinMs = 10_000;

type Recorded = Exclude<Erasure, { reason: 'elsewhere' }>;

/** Amendments for events of other chains, one for each order, at most `batchSize` events in each. */
export const amendmentsFor = (
  events: readonly (ErasableEvent & Partial<Pick<RequestedEvent, 'requestedAt'>>)[],
  { reason, agent }: Pick<Recorded, 'reason' | 'agent'>,
  now: number,
): EventDraft[] => {
  type Part = Pick<ErasableEvent, 'profileId' | 'orderNumber'> & { ids: string[]; happenedAt: number };
  const orders = new Map<string, Part[]>();
  for (const { id, profileId, orderNumber, requestedAt: happenedAt = now } of events) {
    const key = JSON.stringify([profileId, orderNumber]);
    const parts = orders.get(key) ?? [];
    const part = parts.at(-1);
    if (part && part.ids.length < batchSize) part.ids.push(id);
    else parts.push({ profileId, orderNumber, ids: [id], happenedAt });
    orders.set(key, parts);
  }
  return [...orders.values()].flat().map(({ profileId, orderNumber, ids, happenedAt }) => ({
    kind: 'amended',
    id: randomUUID(),
    profileId,
    orderNumber,
    paymentId: null,
    happenedAt,
    agent,
    dedupeKey: null,
    body: { events: ids, reason },
  }));
};

export type TeamErasures = ReturnType<typeof openTeamErasures>;

/** Erasures of an installation that shares a log, which it follows while it is open. */
export const openTeamErasures = ({
  journal,
  shared,
  shipping,
  clock,
  onFollowed = () => undefined,
  everyMs = followEveryMs,
}: {
  journal: Pick<PaymentLog, 'append' | 'erase' | 'ownChain' | 'chainEnds'>;
  shared: { erasures: SharedErasures; people: Pick<SharedPeople, 'hasRight'> };
  shipping: Pick<Shipping, 'shipped'>;
  clock: () => number;
  /** Called after the journal followed: with the number of events. */
  onFollowed?: (events: number) => void;
  everyMs?: number;
}) => {
  const { writer } = journal.ownChain;

  const mayErase = async (): Promise<Result<boolean>> => {
    const eraser = await shared.people.hasRight('eraser');
    return eraser.ok && !eraser.value ? shared.people.hasRight('keeper') : eraser;
  };

  const eraseRequested = async (
    erasure: Extract<Erasure, { reason: 'request' }>,
    { onErased, signal }: ErasureWatch,
  ): Promise<Result<{ payments: number }>> => {
    const { profileId, orderNumbers } = erasure;
    const allowed = await mayErase();
    if (!allowed.ok) return allowed;
    if (!allowed.value) return logFailure('log.denied', 'eraser');
    const others = await shared.erasures.ofOrders(profileId, orderNumbers, writer);
    if (!others.ok) return others;
    const erased = new Set<string>();
    const own = await journal.erase(erasure, {
      onErased: numbers => {
        for (const number of numbers) erased.add(number);
        onErased?.(numbers);
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (!own.ok || others.value.length === 0 || signal?.aborted) return own;
    const events = others.value;
    const recorded = await journal.append(amendmentsFor(events, erasure, clock()));
    if (!recorded.ok) return recorded;
    // If it takes longer, it follows when the amendment is shipped.
    await shipping.shipped(recorded.value.events.at(-1)?.writerSeq ?? 0, shippedWithinMs);
    for (const { orderNumber } of events) erased.add(orderNumber ?? '');
    return ok({ payments: erased.size });
  };

  const followChain = async (chain: string): Promise<Result<number>> => {
    for (let followed = 0; ;) {
      const pending = await shared.erasures.pending(chain, batchSize);
      if (!pending.ok) return pending;
      if (pending.value.length === 0) return ok(followed);
      const erased = await journal.erase({ reason: 'elsewhere', events: pending.value });
      if (!erased.ok) return erased;
      const numbers = pending.value.map(({ writerSeq }) => writerSeq);
      const noted = await shared.erasures.carriedOut(chain, numbers);
      if (!noted.ok) return noted;
      followed += numbers.length;
    }
  };

  const followOnce = async (): Promise<Result<number>> => {
    let sum = 0;
    for (const { writer: chain } of await journal.chainEnds()) {
      const followed = await followChain(chain);
      if (!followed.ok) return followed;
      sum += followed.value;
    }
    if (sum > 0) onFollowed(sum);
    return ok(sum);
  };
  let last: Result<number> = ok(0);
  const loop = startLoop(
    async () => {
      last = await followOnce();
    },
    // A journal that is busy is read again.
    { everyMs, firstMs: Math.min(firstFollowMs, everyMs), onError: () => undefined },
  );
  return {
    /**
     * As of the payment log; a person's request erases what all installations know about the orders, in the shared log at
     * once and in their journals when they are connected. Errors: as there; `log.unreachable` and, if the account lacks
     * the right `eraser`, `log.denied`, before anything was erased.
     */
    erase: (erasure: Erasure, watch: ErasureWatch = {}): Promise<Result<{ payments: number }>> =>
      erasure.reason === 'request' ? eraseRequested(erasure, watch) : journal.erase(erasure, watch),
    /** Erases in the journal what other installations erased in the shared log, now; returns how many events. */
    follow: async (): Promise<Result<number>> => {
      await loop.wake();
      return last;
    },
    close: (): Promise<void> => loop.close(),
  };
};
