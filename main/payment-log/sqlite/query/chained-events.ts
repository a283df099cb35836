import type { ChainedEvent } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import {
  digestOf,
  eventHeaderOf,
  personalOf,
  selectEvents,
  type StoredEvent,
} from '../store/stored-event.ts';

/** Memory limit of one answer, characters; the event that exceeds it is the last one. */
const maxText = 8 * 1024 * 1024;

/** Reads a writer's chain after one of its numbers, oldest first, at most `limit` events. */
export const chainedEvents = (
  database: LogDatabase,
): ((writer: string, after: number, limit: number) => ChainedEvent[]) => {
  // A writer's number is never above the log's own, so the search begins at the event or just before it.
  const select = database
    .prepare<[from: number, writer: string, after: number, limit: number], StoredEvent>(
      `${selectEvents} WHERE event.seq > ? AND writer.name = ? AND event.writer_seq > ?
       ORDER BY event.seq LIMIT ?`,
    )
    .raw();
  const shapeOf = database.prepare<[number], string>('SELECT text FROM shape WHERE id = ?').pluck();
  const shapes = new Map<number, string>();
  const shape = (id: number): string => {
    const known = shapes.get(id);
    if (known !== undefined) return known;
    const text = shapeOf.get(id) ?? '';
    if (shapes.size < 10_000) shapes.set(id, text);
    return text;
  };
  /** The position of the last answered event: another writer's events before it need not be passed again. */
  let last = { writer: '', number: 0, seq: 0 };
  return (writer, after, limit) => {
    const from = last.writer === writer && last.number <= after ? last.seq + after - last.number : after;
    const events: ChainedEvent[] = [];
    let textLength = 0;
    for (const row of select.iterate(from, writer, after, limit)) {
      const one = {
        ...eventHeaderOf(row),
        shape: shape(row[13]),
        values: row[14],
        personal: personalOf(row),
        digest: digestOf(row),
        hash: row[16],
      };
      events.push(one);
      last = { writer, number: one.writerSeq, seq: row[0] };
      textLength += one.shape.length + one.values.length + (one.personal?.values.length ?? 0);
      if (textLength > maxText) break;
    }
    return events;
  };
};
