import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import { chainStart, contentHash, uuidText } from '../../evidence/chain.ts';
import { eventProblems, orderProblem, type ChainPosition } from '../../evidence/check-event.ts';
import type { LogDatabase } from '../store/database.ts';
import {
  digestOf,
  eventHeaderOf,
  eventReading,
  personalOf,
  selectEvents,
  selectForeignEvents,
  type StoredEvent,
} from '../store/stored-event.ts';
import type { Evidence } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import { hash } from 'node:crypto';
import type { EventHeader, ProvenEvent } from '../../answers.ts';

/** Limit of a proof, events between an order's first event and a signed head. */
const maxPathEvents = 100_000;

/** An unmasked token or hash; early logs kept them in the body. */
const secret = /"[^"]*(?:token|hash)[^"]*"\s*[,:]\s*\\?"[^"\\•]/i;

/** A body that contains a payment link (a bearer credential) or a secret: only its hash leaves the log. */
const isWithheld = (kind: string, body: string): boolean => kind === 'session.accepted' || secret.test(body);

/** Values taken out of a body may be a callback's hash or tokens; those of a request are only the customer's data. */
const mayShowValues = (kind: string): boolean => kind === 'session.requested';

/** An event as its proof contains it. `body`: as it was hashed; `digest`: of its personal values. */
const provenEvent = (
  header: EventHeader,
  body: string,
  personal: { salt: string; values: string } | null,
  digest: string | null,
): ProvenEvent => ({
  ...header,
  body: isWithheld(header.kind, body) ? null : body,
  bodySha256: hash('sha256', body),
  personal: mayShowValues(header.kind) ? personal : null,
  personalDigest: digest,
});

/** Reads the events of a chain from one number to another, in one file. */
const chainReader = (database: LogDatabase, isJournal: boolean) => {
  // In a journal a writer's number is never above the log's own.
  const select = database
    .prepare<[number, string, number, number], StoredEvent>(
      isJournal
        ? `${selectEvents} WHERE event.seq >= ? AND writer.name = ? AND event.writer_seq BETWEEN ? AND ?
           ORDER BY event.seq`
        : `${selectForeignEvents} WHERE event.seq >= ? AND event.writer = (SELECT id FROM writer WHERE name = ?)
             AND event.writer_seq BETWEEN ? AND ? ORDER BY event.writer_seq`,
    )
    .raw();
  const reading = eventReading(database);
  return {
    content: (row: StoredEvent): string => contentHash(eventHeaderOf(row), reading.body(row), digestOf(row)),
    read: (writer: string, first: number, last: number): Iterable<StoredEvent> =>
      select.iterate(isJournal ? first : 0, writer, first, last),
  };
};

/** The proof of an order's events: the events, and on request the path from one of them to a signed head. */
export const logProof = (
  journal: LogDatabase,
  list: LogDatabase | null,
  evidence: Evidence,
  own: string,
): { events: PaymentLogAnswers['proof']; path: PaymentLogAnswers['proofPath'] } => {
  const here = chainReader(journal, true);
  const there = list && chainReader(list, false);
  return {
    events: (profileId, orderNumber) =>
      evidence
        .rowsOf({ profileId, orderNumber })
        .map(row => provenEvent(eventHeaderOf(row), evidence.body(row), personalOf(row), digestOf(row))),
    /** The path from an order's event to a head that names number `last`; null if it is too long or missing. */
    path: (profileId, orderNumber, writer, first, last) => {
      const isOfOrder = evidence
        .rowsOf({ profileId, orderNumber })
        .some(row => row[2] === writer && row[3] === first);
      if (!isOfOrder || last < first || last - first >= maxPathEvents) return null;
      const chain = writer === own ? here : (there ?? here);
      const contents: string[] = [];
      let from = first === 1 ? '0'.repeat(64) : null;
      for (const row of chain.read(writer, Math.max(1, first - 1), last))
        if (row[3] === first - 1) from = row[16];
        // An event may be left out.
        else if (row[3] !== first + contents.length) return null;
        else contents.push(chain.content(row));
      return from !== null && contents.length === last - first + 1
        ? { writer, first, last, from, contents }
        : null;
    },
  };
};

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
