import { ok, type Result } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { decodeBody, readShape } from '../payment-log/evidence/body-codec.ts';
import { eventOf } from '../payment-log/evidence/chain.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';

/** Events of one read. */
const batchSize = 500;

/**
 * The events of the journal's own chain that the shared log holds otherwise or not at all, as drafts with their ids:
 * an installation that begins a new chain writes them again, so that the others see them. A repeated event changes
 * nothing for a payment. Errors: those of the shared log.
 */
export const divergingEnd = async (
  journal: Pick<PaymentLog, 'ownChain' | 'chainEnds'>,
  shared: Pick<SharedLog, 'installations'>,
): Promise<Result<readonly EventDraft[]>> => {
  const { writer } = journal.ownChain;
  const last = (await journal.chainEnds()).find(end => end.writer === writer)?.seq ?? 0;
  const isSame = async (seq: number): Promise<Result<boolean>> => {
    const [own] = await journal.ownChain.events(seq - 1, 1);
    const links = await shared.installations.links([{ writer, seq }]);
    return links.ok ? ok(links.value.get(`${writer} ${seq}`) === own?.hash) : links;
  };
  // Links cover everything before them: up to some number all are the same, and after it none is.
  let same = 0;
  for (let low = 1, high = last; low <= high;) {
    const middle = Math.floor((low + high) / 2);
    const found = await isSame(middle);
    if (!found.ok) return found;
    if (found.value) {
      same = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  const drafts: EventDraft[] = [];
  for (let after = same; after < last;) {
    const events = await journal.ownChain.events(after, batchSize);
    const end = events.at(-1);
    if (!end) break;
    after = end.writerSeq;
    for (const one of events) {
      const body = decodeBody(readShape(one.shape), one.values, one);
      const {
        recordedAt: _at,
        writer: _writer,
        writerSeq: _seq,
        ...draft
      } = eventOf(one, body, one.personal?.values ?? null);
      drafts.push(draft);
    }
  }
  return ok(drafts);
};
