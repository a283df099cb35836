import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';

/** The chain of a hostile account. */
export const hostileChain = 'hostile';

/** Pause between two attacks. */
const pauseMs = 200;
/** How long it keeps a transaction open at most. */
const maxOpenMs = 3_000;

/** Appends events of another installation to a chain, without links. `$1`: its chain; `$2`: what values become. */
const forge = `SELECT append_1(w.id, w.last_seq, w.last_hash, array_agg(e.id), array_agg(e.profile_id),
    array_agg(e.order_number), array_agg(e.payment_id), array_agg(e.happened_at), array_agg(e.recorded_at),
    array_agg(e.agent), array_agg(e.kind), array_agg(e.dedupe_key), array_agg(e.shape),
    array_agg(coalesce($2, e."values")), array_agg(e.personal),
    array_agg(decode(md5(random()::text) || md5(random()::text), 'hex')),
    '{}'::bigint[], '{}'::bytea[], '{}'::text[], ARRAY['["hostile ' || (random() * 10)::int || '"]'])
  FROM writer w CROSS JOIN LATERAL (SELECT o.id, o.last_seq FROM writer o WHERE o.name <> w.name AND o.last_seq > 5
    ORDER BY random() LIMIT 1) o
  CROSS JOIN LATERAL (SELECT * FROM event WHERE writer = o.id AND writer_seq > o.last_seq - 5) e
  WHERE w.name = $1 GROUP BY w.id`;

/**
 * A thief with the password of one console's account, and a program for databases: appends other installations' events
 * as events of its chain, events of a megabyte and such of no form, claims tasks, and keeps transactions open. It
 * connects again whenever its connection is lost.
 */
export const startHostileAccount = (
  settings: SharedLogSettings,
): { attacks(): number; close(): Promise<void> } => {
  const { host, port, database, schema, role, password } = settings;
  let isClosed = false;
  let attacks = 0;
  const attack = async (client: Client): Promise<void> => {
    const kind = attacks % 4;
    const isOpen = kind === 3;
    if (isOpen) await client.query('BEGIN');
    const values = kind === 1 ? 'x'.repeat(1_100_000) : kind === 2 ? '{' : null;
    try {
      await client.query(forge, [hostileChain, values]);
    } catch (thrown) {
      // The shared log refuses what no installation writes.
      if (!(thrown instanceof DatabaseError) || thrown.code !== '42501') throw thrown;
      if (isOpen) await client.query('ROLLBACK');
      attacks += 1;
      return;
    }
    await client.query('SELECT claim_1($1, $2, 120000)', [`round:${attacks % 50}`, hostileChain]);
    if (isOpen) {
      await delay(Math.random() * maxOpenMs);
      await client.query(Math.random() < 0.5 ? 'COMMIT' : 'ROLLBACK');
    }
    attacks += 1;
  };
  const isOver = (): boolean => isClosed;
  const run = async (): Promise<void> => {
    while (!isOver()) {
      const client = new Client({ host, port, database, user: role, password: password ?? '' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(`SET search_path = ${schema}`);
        await client.query('SELECT join_1($1)', [hostileChain]);
        while (!isOver()) {
          await attack(client);
          await delay(pauseMs);
        }
      } catch {
        // The server was killed, or the connection was closed.
        await delay(pauseMs);
      }
      await client.end().catch(() => undefined);
    }
  };
  const running = run();
  return {
    attacks: () => attacks,
    close: async () => {
      isClosed = true;
      await running;
    },
  };
};
