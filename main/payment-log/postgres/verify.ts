import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { HeadFile } from '../answers.ts';
import { checkSharedHeads } from './check-shared-heads.ts';
import { chainStart } from '../evidence/chain.ts';
import { eventProblems, orderProblem, type ChainPosition } from '../evidence/check-event.ts';
import type { Connection } from './connection.ts';
import { eventReader, type EventReader } from './stored-events.ts';

/** Events of one request. */
const batchSize = 2_000;
/** Deadline of a request that reads a whole table. */
const wholeTableMs = 10 * 60_000;
/** Limit of listed problems; further ones are only counted. */
const maxListed = 1_000;

type Problem = VerifyReport['problems'][number];
type Writer = { id: number; name: string; seq: number; hash: Buffer };

/** The ids of all events whose personal values were erased by an amendment of any chain. */
const erasedEvents = async (reader: EventReader): Promise<Set<string>> => {
  const erased = new Set<string>();
  for (const stored of await reader.read("WHERE e.kind = 'amended'", [])) {
    try {
      const event = reader.event(stored);
      if (event.kind === 'amended') for (const id of event.body.events) erased.add(id);
    } catch {
      // The event's own hash reports a damaged body.
    }
  }
  return erased;
};

/** Walks one chain up to the end that it had at the start: nothing before an end changes. */
const checkChain = async (
  reader: EventReader,
  writer: Writer,
  erased: ReadonlySet<string>,
  report: (problem: Problem) => void,
  onStep: (events: number) => void,
): Promise<void> => {
  let before: ChainPosition = { seq: 0, hash: chainStart };
  for (let after = 0; ;) {
    const events = await reader.read(
      'WHERE e.writer = $1 AND e.writer_seq > $2 AND e.writer_seq <= $3 ORDER BY e.writer_seq LIMIT $4',
      [writer.id, after, writer.seq, batchSize],
    );
    for (const event of events) {
      const number = event.row.writer_seq;
      const at = { kind: 'installation-event', name: writer.name, number } as const;
      const misplaced = orderProblem(number, before.seq);
      if (misplaced) report({ kind: 'chain', at, message: misplaced });
      // A role without the right to personal values cannot compare them with their digests.
      const isErased = (): boolean => !reader.readsPersonal || erased.has(event.row.id);
      for (const message of eventProblems(reader.checked(event), before, isErased))
        report({ kind: 'chain', at, message });
      before = { seq: number, hash: event.row.hash.toString('hex') };
      after = number;
    }
    onStep(events.length);
    if (events.length < batchSize) break;
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
 * Verifies every chain of the shared log by the rules of the embedded one, and compares it with signed heads, those that
 * it holds and `heads`. `onProgress`: events done and to do. Rejects with the client's errors.
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
  const reader = await eventReader(connection);
  const writers = await connection.query<Writer>(
    'SELECT id, name, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  const total = writers.reduce((sum, { seq }) => sum + seq, 0);
  let done = 0;
  const step = (count: number): void => {
    done += count;
    onProgress(Math.min(done, total), total);
  };
  const erased = await erasedEvents(reader);
  for (const writer of writers) {
    await checkChain(reader, writer, erased, note, events => {
      report.events += events;
      step(events);
    });
  }
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
