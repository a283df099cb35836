import type { VerifyReport } from '../../shared/contract.ts';
import type { Event } from '../../shared/evidence.ts';
import { chainStart, contentHash, linkHash, personalDigest } from './chain.ts';
import type { LogDatabase } from './database.ts';
import { toLogFailure } from './failures.ts';
import { dayOf, project, type Projected } from './projection.ts';
import { eventColumns, eventTables, toEvent, type StoredEvent } from './stored-event.ts';

/** More problems than this are counted, not listed: the first ones say where to look. */
const listed = 1_000;
/** Events between two words on progress. */
const stride = 5_000;

type Problem = VerifyReport['problems'][number];

const nameOf = (row: StoredEvent): string => `event ${row[0]}`;

/**
 * Walks every chain in the order of writing: a changed byte, and a removed, inserted or re-ordered row is
 * pointed at where the chain first disagrees, and the walk goes on from there.
 */
const checkChain = (database: LogDatabase, note: (problem: Problem) => void, step: () => void): number => {
  const erased = new Set<string>();
  const amendments = database.prepare<[], string>("SELECT body FROM event WHERE kind = 'amended'").pluck();
  for (const body of amendments.iterate()) {
    try {
      for (const id of (JSON.parse(body) as { events: string[] }).events) erased.add(id);
    } catch {
      // A damaged body is pointed at by its own hash below.
    }
  }
  const heads = new Map<string, { seq: number; hash: string }>();
  let events = 0;
  const rows = database
    .prepare<[], StoredEvent>(`SELECT ${eventColumns} FROM ${eventTables} ORDER BY event.seq`)
    .raw();
  for (const row of rows.iterate()) {
    events += 1;
    step();
    const [
      ,
      id,
      writer,
      writerSeq,
      ,
      profileId,
      orderNumber,
      paymentId,
      happenedAt,
      recordedAt,
      agent,
      kind,
    ] = row;
    const [dedupeKey, body, personal, hash, salt, values] = row.slice(12) as [
      string | null,
      string,
      Buffer | null,
      Buffer,
      Buffer | null,
      string | null,
    ];
    const wrong = (message: string): void => note({ kind: 'chain', at: nameOf(row), message });
    const head = heads.get(writer) ?? { seq: 0, hash: chainStart };
    const stored = hash.toString('hex');
    const frame = {
      writer,
      writerSeq,
      id,
      profileId,
      orderNumber,
      paymentId,
      happenedAt,
      recordedAt,
      agent,
      kind,
      dedupeKey,
    };
    const digest = personal === null ? null : personal.toString('hex');
    const right = linkHash(head.hash, contentHash(frame, body, digest)) === stored;
    if (writerSeq > head.seq + 1) {
      wrong(
        `${writerSeq - head.seq - 1} event(s) before it are missing: number ${writerSeq} follows ${head.seq}.`,
      );
    } else if (writerSeq <= head.seq) {
      wrong(`It stands out of order or was inserted: number ${writerSeq} follows ${head.seq}.`);
    } else if (!right) {
      wrong('It, or the link before it, was changed after it was written: its hash does not fit.');
    }
    heads.set(writer, { seq: writerSeq, hash: stored });
    if (digest !== null && (salt === null || values === null)) {
      if (!erased.has(id))
        wrong('Its personal details are gone, and no amendment says that they were erased.');
    } else if (salt !== null && values !== null && personalDigest(salt, values) !== digest) {
      wrong('Its personal details were changed: they do not fit their digest.');
    }
  }
  const writers = database.prepare<[], { name: string; seq: number; hash: string }>(
    'SELECT name, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  for (const { name, seq, hash } of writers.all()) {
    const head = heads.get(name) ?? { seq: 0, hash: chainStart };
    if (head.seq !== seq || head.hash !== hash) {
      note({
        kind: 'head',
        at: `writer ${name}`,
        message: `The chain ends at number ${head.seq}, but number ${seq} was written last: its end was cut off or replaced.`,
      });
    }
  }
  return events;
};

type KeptPayment = {
  id: number;
  profileId: string;
  orderNumber: string;
  state: string;
  currency: string;
  flagged: number;
  timed: number;
  firstAt: number;
  runsOutAt: number | null;
  row: string;
  words: string;
};

const differing = (kept: KeptPayment, rebuilt: Projected): string[] => {
  const fields: string[] = [];
  const same = (name: string, one: unknown, other: unknown): void => {
    if (one !== other) fields.push(name);
  };
  same('profile', kept.profileId, rebuilt.profileId);
  same('order number', kept.orderNumber, rebuilt.orderNumber);
  same('state', kept.state, rebuilt.state);
  same('currency', kept.currency, rebuilt.currency);
  same('flagged', kept.flagged, rebuilt.flagged);
  same('timed', kept.timed, rebuilt.runsOutAt === null ? 0 : 1);
  same('first heard of', kept.firstAt, rebuilt.firstAt);
  same('link runs out', kept.runsOutAt, rebuilt.runsOutAt);
  same('row', kept.row, rebuilt.row);
  same('words', kept.words, rebuilt.words);
  return fields;
};

