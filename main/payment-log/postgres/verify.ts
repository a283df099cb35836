import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import type { HeadFile } from '../answers.ts';
import { chainStart } from '../evidence/chain.ts';
import { eventProblems, orderProblem, type ChainPosition } from '../evidence/check-event.ts';
import type { Connection } from './connection.ts';
import { eventReader, type EventReader, type SharedEvent } from './stored-events.ts';
import { hasValidSignature } from '../heads/signed-head.ts';

/** Ends of one request. */
const batchSize = 2_000;

type Named = { source: HeadFile['source']; time: string; writer: string; seq: number; hash: string };

/**
 * Compares signed heads, which are stored elsewhere, with the chains. An event that a head names must exist with the same
 * hash. This detects a chain that was cut or built again although it is
 * consistent. Rejects with the client's errors.
 */
const checkSharedHeads = async (
  connection: Connection,
  files: readonly HeadFile[],
  report: (problem: Problem) => void,
): Promise<void> => {
  const wrong = (at: HeadFile['source'], message: Message): void => report({ kind: 'head', at, message });
  const named: Named[] = [];
  for (const { source, head } of files)
    if (!head) wrong(source, msg('integrity.head.unreadable'));
    else if (!hasValidSignature(head)) wrong(source, msg('integrity.head.changed'));
    else
      for (const { writer, seq, hash } of head.chains)
        if (seq > 0) named.push({ source, time: new Date(head.at).toISOString(), writer, seq, hash });
  for (let from = 0; from < named.length; from += batchSize) {
    const part = named.slice(from, from + batchSize);
    const rows = await connection.query<{ at: number; hash: Buffer }>(
      `SELECT wanted.at::int AS at, e.hash FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted(name, seq, at)
       JOIN writer w ON w.name = wanted.name JOIN event e ON e.writer = w.id AND e.writer_seq = wanted.seq`,
      [part.map(({ writer }) => writer), part.map(({ seq }) => seq)],
    );
    const links = new Map(rows.map(({ at, hash }) => [at - 1, hash.toString('hex')]));
    for (const [index, { source, time, writer, seq, hash }] of part.entries()) {
      const link = links.get(index);
      if (link === undefined)
        wrong(source, msg('integrity.head.event-missing', { number: seq, writer, time }));
      else if (link !== hash) wrong(source, msg('integrity.head.event-other', { number: seq, writer, time }));
    }
  }
};

/**
 * The next events of a chain, at most 2,000 and about 8 MB: another account may have written any that are allowed.
 * Parameters: chain, number before them, last number.
 */
const nextPart = `WHERE e.writer = $1 AND e.writer_seq > $2 AND e.writer_seq <= (SELECT max(part.writer_seq) FROM (
    SELECT s.writer_seq, sum(octet_length(s."values")) OVER (ORDER BY s.writer_seq) - octet_length(s."values") AS earlier
    FROM event s WHERE s.writer = $1 AND s.writer_seq > $2 AND s.writer_seq <= $3 ORDER BY s.writer_seq LIMIT 2000) part
  WHERE part.earlier < 8388608) ORDER BY e.writer_seq`;
/** Deadline of a request that reads a whole table. */
const wholeTableMs = 10 * 60_000;
/** Limit of listed problems; further ones are only counted. */
const maxListed = 1_000;

type Problem = VerifyReport['problems'][number];
type Writer = { id: number; name: string; seq: number; hash: Buffer };

/** The events that an amendment erased; none if it is damaged, which its own hash reports. */
const erasedBy = (reader: EventReader, stored: SharedEvent): readonly string[] => {
  try {
    const event = reader.event(stored);
    return event.kind === 'amended' ? event.body.events : [];
  } catch {
    return [];
  }
};

/** Personal values that are gone, until an amendment of any chain that erased them is read. */
const goneValues = () => {
  const gone = new Map<string, Problem['at']>();
  const erased = new Set<string>();
  return {
    gone: (id: string, at: Problem['at']): void => {
      if (!erased.has(id)) gone.set(id, at);
    },
    erased: (id: string): void => {
      erased.add(id);
      gone.delete(id);
    },
    unexplained: (): Iterable<Problem['at']> => gone.values(),
  };
};

