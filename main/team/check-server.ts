import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { codeOf, type AppError } from '../../shared/errors.ts';
import { msg, quoted, type Message } from '../../shared/messages/message.ts';
import { joinSteps, type JoinStep } from '../../shared/team/join-check.ts';
import { connect, type Connection } from '../payment-log/postgres/connection.ts';
import { measureClock } from '../payment-log/postgres/open-shared-log.ts';
import { connectionsNeeded } from '../payment-log/postgres/connections-needed.ts';
import { toSharedLogFailure } from '../payment-log/postgres/shared-log-failures.ts';
import { schemaVersion } from '../payment-log/postgres/schema/schema.ts';
import { clientConfig, type SharedLogSettings } from '../payment-log/postgres/connection-settings.ts';
import { systemClock } from '../clock.ts';

/** Checks a server step by step before an installation joins: what is wrong, and what to do. */

/** Timeout of reaching the port. */
const reachTimeoutMs = 5_000;
/** The oldest version of PostgreSQL. */
const minServerVersion = 140_000;

/** Measurements of clock and latency; the median counts. */
const rounds = 5;
/** Difference between two clocks from which it is shown. */
const maxOffsetMs = 2_000;
/** Round trip from which the list of payments feels slow. */
const maxLatencyMs = 80;

/** `logId`: the identity of the shared log; null unless every step that is necessary has succeeded. */
export type ServerReport = { steps: JoinStep[]; logId: string | null };

type StepName = JoinStep['name'];

/** Null, or why the port cannot be reached. */
const reach = ({ host, port }: SharedLogSettings): Promise<string | null> =>
  new Promise(resolve => {
    const socket = host.startsWith('/')
      ? connectSocket(join(host, `.s.PGSQL.${port}`))
      : connectSocket(port, host);
    const end = (cause: string | null): void => {
      socket.destroy();
      resolve(cause);
    };
    socket.setTimeout(reachTimeoutMs, () => end('ETIMEDOUT'));
    socket.once('connect', () => end(null));
    socket.once('error', error => end(codeOf(error) || 'unknown'));
  });

const unreachable = (cause: string): Pick<JoinStep, 'finding' | 'todo'> =>
  cause === 'ENOTFOUND' || cause === 'EAI_AGAIN'
    ? { finding: msg('team.check.name.unknown'), todo: msg('team.check.name.unknown.todo') }
    : cause === 'ECONNREFUSED' || cause === 'ENOENT'
      ? { finding: msg('team.check.name.refused'), todo: msg('team.check.name.refused.todo') }
      : { finding: msg('team.check.name.silent', { cause }), todo: msg('team.check.name.silent.todo') };

const tlsCodes = /^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|HOSTNAME|ERR_TLS|ERR_SSL|no TLS)/;

const causeOf = ({ details }: AppError): string => String(details?.['cause'] ?? '');

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

type Facts = { ssl: boolean; tls: string | null; version: string; number: number; recovery: boolean };

const readFacts = async (connection: Connection): Promise<Facts | undefined> =>
  (
    await connection.query<Facts>(
      `SELECT s.ssl, s.version AS tls, current_setting('server_version') AS version,
         current_setting('server_version_num')::int AS number, pg_is_in_recovery() AS recovery
       FROM pg_stat_ssl s WHERE s.pid = pg_backend_pid()`,
    )
  )[0];

const readLog = async (connection: Connection, schema: string) =>
  (
    await connection.query<{ id: string; oldest: number; mayRead: boolean; mayWrite: boolean }>(
      `SELECT id, oldest_program AS oldest,
         has_table_privilege('${schema}.event', 'SELECT') AS "mayRead",
         has_function_privilege('${schema}.join_1(text)', 'EXECUTE') AS "mayWrite" FROM ${schema}.log`,
    )
  )[0];

/** Clock offset and round trip, milliseconds, as medians. */
const measure = async (connection: Connection): Promise<{ offsetMs: number; latencyMs: number }> => {
  const offsets: number[] = [];
  const trips: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = await measureClock(connection, systemClock);
    offsets.push(measured.offsetMs);
    trips.push(measured.roundTripMs);
  }
  return { offsetMs: Math.round(median(offsets)), latencyMs: Math.round(median(trips)) };
};

type Outcome = Pick<JoinStep, 'state' | 'finding' | 'todo'>;

