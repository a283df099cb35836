import type { VerifyReport } from '../../shared/contract.ts';
import { chainStart, contentHash, linkHash, personalDigest } from './chain.ts';
import type { LogDatabase } from './database.ts';
import { eventReading, selectEvents, uuidText, type StoredEvent } from './stored-event.ts';

export type Problem = VerifyReport['problems'][number];

export const nameOf = (row: StoredEvent): string => `event ${row[0]}`;

/** The events whose personal values were erased by an amendment. */
const erasedEvents = (database: LogDatabase): Set<string> => {
  const reading = eventReading(database);
  const amendments = database.prepare<[], StoredEvent>(`${selectEvents} WHERE event.kind = 'amended'`).raw();
  const erased = new Set<string>();
  for (const row of amendments.all()) {
    try {
      const event = reading.event(row);
      if (event.kind === 'amended') for (const id of event.body.events) erased.add(id);
    } catch {
      // A damaged body is pointed at by its own hash.
    }
  }
  return erased;
};

/**
 * Walks every writer's chain in the order of writing. A changed byte, and a removed, inserted or re-ordered
 * row, is pointed at where the chain first disagrees; the walk goes on from there.
 * `step` is called for every event. Returns how many there are. Throws SQLite's errors.
 */
export const checkChain = (
  database: LogDatabase,
  note: (problem: Problem) => void,
  step: () => void,
): number => {
  const erased = erasedEvents(database);
  const reading = eventReading(database);
  const heads = new Map<string, { seq: number; hash: string }>();
  let events = 0;
  for (const row of database.prepare<[], StoredEvent>(`${selectEvents} ORDER BY event.seq`).raw().iterate()) {
    events += 1;
    step();
    const writer = row[2];
    const writerSeq = row[3];
    const wrong = (message: string): void => note({ kind: 'chain', at: nameOf(row), message });
    const digest = row[15] === null ? null : row[15].toString('hex');
    const stored = row[16].toString('hex');
    const head = heads.get(writer) ?? { seq: 0, hash: chainStart };
    heads.set(writer, { seq: writerSeq, hash: stored });
    const id = uuidText(row[1]);
    let link = '';
    try {
      const frame = {
        writer,
        writerSeq,
        id,
        profileId: row[5],
        orderNumber: row[6],
        paymentId: row[7],
        happenedAt: row[8],
        recordedAt: row[9],
        agent: row[10],
        kind: row[11],
        dedupeKey: row[12],
      };
      link = linkHash(head.hash, contentHash(frame, reading.body(row), digest));
    } catch {
      // Values that cannot be read fit no hash.
    }
    if (writerSeq > head.seq + 1) {
      wrong(
        `${writerSeq - head.seq - 1} event(s) before it are missing: number ${writerSeq} follows ${head.seq}.`,
      );
    } else if (writerSeq <= head.seq) {
      wrong(`It stands out of order or was inserted: number ${writerSeq} follows ${head.seq}.`);
    } else if (link !== stored) {
      wrong('It, or the link before it, was changed after it was written: its hash does not fit.');
    }
    const salt = row[17];
    const values = row[18];
    if (salt === null || values === null) {
      if (digest !== null && !erased.has(id)) {
        wrong('Its personal details are gone, and no amendment says that they were erased.');
      }
    } else if (personalDigest(salt, values) !== digest) {
      wrong('Its personal details were changed: they do not fit their digest.');
    }
  }
  const joined = database.prepare<[], number>('SELECT count(*) FROM event').pluck().get() ?? 0;
  if (joined !== events) {
    const message = `${joined - events} event(s) belong to a writer or a payment that is not there.`;
    note({ kind: 'chain', at: 'table event', message });
  }
  const writers = database.prepare<[], { name: string; seq: number; hash: string }>(
    'SELECT name, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  for (const { name, seq, hash } of writers.all()) {
    const head = heads.get(name) ?? { seq: 0, hash: chainStart };
    if (head.seq === seq && head.hash === hash) continue;
    const message = `The chain ends at number ${head.seq}, but number ${seq} was written last: its end was cut off or replaced.`;
    note({ kind: 'head', at: `writer ${name}`, message });
  }
  return events;
};