/** Walks one chain up to the end that it had at the start: nothing before an end changes. */
const checkChain = async (
  reader: EventReader,
  writer: Writer,
  values: ReturnType<typeof goneValues>,
  report: (problem: Problem) => void,
  onStep: (events: number) => void,
): Promise<void> => {
  let before: ChainPosition = { seq: 0, hash: chainStart };
  for (;;) {
    const events = await reader.read(nextPart, [writer.id, before.seq, writer.seq], 'verify');
    for (const event of events) {
      const number = event.row.writer_seq;
      const at = { kind: 'installation-event', name: writer.name, number } as const;
      const misplaced = orderProblem(number, before.seq);
      if (misplaced) report({ kind: 'chain', at, message: misplaced });
      const checked = reader.checked(event);
      for (const message of eventProblems(checked, before, () => true))
        report({ kind: 'chain', at, message });
      if (checked.digest !== null && checked.personal === null) values.gone(event.row.id, at);
      if (event.row.kind === 'amended') for (const id of erasedBy(reader, event)) values.erased(id);
      before = { seq: number, hash: event.row.hash.toString('hex') };
    }
    onStep(events.length);
    if (events.length === 0) break;
  }
  if (before.seq !== writer.seq || before.hash !== writer.hash.toString('hex')) {
    const message = msg('integrity.chain-end', { end: before.seq, last: writer.seq });
    report({ kind: 'head', at: { kind: 'installation', name: writer.name }, message });
  }
};

/** Events without a chain, or after its end. */
const checkOrphans = async (connection: Connection, report: (problem: Problem) => void): Promise<void> => {
  const [orphaned] = await connection.query<{ count: number }>(
    `SELECT count(*) AS count FROM event e LEFT JOIN writer w ON w.id = e.writer
     WHERE w.id IS NULL OR e.writer_seq > w.last_seq OR e.writer_seq < 1`,
    [],
    { deadlineMs: wholeTableMs },
  );
  if (orphaned && orphaned.count > 0) {
    const message = msg('integrity.event.orphaned', { count: orphaned.count });
    report({ kind: 'chain', at: { kind: 'table', name: 'event' }, message });
  }
};

/**
 * Verifies every chain of the shared log by the rules of the embedded one, in parts, and compares it with the signed
 * heads `heads`. `onProgress`: events done and to do. Rejects with the client's errors.
 */
export const verifyChains = async (
  connection: Connection,
  onProgress: (done: number, total: number) => void = () => undefined,
  heads: readonly HeadFile[] = [],
): Promise<VerifyReport> => {
  const report: VerifyReport = { events: 0, payments: 0, problems: [] };
  let unlisted = 0;
  const note = (problem: Problem): void => {
    if (report.problems.length < maxListed) report.problems.push(problem);
    else unlisted += 1;
  };
  const reader = eventReader(connection);
  const writers = await connection.query<Writer>(
    'SELECT id, name, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  const total = writers.reduce((sum, { seq }) => sum + seq, 0);
  let done = 0;
  const step = (count: number): void => {
    done += count;
    onProgress(Math.min(done, total), total);
  };
  const values = goneValues();
  for (const writer of writers)
    await checkChain(reader, writer, values, note, events => {
      report.events += events;
      step(events);
    });
  for (const at of values.unexplained())
    note({ kind: 'chain', at, message: msg('integrity.event.personal-missing') });
  await checkOrphans(connection, note);
  await checkSharedHeads(connection, heads, note);
  const [orders] = await connection.query<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT DISTINCT order_number, profile_id FROM event WHERE order_number IS NOT NULL) o`,
    [],
    { deadlineMs: wholeTableMs },
  );
  report.payments = orders?.count ?? 0;
  onProgress(total, total);
  if (unlisted > 0) {
    const message = msg('integrity.unlisted', { count: unlisted });
    report.problems.push({ kind: 'chain', at: { kind: 'log' }, message });
  }
  return report;
};
