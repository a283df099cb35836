import type { Event } from '../../../../shared/payments/evidence.ts';
import { createDeliveryCounter } from '../../evidence/event-content.ts';
import type { EventReader } from '../stored-events.ts';

/** A payment's number in the list, with its order and profile as they are stored. */
export type ListedOrder = { id: number; order: string; profile: string };

/** A key for one order of one profile, as they are stored. */
export const keyOf = ({ order, profile }: { order: string; profile: string }): string =>
  `${profile}\n${order}`;

/** What is known about a payment. */
export type Evidence = {
  /** By time of writing, as far as they count. */
  events: Event[];
  /** The last event of each chain, by the number of the chain. */
  last: Map<number, number>;
};

/** The evidence of these payments, by `keyOf`. Rejects with the client's errors. */
export const readEvidence = async (
  reader: EventReader,
  payments: readonly ListedOrder[],
): Promise<Map<string, Evidence>> => {
  const stored = await reader.read(
    `JOIN unnest($1::text[], $2::text[]) AS k(o, f) ON e.order_number = k.o AND e.profile_id = k.f
     ORDER BY e.recorded_at, e.writer, e.writer_seq`,
    [payments.map(({ order }) => order), payments.map(({ profile }) => profile)],
    'project-events',
  );
  type Gathered = Evidence & { counts: ReturnType<typeof createDeliveryCounter> };
  const found = new Map<string, Gathered>();
  for (const one of stored) {
    const { order_number: order, profile_id: profile, writer, writer_seq: seq } = one.row;
    const key = keyOf({ order: order ?? '', profile });
    const of: Gathered = found.get(key) ?? { events: [], last: new Map(), counts: createDeliveryCounter() };
    found.set(key, of);
    of.last.set(writer, Math.max(seq, of.last.get(writer) ?? 0));
    if (!of.counts(one.row.dedupe_key)) continue;
    try {
      of.events.push(reader.event(one));
    } catch {
      // A damaged event is reported by the verification.
    }
  }
  return found;
};
