import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import type { HeadFile } from '../answers.ts';
import { hasValidSignature } from '../heads/signed-head.ts';
import type { Connection } from './connection.ts';

/** Ends of one request. */
const batchSize = 2_000;

type Problem = VerifyReport['problems'][number];
type Named = { source: HeadFile['source']; time: string; writer: string; seq: number; hash: string };

/**
 * Compares signed heads, which are stored elsewhere, with the chains. An event that a head names must exist with the same
 * hash. This detects a chain that was cut or built again although it is
 * consistent. Rejects with the client's errors.
 */
export const checkSharedHeads = async (
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
