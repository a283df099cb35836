import type { Event } from '../../payments/evidence.ts';
import { compareTexts } from '../../compare-texts.ts';

/** By how much the clocks of two computers may differ, milliseconds. */
export const clockToleranceMs = 5_000;

/** The content of an event, without what the log adds. */
const contentOf = ({ recordedAt: _at, writer: _writer, writerSeq: _seq, ...content }: Event): string =>
  JSON.stringify(content);

/**
 * The events of an order once each, in the order in which they count: within a chain as it was written, between chains
 * by the time of recording, where an event that is older than the one before it in its chain counts as of that one. An
 * event is the same by its writer and id. A copy in another chain, which an installation writes when it begins a new
 * one, counts only once; an event that has the id of another one and other content is a separate event.
 */
export const inOrder = (events: readonly Event[]): readonly Event[] => {
  const placed: { event: Event; place: number }[] = [];
  for (const chain of Map.groupBy(events, ({ writer }) => writer).values()) {
    let place = Number.NEGATIVE_INFINITY;
    const known = new Set<string>();
    for (const event of chain.toSorted((one, other) => one.writerSeq - other.writerSeq)) {
      if (known.has(event.id)) continue;
      known.add(event.id);
      place = Math.max(place, event.recordedAt);
      placed.push({ event, place });
    }
  }
  placed.sort(
    (one, other) =>
      one.place - other.place ||
      compareTexts(one.event.writer, other.event.writer) ||
      one.event.writerSeq - other.event.writerSeq,
  );
  const ids = new Map<string, Event[]>();
  return placed.flatMap(({ event }) => {
    const same = ids.get(event.id);
    if (same?.some(one => contentOf(one) === contentOf(event))) return [];
    ids.set(event.id, [...(same ?? []), event]);
    return [event];
  });
};
