import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import { chainStart } from '../../evidence/chain.ts';
import { eventProblems, orderProblem, type ChainPosition } from '../../evidence/check-event.ts';
import { uuidText } from '../../evidence/event-content.ts';
import type { LogDatabase } from '../store/database.ts';
import {
  digestOf,
  eventReading,
  eventHeaderOf,
  personalOf,
  selectEvents,
  type StoredEvent,
} from '../store/stored-event.ts';

export type Problem = VerifyReport['problems'][number];

/** The events whose personal values were erased by an amendment. */
const erasedEvents = (database: LogDatabase): Set<string> => {
  const reading = eventReading(database);
  const amendments = database.prepare<[], StoredEvent>(`${selectEvents} WHERE event.kind = 'amended'`).raw();
  const erased = new Set<string>();
  for (const row of amendments.all())
    try {
      const event = reading.event(row);
      if (event.kind === 'amended') for (const id of event.body.events) erased.add(id);
    } catch {
      // The event's own hash reports a damaged body.
    }
  // An amendment that is in this log was read above.
  const elsewhere = database
    .prepare<[], string>(
      `SELECT lower(hex(e.id)) FROM amended_elsewhere a JOIN event e ON e.seq = a.event
       WHERE a.writer_seq > coalesce((SELECT last_seq FROM writer w WHERE w.name = a.writer), 0)`,
    )
    .pluck();
  for (const id of elsewhere.iterate()) erased.add(uuidText(id));
  return erased;
};

const start: ChainPosition = { seq: 0, hash: chainStart };

/** Finds the end of an event's chain before it, in write order. */
const chainBefore = (database: LogDatabase): ((seq: number, writer: string) => ChainPosition) => {
  const adjacentEvent = database
    .prepare<[number], [writer: string, seq: number, hash: string]>(
      `SELECT w.name, e.writer_seq, lower(hex(e.hash)) FROM event e JOIN writer w ON w.id = e.writer WHERE e.seq = ?`,
    )
    .raw();
  // Other consoles may have written in between, or a row may be missing.
  const earlierEvent = database.prepare<[number, string], ChainPosition>(
    `SELECT e.writer_seq AS seq, lower(hex(e.hash)) AS hash FROM event e JOIN writer w ON w.id = e.writer
     WHERE e.seq < ? AND w.name = ? ORDER BY e.seq DESC LIMIT 1`,
  );
  return (seq, writer) => {
    const [name, before, hash] = adjacentEvent.get(seq - 1) ?? [null, 0, ''];
    return name === writer ? { seq: before, hash } : (earlierEvent.get(seq, writer) ?? start);
  };
};

/**
 * A check of single events: each has the hash that follows from its content and the previous link, and its personal
 * values match the digest in that hash. `checkOrder` checks the order. `body`: the event's body as text, null if
 * unreadable. Throws SQLite errors.
 */
export const eventCheck = (
  database: LogDatabase,
  reportProblem: (problem: Problem) => void,
): ((row: StoredEvent, body: string | null) => void) => {
  const before = chainBefore(database);
  let last = { event: 0, writer: '', ...start };
  let erased: Set<string> | null = null;
  return (row, body) => {
    const [event, id, writer, writerSeq] = row;
    const wrong = (message: Message): void =>
      reportProblem({ kind: 'chain', at: { kind: 'event', number: event }, message });
    const stored = row[16];
    const known = last.event === event - 1 && last.writer === writer;
    const head: ChainPosition = known ? last : before(event, writer);
    last = { event, writer, seq: writerSeq, hash: stored };
    const checked = {
      header: eventHeaderOf(row),
      body,
      digest: digestOf(row),
      personal: personalOf(row),
      hash: stored,
    };
    const isErased = (): boolean => {
      erased ??= erasedEvents(database);
      return erased.has(uuidText(id));
    };
    for (const message of eventProblems(checked, head, isErased)) wrong(message);
  };
};

/**
 * Walks every writer's chain in write order, by numbers alone. Reports a removed, inserted or reordered row where the
 * numbers first disagree, and a truncated end by the writer's own record. Throws SQLite errors.
 */
export const checkOrder = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const before = chainBefore(database);
  const nameOfWriter = database.prepare<[number], string>('SELECT name FROM writer WHERE id = ?').pluck();
  // Nearly every event follows its neighbour; only the others need a closer check.
  const outOfOrder = database.prepare<[], { seq: number; writer: number; writerSeq: number }>(
    `SELECT e.seq, e.writer, e.writer_seq AS writerSeq FROM event e LEFT JOIN event b ON b.seq = e.seq - 1
     WHERE b.seq IS NULL OR b.writer <> e.writer OR b.writer_seq + 1 <> e.writer_seq ORDER BY e.seq`,
  );
  for (const { seq, writer, writerSeq } of outOfOrder.all()) {
    const wrong = (message: Message): void =>
      reportProblem({ kind: 'chain', at: { kind: 'event', number: seq }, message });
    const head = before(seq, nameOfWriter.get(writer) ?? '');
    const message = orderProblem(writerSeq, head.seq);
    if (message) wrong(message);
  }
  const [orphanedRows] = database
    .prepare<[], number>(
      `SELECT count(*) FROM event
       WHERE payment NOT IN (SELECT id FROM payment) OR writer NOT IN (SELECT id FROM writer)`,
    )
    .pluck()
    .all();
  if (orphanedRows) {
    const message = msg('integrity.event.orphaned', { count: orphanedRows });
    reportProblem({ kind: 'chain', at: { kind: 'table', name: 'event' }, message });
  }
  const writers = database.prepare<[], { name: string; seq: number; hash: string }>(
    'SELECT name, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  for (const { name, seq, hash } of writers.all()) {
    const head = before(Number.MAX_SAFE_INTEGER, name);
    if (head.seq === seq && head.hash === hash) continue;
    const message = msg('integrity.chain-end', { end: head.seq, last: seq });
    reportProblem({ kind: 'head', at: { kind: 'installation', name }, message });
  }
};
