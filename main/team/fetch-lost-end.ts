import { ok, type Result } from '../../shared/errors.ts';
import { chainStart } from '../payment-log/evidence/chain.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedEnd } from '../payment-log/postgres/chains.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';

/** Events of one step. */
const batchSize = 512;

/**
 * Fetches back the events of the journal's own chain that only the shared log still has, as after a backup of the
 * computer was restored. Nothing is fetched if the journal's end is not a part of the chain there: that is a fork.
 * Returns the number of fetched events. Errors: those of the shared log and of the journal.
 */
export const fetchLostEnd = async (
  journal: Pick<PaymentLog, 'ownChain' | 'chainEnds'>,
  shared: Pick<SharedLog, 'chainedEvents'>,
  end: SharedEnd,
): Promise<Result<number>> => {
  const { writer } = journal.ownChain;
  const own = (await journal.chainEnds()).find(one => one.writer === writer);
  const from = own?.seq ?? 0;
  if (from >= end.seq) return ok(0);
  if (from > 0) {
    const known = await shared.chainedEvents(writer, from - 1, 1);
    if (!known.ok) return known;
    if (known.value[0]?.hash !== (own?.hash ?? chainStart)) return ok(0);
  }
  let after = from;
  while (after < end.seq) {
    const events = await shared.chainedEvents(writer, after, batchSize);
    if (!events.ok) return events;
    // Its own journal refuses what is too large to be read.
    const read = events.value.flatMap(event => ('bytes' in event ? [] : [event]));
    const last = read.at(-1);
    if (!last || read.length < events.value.length) break;
    const restored = await journal.ownChain.restore(read);
    if (!restored.ok) return restored;
    after = last.writerSeq;
  }
  return ok(after - from);
};