/** Rebuilds every payment from its evidence and compares it with what the projection's tables hold. */
const checkProjection = (
  database: LogDatabase,
  note: (problem: Problem) => void,
  step: () => void,
): number => {
  const stale = (at: string, message: string): void => note({ kind: 'projection', at, message });
  const keptOf = database.prepare<[number], KeptPayment>(
    `SELECT p.id, p.profile_id AS profileId, p.order_number AS orderNumber, f.state, f.currency, f.flagged, f.timed,
       p.first_at AS firstAt, p.runs_out_at AS runsOutAt, p."row" AS row, p.words
     FROM payment p JOIN facet f ON f.id = p.facet WHERE p.id = ?`,
  );
  const flagKept = database
    .prepare<[string, number], number>('SELECT 1 FROM payment_flag WHERE flag = ? AND payment = ?')
    .pluck();
  const idKept = database
    .prepare<[string, number], number>('SELECT 1 FROM payment_id WHERE payment_id = ? AND payment = ?')
    .pluck();
  const dayKept = database
    .prepare<[number, number], number>('SELECT 1 FROM day WHERE day = ? AND ? BETWEEN low AND high')
    .pluck();
  let payments = 0;
  let flags = 0;
  let paymentIds = 0;

  const check = (payment: number, rows: readonly StoredEvent[]): void => {
    payments += 1;
    const first = rows[0];
    if (!first) return;
    const at = `order ${first[6] ?? ''} of ${first[5]}`;
    const astray = rows.find(row => row[5] !== first[5] || row[6] !== first[6]);
    if (astray || first[0] !== payment) {
      stale(at, `${nameOf(astray ?? first)} is filed under another order.`);
      return;
    }
    let events: Event[];
    try {
      events = rows.map(toEvent);
    } catch {
      stale(at, 'Its evidence cannot be read: an event holds no JSON.');
      return;
    }
    const rebuilt = project(events);
    const kept = keptOf.get(payment);
    if (!kept) {
      stale(at, 'It is missing from the list of payments.');
      return;
    }
    const fields = differing(kept, rebuilt);
    flags += rebuilt.flags.length;
    paymentIds += rebuilt.paymentIds.length;
    if (rebuilt.flags.some(flag => flagKept.get(flag, payment) === undefined)) fields.push('flags');
    if (rebuilt.paymentIds.some(id => idKept.get(id, payment) === undefined)) fields.push('payment ids');
    if (dayKept.get(dayOf(rebuilt.firstAt), payment) === undefined) fields.push('day');
    if (fields.length > 0) stale(at, `The list differs from the evidence in: ${fields.join(', ')}.`);
  };

  const rows = database
    .prepare<[], StoredEvent>(
      `SELECT ${eventColumns} FROM ${eventTables} WHERE event.payment IS NOT NULL ORDER BY event.payment, event.seq`,
    )
    .raw();
  let current = 0;
  let gathered: StoredEvent[] = [];
  for (const row of rows.iterate()) {
    step();
    const payment = row[4] ?? 0;
    if (payment !== current && gathered.length > 0) {
      check(current, gathered);
      gathered = [];
    }
    current = payment;
    gathered.push(row);
  }
  if (gathered.length > 0) check(current, gathered);

  const count = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
  const more = (table: string, held: number, right: number): void => {
    if (held !== right)
      stale(`table ${table}`, `It holds ${held} entries where the evidence gives ${right}.`);
  };
  more('payment', count('SELECT count(*) FROM payment'), payments);
  more('payment_flag', count('SELECT count(*) FROM payment_flag'), flags);
  more('payment_id', count('SELECT count(*) FROM payment_id'), paymentIds);
  const miscounted = count(
    `SELECT count(*) FROM facet f
     WHERE f.n <> (SELECT count(*) FROM payment p INDEXED BY payment_facet WHERE p.facet = f.id)`,
  );
  if (miscounted > 0) stale('table facet', `${miscounted} running count(s) are wrong.`);
  const unfiled = count('SELECT count(*) FROM event WHERE payment IS NULL AND order_number IS NOT NULL');
  if (unfiled > 0) stale('table event', `${unfiled} event(s) that name an order are not filed under it.`);
  return payments;
};

/** Asks SQLite itself whether pages, tables and indexes fit together; what it says is passed on. */
const checkFile = (database: LogDatabase, note: (problem: Problem) => void): void => {
  const said = database.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  for (const message of said) if (message !== 'ok') note({ kind: 'chain', at: 'the file', message });
};

/** Does one part of the check; a file too damaged for it is a finding, not a failure. */
const part = (note: (problem: Problem) => void, work: () => number): number => {
  try {
    return work();
  } catch (thrown) {
    const { error } = toLogFailure(thrown);
    if (error.code !== 'log.corrupt') throw thrown;
    note({ kind: 'chain', at: 'the file', message: error.message });
    return 0;
  }
};

/**
 * Checks the whole log on a consistent view of it: the file, every chain, then every payment rebuilt and compared.
 * `onProgress`: events done and to do, each event counting twice. Throws SQLite's errors.
 */
export const auditLog = (
  database: LogDatabase,
  onProgress: (done: number, total: number) => void = () => undefined,
): VerifyReport => {
  database.exec('BEGIN');
  try {
    const total = 2 * (database.prepare<[], number>('SELECT count(*) FROM event').pluck().get() ?? 0);
    const problems: Problem[] = [];
    let unlisted = 0;
    const note = (problem: Problem): void => {
      if (problems.length < listed) problems.push(problem);
      else unlisted += 1;
    };
    let done = 0;
    const step = (): void => {
      done += 1;
      if (done % stride === 0) onProgress(Math.min(done, total), total);
    };
    part(note, () => {
      checkFile(database, note);
      return 0;
    });
    const events = part(note, () => checkChain(database, note, step));
    const payments = part(note, () => checkProjection(database, note, step));
    if (unlisted > 0) {
      problems.push({
        kind: 'chain',
        at: 'the whole log',
        message: `${unlisted} more problem(s) are not listed.`,
      });
    }
    onProgress(total, total);
    return { events, payments, problems };
  } finally {
    database.exec('COMMIT');
  }
};
