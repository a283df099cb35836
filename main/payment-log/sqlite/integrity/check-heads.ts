import { msg, type Message } from '../../../../shared/messages/message.ts';
import type { Problem } from './check-chain.ts';
import type { LogDatabase } from '../store/database.ts';
import { hasValidSignature } from '../../heads/signed-head.ts';
import { linkReader } from '../files/chain-end.ts';
import type { ChainEnd, HeadFile } from '../../answers.ts';

/**
 * Compares signed heads with the log: the event that each names must exist with the same hash. This detects a
 * truncated log or a rebuilt chain even if the log is consistent. `ends`: of the own chain, as recorded beside the log. Throws SQLite errors.
 */
export const checkHeads = (
  database: LogDatabase,
  files: readonly HeadFile[],
  ends: readonly ChainEnd[],
  reportProblem: (problem: Problem) => void,
): void => {
  const linkOf = linkReader(database);
  for (const { writer, seq, hash } of ends) {
    if (seq === 0) continue;
    const link = linkOf({ writer, seq });
    if (link !== hash)
      reportProblem({
        kind: 'head',
        at: { kind: 'end-file' },
        message: msg('integrity.end.missing', { number: seq }),
      });
  }
  for (const { source, head } of files) {
    const wrong = (message: Message): void => reportProblem({ kind: 'head', at: source, message });
    if (!head) {
      wrong(msg('integrity.head.unreadable'));
      continue;
    }
    if (!hasValidSignature(head)) {
      wrong(msg('integrity.head.changed'));
      continue;
    }
    const time = new Date(head.at).toISOString();
    for (const { writer, seq, hash } of head.chains) {
      if (seq === 0) continue;
      const link = linkOf({ writer, seq });
      if (link === undefined) wrong(msg('integrity.head.event-missing', { number: seq, writer, time }));
      else if (link !== hash) wrong(msg('integrity.head.event-other', { number: seq, writer, time }));
    }
  }
};