const readDurability = async (connection: Connection): Promise<Outcome> => {
  const [row] = await connection.query<{ fsync: string; pages: string; standbys: string }>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
       current_setting('synchronous_standby_names') AS standbys`,
  );
  if (row?.fsync === 'off' || row?.pages === 'off')
    return {
      state: 'attention',
      finding: msg('team.check.durability.weak'),
      todo: msg('team.check.durability.weak.todo'),
    };
  return {
    state: 'good',
    finding: msg(row?.standbys ? 'team.check.durability.replicated' : 'team.check.durability.one-disk'),
    todo: null,
  };
};

/** Whether the server permits enough connections for all installations, with the chain `writer`. */
const readConnections = async (connection: Connection, schema: string, writer: string): Promise<Outcome> => {
  const [row] = await connection.query<{ permitted: number; others: number }>(
    `SELECT current_setting('max_connections')::int AS permitted,
       (SELECT count(DISTINCT w.role) FROM ${schema}.writer w JOIN pg_roles r ON r.rolname = w.role
         WHERE r.rolcanlogin AND w.name <> $1 AND w.role <> session_user)::int AS others`,
    [writer],
  );
  const permitted = row?.permitted ?? 0;
  const installations = (row?.others ?? 0) + 1;
  const needed = connectionsNeeded(installations);
  return {
    state: permitted < needed ? 'attention' : 'good',
    finding: msg('team.check.connections.found', { permitted, installations, needed }),
    todo: permitted < needed ? msg('team.check.connections.few.todo', { needed }) : null,
  };
};

/**
 * Checks the server of a joining text for an installation with the chain `writer`; stops at the first step that makes
 * joining impossible.
 */
export const checkServer = async (settings: SharedLogSettings, writer: string): Promise<ServerReport> => {
  const steps: JoinStep[] = [];
  const add = (
    name: StepName,
    state: JoinStep['state'],
    finding: Message,
    todo: Message | null = null,
  ): void => {
    steps.push({ name, state, finding, todo });
  };
  const stop = (name: StepName, finding: Message, todo: Message | null): ServerReport => {
    add(name, 'broken', finding, todo);
    return finish(null);
  };
  const finish = (logId: string | null): ServerReport => {
    for (const name of joinSteps)
      if (!steps.some(step => step.name === name)) add(name, 'unknown', msg('team.check.skipped'));
    return { steps, logId };
  };
  const stopWith = (name: StepName, { message, hint }: AppError): ServerReport =>
    stop(name, message, hint ?? null);

  const config = clientConfig(settings, 'counterfoil joining');
  if (!config.ok) return stopWith('tls', config.error);
  const cause = await reach(settings);
  if (cause !== null) {
    const { finding, todo } = unreachable(cause);
    return stop('name', finding, todo);
  }
  add('name', 'good', msg('team.check.name.good', { host: settings.host, port: String(settings.port) }));

  const connected = await connect(config.value);
  if (!connected.ok) {
    const why = causeOf(connected.error);
    if (tlsCodes.test(why))
      return stop('tls', msg('team.check.tls.refused', { cause: why }), msg('team.check.tls.refused.todo'));
    const { code } = connected.error;
    if (code === 'log.denied')
      return stop('account', msg('team.check.account.refused'), msg('team.check.account.refused.todo'));
    return stopWith('account', connected.error);
  }
  const connection = connected.value;
  try {
    const facts = await readFacts(connection);
    add(
      'tls',
      'good',
      facts?.ssl ? msg('team.check.tls.good', { version: facts.tls ?? 'TLS' }) : msg('team.check.tls.local'),
    );
    add('account', 'good', msg('team.check.account.good', { role: settings.role }));
    if (!facts || facts.number < minServerVersion)
      return stop(
        'version',
        msg('team.check.version.old', { version: facts?.version ?? '?' }),
        msg('team.check.version.old.todo'),
      );

    let log: Awaited<ReturnType<typeof readLog>>;
    try {
      log = await readLog(connection, settings.schema);
    } catch (thrown) {
      const { error } = toSharedLogFailure(thrown);
      add('version', 'good', msg('team.check.version.good', { version: facts.version }));
      return error.code === 'log.denied'
        ? stop('rights', msg('team.check.rights.missing'), msg('team.check.rights.missing.todo'))
        : stop(
            'rights',
            msg('team.check.rights.no-log', { schema: settings.schema }),
            msg('team.check.rights.no-log.todo'),
          );
    }
    if (!log) return stop('version', msg('error.log.other'), msg('hint.log.other'));
    if (log.oldest > schemaVersion) return stop('version', msg('error.log.older'), msg('hint.log.older'));
    add('version', 'good', msg('team.check.version.good', { version: facts.version }));
    if (!log.mayRead || !log.mayWrite)
      return stop('rights', msg('team.check.rights.missing'), msg('team.check.rights.missing.todo'));
    if (facts.recovery)
      return stop('rights', msg('team.check.rights.read-only'), msg('team.check.rights.read-only.todo'));
    add('rights', 'good', msg('team.check.rights.good'));
    const [chain] = await connection.query<{ isOwn: boolean }>(
      `SELECT role = session_user AS "isOwn" FROM ${settings.schema}.writer WHERE name = $1`,
      [writer],
    );
    if (chain?.isOwn === false)
      add('chain', 'attention', msg('team.check.chain.other'), msg('team.check.chain.other.todo'));
    else add('chain', 'good', chain ? msg('team.check.chain.good') : msg('team.check.chain.new'));

    const { offsetMs, latencyMs } = await measure(connection);
    const seconds = Math.round(offsetMs / 100) / 10;
    if (Math.abs(offsetMs) > maxOffsetMs)
      add('clock', 'attention', msg('team.check.clock.off', { seconds }), msg('team.check.clock.off.todo'));
    else add('clock', 'good', msg('team.check.clock.good'));
    const durability = await readDurability(connection);
    add('durability', durability.state, durability.finding, durability.todo);
    const connections = await readConnections(connection, settings.schema, writer);
    add('connections', connections.state, connections.finding, connections.todo);
    if (latencyMs > maxLatencyMs)
      add(
        'latency',
        'attention',
        msg('team.check.latency.found', { milliseconds: latencyMs }),
        msg('team.check.latency.slow.todo'),
      );
    else add('latency', 'good', msg('team.check.latency.found', { milliseconds: latencyMs }));
    return finish(log.id);
  } catch (thrown) {
    const { error } = toSharedLogFailure(thrown);
    const missing = joinSteps.find(name => !steps.some(step => step.name === name)) ?? 'latency';
    return stop(missing, quoted(causeOf(error) || error.code), error.hint ?? null);
  } finally {
    await connection.close();
  }
};
