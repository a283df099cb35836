import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import type { HeadFile } from '../answers.ts';
import { readSignedHead } from '../heads/read-signed-head.ts';
import { hasValidSignature } from '../heads/signed-head.ts';
import type { Connection } from './connection.ts';

/** Ends of one request. */
const batchSize = 2_000;

type Problem = VerifyReport['problems'][number];
type Named = { source: HeadFile['source']; time: string; writer: string; seq: number; hash: string };

/** The heads that the shared log holds of its installations; none in a log of an earlier version. */
const storedHeads = async (connection: Connection): Promise<HeadFile[]> => {
  const [table] = await connection.query<{ exists: boolean }>(
    "SELECT to_regclass('head') IS NOT NULL AS exists",
  );
  if (table?.exists !== true) return [];
  const rows = await connection.query<{ day: string; label: string; body: string }>(
    `SELECT h.day::text AS day, coalesce(w.label, h.witness) AS label, h.body
     FROM head h LEFT JOIN writer w ON w.name = h.witness ORDER BY h.day, label`,
  );
  return rows.map(({ day, label, body }): HeadFile => {
    const source = { kind: 'head-file', name: `${label} ${day}` } as const;
    try {
      return { source, head: readSignedHead(JSON.parse(body)) };
    } catch {
      return { source, head: null };
    }
  });
};

/**
 * Compares signed heads with the chains: those in the shared log, and `files`, which are stored elsewhere. An event that
 * a head names must exist with the same hash. This detects a chain that was cut or built again although it is
 * consistent. Rejects with the client's errors.
 */
export const checkSharedHeads = async (
  connection: Connection,
  files: readonly HeadFile[],
  report: (problem: Problem) => void,
): Promise<void> => {
  const wrong = (at: HeadFile['source'], message: Message): void => report({ kind: 'head', at, message });
  const named: Named[] = [];
  for (const { source, head } of [...(await storedHeads(connection)), ...files]) {
    if (!head) wrong(source, msg('integrity.head.unreadable'));
    else if (!hasValidSignature(head)) wrong(source, msg('integrity.head.changed'));
    else
      for (const { writer, seq, hash } of head.chains)
        if (seq > 0) named.push({ source, time: new Date(head.at).toISOString(), writer, seq, hash });
  }
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
