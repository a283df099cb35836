import type { ClientConfig } from 'pg';
import { ok, type Result } from '../../../shared/errors.ts';
import { logFailure } from '../log-failures.ts';
import { connect, type Connection } from './connection.ts';
import { toSharedLogFailure } from './shared-log-failures.ts';
import { schemaVersion } from './schema/schema.ts';

/**
 * Limits on the server. A firewall or VPN may forget a connection without closing it: the server would keep its
 * locks for two hours, its own default. Seconds for probes, milliseconds otherwise. A statement and its wait for a lock
 * end before the client stops waiting for the answer (10 s).
 */
const probes =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 15000';
const writeLimits =
  'SET statement_timeout = 9000; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 10000';

/**
 * Ends this account's writing connections of which the line forgot the client: no transaction takes this long, and one
 * that waits for the rest of its statement has no limit on the server.
 */
const endForgotten = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = session_user AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '10 seconds'`;

/** What a connection is for. */
export type Role = 'write' | 'follow' | 'verify';

/** Checks which log answers and whether this program may use it; sets up the connection for its task. */
const prepare = async (
  connection: Connection,
  schema: string,
  role: Role,
  expectedId: string | null,
): Promise<Result<string>> => {
  const [log] = await connection.query<{ id: string; oldest: number; recovery: boolean; commit: string }>(
    `SELECT id, oldest_program AS oldest, pg_is_in_recovery() AS recovery,
       current_setting('synchronous_commit') AS commit FROM ${schema}.log`,
  );
  if (!log || (expectedId !== null && log.id !== expectedId)) return logFailure('log.other', log?.id);
  if (log.oldest > schemaVersion) return logFailure('log.older', `version ${log.oldest}`);
  if (role === 'write' && log.recovery) return logFailure('log.unreachable', 'read-only');
  await connection.query(`SET search_path = ${schema}, pg_temp; ${probes}`);
  // Evidence is always flushed; a stronger default of the server stays.
  if (role === 'write' && log.commit !== 'remote_apply')
    await connection.query('SET synchronous_commit = on');
  if (role === 'write') await connection.query(`${writeLimits}; ${endForgotten}`);
  // Compiling a plan takes longer than these reads.
  await connection.query('SET jit = off');
  return ok(log.id);
};

/**
 * Connects for a task, and checks which log answers. `expectedId`: the identity of the log, null: any. Errors:
 * `log.unreachable`, `log.denied`, `log.other`, `log.older`.
 */
export const connectPrepared = async (
  config: ClientConfig,
  schema: string,
  role: Role,
  expectedId: string | null,
): Promise<Result<{ connection: Connection; logId: string }>> => {
  const opened = await connect({ ...config, application_name: `counterfoil ${role}` });
  if (!opened.ok) return opened;
  const connection = opened.value;
  try {
    const prepared = await prepare(connection, schema, role, expectedId);
    if (prepared.ok) return ok({ connection, logId: prepared.value });
    await connection.close();
    return prepared;
  } catch (thrown) {
    await connection.close();
    return toSharedLogFailure(thrown);
  }
};
