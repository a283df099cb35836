import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { VerifyReport } from '../../../shared/contract/index.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import type { ChainEnd, ChainedEvent, HeadFile } from '../answers.ts';
import { createDeliveryCounter } from '../evidence/event-content.ts';
import { logFailure } from '../failures.ts';
import type { PaymentLogReader } from '../payment-log.ts';
import { takeUpChain, type SharedChain } from './chains.ts';
import { connect, type Connection } from './connection.ts';
import { sharedErasures, type SharedErasures } from './erasures.ts';
import { toSharedLogFailure } from './failures.ts';
import { sharedDesks, type SharedDesks } from './desks.ts';
import { followChains, type Feed } from './feed.ts';
import { createSharedReader } from './list/list-reader.ts';
import { rebuildList, startProjector, type Projector, type ProjectorOptions } from './list/projector.ts';
import { createMonths } from './months.ts';
import { sharedPeople, type SharedPeople } from './people.ts';
import { knownVersion } from './schema/versions.ts';
import { clientConfig, type SharedLogSettings } from './settings.ts';
import { eventReader, type EventReader } from './stored-events.ts';
import { escapeText } from './text.ts';
import { verifyChains } from './verify.ts';

/** Delays between attempts of the feed to connect, milliseconds. */
const feedDelaysMs = [100, 500, 2_000, 5_000];
/**
 * Limits on the server. A firewall or VPN may forget a connection without closing it: the server would keep its
 * locks for two hours, its own default. Seconds for probes, milliseconds otherwise. A statement and its wait for a lock
 * end before the client stops waiting for the answer (10 s).
 */
const probes =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 15000';
const writeLimits =
  'SET statement_timeout = 9000; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 10000';
/** Limit of a read on the server, milliseconds. */
const readTimeoutMs = 10_000;

/**
 * Ends this account's writing connections of which the line forgot the client: no transaction takes this long, and one
 * that waits for the rest of its statement has no limit on the server.
 */
