import { ok, type Result } from '../../../shared/errors.ts';
import { connectPrepared } from '../postgres/prepared-connection.ts';
import { clientConfig, sharedLogSettingsSchema } from '../postgres/connection-settings.ts';
import type { SharedConnection } from './keep-list.ts';
import type { AmendedEvent } from '../answers.ts';
import type { Connection } from '../postgres/connection.ts';
import { movedEnds } from '../postgres/moved-ends.ts';
import { foreignReader } from '../postgres/read-foreign.ts';
import type { ChainSource } from './copy-chains.ts';

/** Deadline of a read: while a part is stored, the answer to the next read waits on this thread. */
const deadlineMs = 20_000;
/** That of the ends, which are read first: a line that is silent is noticed by it. */
const endsDeadlineMs = 5_000;
export type SharedSource = ChainSource & {
  /** Those of these events that have no personal values in the shared log any longer. */
  erasedOf(named: readonly AmendedEvent[]): Promise<readonly AmendedEvent[]>;
  /** Notes there that this installation's list has carried out what was erased until `ago` milliseconds before now; false
   * before this installation's chain is known there. */
  confirmErased(ago: number): Promise<boolean>;
};

/** The chains of the shared log. Parts of chains are those of other installations than `own`. */
export const sharedSource = (opened: Connection, own: string): SharedSource => {
  const connection: Connection = {
    ...opened,
    query: (text, values, options) => opened.query(text, values, { deadlineMs, ...options }),
  };
  const reader = foreignReader(connection);
  /** Up to where the ends are known. */
  let since: string | null = null;
  return {
    ends: async () => {
      const moved = await movedEnds(connection, since, endsDeadlineMs);
      since = moved.next;
      return moved.ends.filter(({ writer, seq }) => writer !== own && seq > 0);
    },
    read: reader.range,
    confirmErased: async ago => {
      const [answer] = await connection.query<{ done: boolean }>(
        'SELECT list_1($1, $2) AS done',
        [own, Math.ceil(ago)],
        { name: 'confirm' },
      );
      return answer?.done === true;
    },
    erasedOf: async named => {
      const still = await connection.query<{ at: number }>(
        `SELECT n.at::int AS at FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS n(writer, seq, at)
           JOIN writer w ON w.name = n.writer JOIN event e ON e.writer = w.id AND e.writer_seq = n.seq
           JOIN LATERAL (SELECT 1 FROM personal p WHERE p.writer = e.writer AND p.writer_seq = e.writer_seq
             AND p.recorded_at = e.recorded_at LIMIT 1) p ON true`,
        [named.map(({ writer }) => writer), named.map(({ writerSeq }) => writerSeq)],
      );
      const kept = new Set(still.map(({ at }) => at - 1));
      return named.filter((_, at) => !kept.has(at));
    },
  };
};

/**
 * Connects for following the chains of all installations but `own`; notifications announce news. Errors: those of the
 * settings, `log.unreachable`, `log.denied`, `log.other`, `log.older`.
 */
export const connectToFollow = async (given: unknown, own: string): Promise<Result<SharedConnection>> => {
  const settings = sharedLogSettingsSchema.parse(given);
  const config = clientConfig(settings, 'counterfoil');
  if (!config.ok) return config;
  const { schema, logId } = settings;
  const opened = await connectPrepared(config.value, schema, 'follow', logId);
  if (!opened.ok) return opened;
  const { connection } = opened.value;
  return ok({
    source: sharedSource(connection, own),
    onNews: listener => {
      connection.onNotification(listener);
      connection.query(`LISTEN ${schema}`).catch(() => {
        // The requests that follow report a lost connection.
      });
    },
    close: () => connection.close(),
  });
};
