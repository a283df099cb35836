import { contentHash } from '../../evidence/chain.ts';
import type { Evidence } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
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
