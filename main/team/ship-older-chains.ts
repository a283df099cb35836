import { ok, type Result } from '../../shared/errors.ts';
import { chainStart } from '../payment-log/evidence/chain.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedChain, SharedEnd } from '../payment-log/postgres/chains.ts';

/** Events of one step: own events wait for it at most. */
const batchSize = 512;

/**
 * Chains that this journal contains beside its own: an installation that lost its settings or its end began a new one.
 * Those of other accounts, and those that differ in the shared log, are passed over: their owner ships or heals them.
 */
export const olderChains = (
  journal: Pick<PaymentLog, 'ownChain' | 'chainEnds'>,
  join: (writer: string) => Promise<Result<SharedChain>>,
) => {
  let left: { writer: string; seq: number }[] | null = null;
  /** The chain that is being shipped, and how far. */
  let current: { writer: string; chain: SharedChain; end: SharedEnd } | null = null;

  const linkOf = async (writer: string, number: number): Promise<string | undefined> =>
    number === 0 ? chainStart : (await journal.ownChain.events(number - 1, 1, writer))[0]?.hash;

  /** Takes up the next chain that is longer here; null if there is none. */
  const next = async (): Promise<Result<NonNullable<typeof current> | null>> => {
    left ??= (await journal.chainEnds()).filter(({ writer }) => writer !== journal.ownChain.writer);
    for (let one = left[0]; one; one = left[0]) {
      const chain = await join(one.writer);
      if (!chain.ok && chain.error.code !== 'log.denied') return chain;
      left.shift();
      if (!chain.ok) continue;
      const { end } = chain.value;
      if (end.seq < one.seq && (await linkOf(one.writer, end.seq)) === end.hash)
        return ok({ writer: one.writer, chain: chain.value, end });
    }
    return ok(null);
  };

  return {
    /** Ships the next events of an older chain; false if there are none left. Errors: as of the shared log. */
    step: async (): Promise<Result<boolean>> => {
      if (current === null) {
        const found = await next();
        if (!found.ok) return found;
        current = found.value;
        if (current === null) return ok(false);
      }
      const { writer, chain, end } = current;
      const events = await journal.ownChain.events(end.seq, batchSize, writer);
      const last = events.at(-1);
      if (!last) {
        current = null;
        return ok(true);
      }
      const stored = await chain.append(end, events);
      const isStored = stored.ok && stored.value === 'stored';
      // After a failure the chain is taken up again.
      if (!isStored) left?.unshift({ writer, seq: Number.POSITIVE_INFINITY });
      current = isStored ? { writer, chain, end: { seq: last.writerSeq, hash: last.hash } } : null;
      return stored.ok ? ok(true) : stored;
    },
  };
};
