import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { chainedEvents } from '../../main/payment-log/sqlite/query/chained-events.ts';
import { openForWriting } from '../../main/payment-log/sqlite/store/database.ts';
import { logWriter } from '../../main/payment-log/sqlite/store/writer.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';

/** An event to write: by which installation, and when (milliseconds since 1970). */
export type Written = { writer: string; at: number; draft: EventDraft };

/** The chains that installations write with these events, in their order; each in a separate payment log. */
export const chainsOf = (events: readonly Written[]): Map<string, readonly ChainedEvent[]> => {
  const chains = new Map<string, readonly ChainedEvent[]>();
  for (const name of new Set(events.map(({ writer }) => writer))) {
    const opened = openForWriting(':memory:');
    if (!opened.ok) throw new Error(opened.error.code);
    let now = 0;
    const writer = logWriter(opened.value, name, () => now);
    for (const { at, draft } of events.filter(one => one.writer === name)) {
      now = at;
      const [place] = writer.write([[draft]]);
      if (!place?.ok) throw new Error(`The event was refused: ${place?.error.code}`);
    }
    const chain: ChainedEvent[] = [];
    for (let some; (some = chainedEvents(opened.value)(name, chain.length, 1_000)).length > 0;)
      chain.push(...some);
    chains.set(name, chain);
    opened.value.close();
  }
  return chains;
};
