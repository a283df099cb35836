import { sessionRequestsOf } from '../../shared/payment-reducer/reduce-requests.ts';
import type { Event, EventOf } from '../../shared/payments/evidence.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import { isReachable, type Shipping } from './ship.ts';

/**
 * What other installations have written about an order. `alone`: no other installation can have written.
 * `unknown`: the shared log did not answer in time, or is away.
 */
export type Agreement = 'alone' | 'unknown' | readonly Event[];

/**
 * Reads an order's events of other installations after everything that was written here until now has reached the
 * shared log. If two installations request a link for one order at the same time, at least one of them sees the other:
 * if A read before B's request was committed, then B's read came after A's commit. No clock is involved.
 */
export const readAgreement = async (
  { journal, shared, shipping }: { journal: PaymentLog; shared: SharedLog; shipping: Shipping },
  profileId: string,
  orderNumber: string,
  milliseconds: number,
): Promise<Agreement> => {
  // Each new link would wait the whole time for a server that is known to be away.
  if (!isReachable(shipping.standing())) return 'unknown';
  const { writer } = journal.ownChain;
  const until = performance.now() + milliseconds;
  const own = (await journal.chainEnds()).find(end => end.writer === writer)?.seq ?? 0;
  if (!(await shipping.shipped(own, milliseconds))) return 'unknown';
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), Math.max(0, until - performance.now()));
  });
  const read = await Promise.race([shared.events(profileId, orderNumber), deadline]);
  clearTimeout(timer);
  return read?.ok ? read.value.filter(event => event.writer !== writer) : 'unknown';
};

/** The requests for a link among these events that were not refused: their links may exist. */
export const standingRequests = (events: readonly Event[]): EventOf<'session.requested'>[] =>
  sessionRequestsOf(events.toSorted((one, other) => one.happenedAt - other.happenedAt)).flatMap(
    ({ requested, ended }) => (ended?.kind === 'session.refused' ? [] : [requested]),
  );