const endForgotten = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = session_user AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '10 seconds'`;

/** The payment log that several installations share, in PostgreSQL. It connects when it is used. */
export type SharedLog = {
  /** Host, database and schema, without credentials. */
  name: string;
  /**
   * Connects if necessary and takes up the chain of an installation; see chains.ts. `onLost`: called when the
   * connection is lost, until the next call. Errors: `log.unreachable`, `log.denied`, `log.other`, `log.older`.
   */
  join(writer: string, onLost: () => void): Promise<Result<SharedChain>>;
  /** The events of one order that count, of all installations, by time of writing. Errors: as `join`. */
  events(profileId: string, orderNumber: string): Promise<Result<readonly Event[]>>;
  /** Events of one chain after a number, byte for byte, at most `limit`. Errors: as `join`. */
  chainedEvents(writer: string, after: number, limit: number): Promise<Result<readonly ChainedEvent[]>>;
  /** The end of every chain. Errors: as `join`. */
  chainEnds(): Promise<Result<readonly ChainEnd[]>>;
  /** Emits what other installations than `own` append from now on; reconnects until it is closed. */
  follow(own: string | null, onEvents: (events: readonly Event[]) => void): Feed;
  /** Verifies every chain. `onProgress`: events done and to do. Errors: as `join`. */
  verify(
    onProgress?: (done: number, total: number) => void,
    heads?: readonly HeadFile[],
  ): Promise<Result<VerifyReport>>;
  /** Every question about the evidence and the payments of all installations. */
  reader: PaymentLogReader;
  /** Whether the list of payments shows a joined chain up to this number; waits for it so long at most. */
  listed(writer: string, number: number, milliseconds: number): Promise<boolean>;
  /** Begins to build the list of payments again from the evidence. Errors: as `join`. */
  rebuildList(): Promise<Result<undefined>>;
  /** Its schema version, and the lowest one that a program must know to use it. Errors: as `join`. */
  versions(): Promise<Result<{ version: number; oldest: number }>>;
  /** People, merchant profiles and rules of all installations. */
  people: SharedPeople;
  erasures: SharedErasures;
  /** What the installations tell each other beside the evidence. */
  desks: SharedDesks;
  close(): Promise<void>;
};

type Role = 'write' | 'read' | 'follow' | 'verify' | 'project';

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
  if (log.oldest > knownVersion) return logFailure('log.older', `version ${log.oldest}`);
  if (role === 'write' && log.recovery) return logFailure('log.unreachable', 'read-only');
  await connection.query(`SET search_path = ${schema}, pg_temp; ${probes}`);
  // Evidence is always flushed; a stronger default of the server stays.
  if (role === 'write' && log.commit !== 'remote_apply')
    await connection.query('SET synchronous_commit = on');
  // The list is a cache: what is lost is projected again.
  if (role === 'project') await connection.query('SET synchronous_commit = off');
  if (role === 'write' || role === 'project') await connection.query(`${writeLimits}; ${endForgotten}`);
  // Compiling a plan takes longer than these reads.
  if (role !== 'write') await connection.query('SET jit = off');
  if (role === 'read') await connection.query(`SET statement_timeout = ${readTimeoutMs}`);
  return ok(log.id);
};

/** A connection that is opened at first use and again after it was lost. */
type Kept = { get(): Promise<Result<Connection>>; close(): Promise<void> };

const keep = (open: () => Promise<Result<Connection>>): Kept => {
  let current: Connection | null = null;
  let opening: Promise<Result<Connection>> | null = null;
  return {
    get: () => {
      if (current?.isOpen()) return Promise.resolve(ok(current));
      opening ??= open().then(opened => {
        opening = null;
        current = opened.ok ? opened.value : null;
        return opened;
      });
      return opening;
    },
    close: async () => {
      await opening;
      await current?.close();
    },
  };
};

/** Errors: those of the settings; the connection is made at first use. */
export const openSharedLog = (
  settings: SharedLogSettings,
  options: ProjectorOptions = {},
): Result<SharedLog> => {
  const checked = clientConfig(settings, 'counterfoil');
  if (!checked.ok) return checked;
  const config: ClientConfig = checked.value;
  const { schema } = settings;
  let logId = settings.logId;
  let isClosed = false;
  const feeds = new Set<Feed>();
  const months = createMonths();

  const open = async (role: Role): Promise<Result<Connection>> => {
    if (isClosed) return logFailure('log.unreachable', 'closed');
    const connection = await connect({ ...config, application_name: `counterfoil ${role}` });
    if (!connection.ok) return connection;
    try {
      const prepared = await prepare(connection.value, schema, role, logId);
      if (prepared.ok) {
        logId = prepared.value;
        return connection;
      }
      await connection.value.close();
      return prepared;
    } catch (thrown) {
      await connection.value.close();
      return toSharedLogFailure(thrown);
    }
  };
  let onWriterLost: () => void = () => undefined;
  const writing = keep(async () => {
    const connection = await open('write');
    if (connection.ok) connection.value.onLost(() => onWriterLost());
    return connection;
  });
  const reading = keep(() => open('read'));

  /** One reader for each connection: it remembers the shapes that it has read. */
  const readers = new WeakMap<Connection, EventReader>();
  const read = async <T>(
    work: (reader: EventReader, connection: Connection) => Promise<T>,
  ): Promise<Result<T>> => {
    const connection = await reading.get();
    if (!connection.ok) return connection;
    try {
      const reader = readers.get(connection.value) ?? (await eventReader(connection.value));
      readers.set(connection.value, reader);
      return ok(await work(reader, connection.value));
    } catch (thrown) {
      return toSharedLogFailure(thrown);
    }
  };

  const run = <T>(work: (connection: Connection) => Promise<T>): Promise<Result<T>> =>
    read((_, connection) => work(connection));

  /** Projects while this installation writes: the list follows what it appends, and what others left behind. */
  let projector: Projector | null = null;
  const projecting = (): Projector => (projector ??= startProjector(() => open('project'), schema, options));

  const follow: SharedLog['follow'] = (own, onEvents) => {
    const from = new Map<string, number>();
    let stopped = false;
    const isStopped = (): boolean => stopped;
    let feed: Feed | null = null;
    let connection: Connection | null = null;
    const run = async (): Promise<void> => {
      for (let failures = 0; !isStopped(); failures += 1) {
        const opened = await open('follow');
        if (opened.ok) {
          connection = opened.value;
          if (stopped) break;
          failures = 0;
          const { value } = opened;
          await new Promise<void>(resolve => {
            value.onLost(resolve);
            feed = followChains(value, { from, own, channel: schema, onEvents, onFailure: () => resolve() });
          });
          feed?.close();
          await connection.close();
        }
        if (!stopped) await delay(feedDelaysMs[failures] ?? feedDelaysMs.at(-1), undefined, { ref: false });
      }
    };
    void run();
    const handle: Feed = {
      close: () => {
        stopped = true;
        feed?.close();
        void connection?.close();
        feeds.delete(handle);
      },
    };
    feeds.add(handle);
    return handle;
  };

  return ok({
    name: sharedLogName(settings),
    join: async (writer, onLost) => {
      onWriterLost = onLost;
      const connection = await writing.get();
      if (!connection.ok) return connection;
      const chain = await takeUpChain(connection.value, writer, months);
      if (!chain.ok) {
        // The connection may be in any state: the next attempt begins with a new one.
        await connection.value.close();
        return chain;
      }
      projecting().addOwn(writer);
      return ok({
        ...chain.value,
        append: async (before, events) => {
          const stored = await chain.value.append(before, events);
          if (!stored.ok) await connection.value.close();
          else if (stored.value === 'stored') projecting().wake(writer, events.at(-1)?.writerSeq);
          return stored;
        },
      });
    },
    events: (profileId, orderNumber) =>
      read(async reader => {
        const stored = await reader.read(
          'WHERE e.order_number = $1 AND e.profile_id = $2 ORDER BY e.recorded_at, e.writer, e.writer_seq',
          [escapeText(orderNumber), escapeText(profileId)],
        );
        const counts = createDeliveryCounter();
        return stored.map(one => reader.event(one)).filter(({ dedupeKey }) => counts(dedupeKey));
      }),
    chainedEvents: (writer, after, limit) =>
      read(async reader => {
        const stored = await reader.read(
          `WHERE e.writer = (SELECT id FROM writer WHERE name = $1) AND e.writer_seq > $2
           ORDER BY e.writer_seq LIMIT $3`,
          [writer, after, limit],
        );
        return stored.map(one => reader.chained(one));
      }),
    chainEnds: () =>
      read(async (_, connection) =>
        (
          await connection.query<{ writer: string; seq: number; hash: Buffer }>(
            'SELECT name AS writer, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
          )
        ).map(({ writer, seq, hash }) => ({ writer, seq, hash: hash.toString('hex') })),
      ),
    follow,
    reader: createSharedReader(read),
    versions: async () => {
      const read = await run(async connection =>
        connection.query<{ version: number; oldest: number }>(
          'SELECT schema_version AS version, oldest_program AS oldest FROM log',
        ),
      );
      if (!read.ok) return read;
      const [log] = read.value;
      return log ? ok(log) : logFailure('log.other');
    },
    listed: (writer, number, milliseconds) =>
      // Also before the chain is joined: the list shows its events soon after.
      number === 0 ? Promise.resolve(true) : projecting().listed(writer, number, milliseconds),
    rebuildList: async () => {
      const begun = await read((_, connection) => rebuildList(connection));
      projector?.wake();
      return begun.ok ? begun.value : begun;
    },
    people: sharedPeople(run),
    erasures: sharedErasures(run),
    desks: sharedDesks(run),
    verify: async (onProgress, heads) => {
      const connection = await open('verify');
      if (!connection.ok) return connection;
      try {
        return ok(await verifyChains(connection.value, onProgress, heads));
      } catch (thrown) {
        return toSharedLogFailure(thrown);
      } finally {
        await connection.value.close();
      }
    },
    close: async () => {
      isClosed = true;
      for (const feed of feeds) feed.close();
      await Promise.all([projector?.close(), writing.close(), reading.close()]);
    },
  });
};
