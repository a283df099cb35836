import type { ClientConfig } from 'pg';
import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import type { ChainEnd, HeadFile } from '../answers.ts';
import type { SourceEvent } from '../evidence/check-foreign-event.ts';
import { logFailure } from '../log-failures.ts';
import { takeUpChain, type SharedChain } from './chains.ts';
import type { Connection } from './connection.ts';
import { movedEnds } from './moved-ends.ts';
import { connectPrepared, type Role } from './prepared-connection.ts';
import { sharedErasures, type SharedErasures } from './shared-erasures.ts';
import { toSharedLogFailure } from './shared-log-failures.ts';
import { sharedOperations, type SharedOperations } from './shared-operations.ts';
import { sharedPeople, type SharedPeople } from './shared-people.ts';
import { clientConfig, type SharedLogSettings } from './connection-settings.ts';
import { foreignReader, type ForeignReader } from './read-foreign.ts';
import { verifyChains } from './verify.ts';
import type { Installation, UnconfirmedList } from '../../../shared/team/team-standing.ts';

/** How far the clock of the server is ahead of this computer's, and how sure that is, milliseconds. */
type ClockOffset = { offsetMs: number; roundTripMs: number };

/** One measurement of the server's clock against this computer's, which `now` returns in milliseconds. */
export const measureClock = async (connection: Connection, now: () => number): Promise<ClockOffset> => {
  const sentAt = now();
  const from = performance.now();
  const [row] = await connection.query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  );
  const roundTripMs = performance.now() - from;
  // The answer is taken to be given half-way.
  return { offsetMs: (row?.now ?? sentAt) - sentAt - roundTripMs / 2, roundTripMs };
};

/** What the installations tell each other beside the evidence. Errors of each call: as `SharedLog.join`. */
type SharedInstallations = ReturnType<typeof sharedInstallations>;

type Run = <T>(work: (connection: Connection) => Promise<T>) => Promise<Result<T>>;

/** `run`: executes on a connection and turns its errors into results. */
const sharedInstallations = (run: Run) => ({
  /** Every installation that has written, by label. */
  list: (): Promise<Result<readonly Installation[]>> =>
    run(connection =>
      connection.query<Installation>('SELECT name AS writer, label, kind FROM writer ORDER BY label, id'),
    ),
  /** As `measureClock`. */
  clock: (now: () => number): Promise<Result<ClockOffset>> =>
    run(connection => measureClock(connection, now)),
  /** Consoles whose list has confirmed no erasure for longer, milliseconds. */
  unconfirmed: (longerThan: number): Promise<Result<readonly UnconfirmedList[]>> =>
    run(connection =>
      connection.query<UnconfirmedList>('SELECT writer, label, since FROM lists_1() WHERE away > $1', [
        longerThan,
      ]),
    ),
  /** The list of the installation `writer` was deleted. */
  forgetList: async (writer: string): Promise<Result<undefined>> => {
    const done = await run(connection => connection.query('SELECT list_1($1, NULL)', [writer]));
    return done.ok ? ok(undefined) : done;
  },
  /** Links of chains, hex; absent: the chain has no such event. */
  links: (of: readonly { writer: string; seq: number }[]): Promise<Result<ReadonlyMap<string, string>>> =>
    run(async connection => {
      const rows = await connection.query<{ writer: string; seq: number; hash: Buffer }>(
        `SELECT w.name AS writer, e.writer_seq AS seq, e.hash
         FROM unnest($1::text[], $2::bigint[]) AS wanted(name, seq)
         JOIN writer w ON w.name = wanted.name
         JOIN event e ON e.writer = w.id AND e.writer_seq = wanted.seq`,
        [of.map(one => one.writer), of.map(one => one.seq)],
      );
      return new Map(rows.map(({ writer, seq, hash }) => [`${writer} ${seq}`, hash.toString('hex')]));
    }),
});

/** Minimum interval between two notifications of one installation: each one wakes every console. */
const intervalMs = 25;

/**
 * Returns a function that notifies the other installations of what this one has committed: at once, and of all that follows
 * within the interval after it. In a statement alone: commits with a notification wait for each other. A notification
 * that is lost only delays their next read.
 */
const announcer = (connection: Connection, channel: string): (() => void) => {
  let timer: NodeJS.Timeout | null = null;
  let isWaiting = false;
  const send = (): void => {
    isWaiting = false;
    timer = setTimeout(() => {
      timer = null;
      if (isWaiting) send();
    }, intervalMs);
    timer.unref();
    if (connection.isOpen()) connection.query(`NOTIFY ${channel}`).catch(() => undefined);
  };
  return () => {
    isWaiting = true;
    if (timer === null) send();
  };
};

/** The payment log that several installations share, in PostgreSQL. It connects when it is used. */
export type SharedLog = {
  /** Host, database and schema, without credentials. */
  name: string;
  /**
   * Connects if necessary and takes up the chain of an installation; see chains.ts. `onLost`: called when the
   * connection is lost, until the next call. Errors: `log.unreachable`, `log.denied`, `log.other`, `log.older`.
   */
  join(writer: string, onLost: () => void): Promise<Result<SharedChain>>;
  /**
   * The events of one order that count, of all installations, by time of writing; without those that are left out of
   * lists too. Errors: as `join`.
   */
  events(profileId: string, orderNumber: string): Promise<Result<readonly Event[]>>;
  /** Events of one chain after a number, byte for byte and unchecked, at most `limit`. Errors: as `join`. */
  chainedEvents(writer: string, after: number, limit: number): Promise<Result<readonly SourceEvent[]>>;
  /** The end of every chain. Errors: as `join`. */
  chainEnds(): Promise<Result<readonly ChainEnd[]>>;
  /** Verifies every chain. `onProgress`: events done and to do. Errors: as `join`. */
  verify(
    onProgress?: (done: number, total: number) => void,
    heads?: readonly HeadFile[],
  ): Promise<Result<VerifyReport>>;
  /** Its schema version, and the lowest one that a program must know to use it. Errors: as `join`. */
  versions(): Promise<Result<{ version: number; oldest: number }>>;
  /** People, merchant profiles and rules of all installations. */
  people: SharedPeople;
  erasures: SharedErasures;
  /** Who sends what now. */
  operations: SharedOperations;
  /** What the installations tell each other beside the evidence. */
  installations: SharedInstallations;
  close(): Promise<void>;
};

/** A connection that is opened at first use and again after it was lost. */
const keep = (open: () => Promise<Result<Connection>>) => {
  let current: Connection | null = null;
  let opening: Promise<Result<Connection>> | null = null;
  return {
    get: (): Promise<Result<Connection>> => {
      if (current?.isOpen()) return Promise.resolve(ok(current));
      opening ??= open().then(opened => {
        opening = null;
        current = opened.ok ? opened.value : null;
        return opened;
      });
      return opening;
    },
    close: async (): Promise<void> => {
      await opening;
      await current?.close();
    },
  };
};

/** Errors: those of the settings; the connection is made at first use. */
export const openSharedLog = (settings: SharedLogSettings): Result<SharedLog> => {
  const checked = clientConfig(settings, 'counterfoil');
  if (!checked.ok) return checked;
  const config: ClientConfig = checked.value;
  const { schema } = settings;
  let logId = settings.logId;
  let isClosed = false;

  const open = async (role: Role): Promise<Result<Connection>> => {
    if (isClosed) return logFailure('log.unreachable', 'closed');
    const prepared = await connectPrepared(config, schema, role, logId);
    if (!prepared.ok) return prepared;
    ({ logId } = prepared.value);
    return ok(prepared.value.connection);
  };
  let onWriterLost: () => void = () => undefined;
  const writing = keep(async () => {
    const connection = await open('write');
    if (connection.ok) connection.value.onLost(() => onWriterLost());
    return connection;
  });

  /** One reader for each connection: it remembers the shapes that it has read. */
  const readers = new WeakMap<Connection, ForeignReader>();
  const run = async <T>(work: (connection: Connection) => Promise<T>): Promise<Result<T>> => {
    const connection = await writing.get();
    if (!connection.ok) return connection;
    try {
      return ok(await work(connection.value));
    } catch (thrown) {
      return toSharedLogFailure(thrown);
    }
  };
  const read = <T>(work: (reader: ForeignReader) => Promise<T>): Promise<Result<T>> =>
    run(connection => {
      const reader = readers.get(connection) ?? foreignReader(connection);
      readers.set(connection, reader);
      return work(reader);
    });

  return ok({
    name: sharedLogName(settings),
    join: async (writer, onLost) => {
      onWriterLost = onLost;
      const connection = await writing.get();
      if (!connection.ok) return connection;
      const chain = await takeUpChain(connection.value, writer);
      if (!chain.ok) {
        // The connection may be in any state: the next attempt begins with a new one.
        await connection.value.close();
        return chain;
      }
      const announce = announcer(connection.value, schema);
      return ok({
        ...chain.value,
        append: async (before, events) => {
          const stored = await chain.value.append(before, events);
          if (!stored.ok) await connection.value.close();
          else if (stored.value === 'stored') announce();
          return stored;
        },
      });
    },
    events: (profileId, orderNumber) => read(reader => reader.order(profileId, orderNumber)),
    chainedEvents: (writer, after, limit) => read(reader => reader.range(writer, after + 1, after + limit)),
    chainEnds: () =>
      run(async connection =>
        (await movedEnds(connection, null)).ends.map(({ writer, seq, hash }) => ({ writer, seq, hash })),
      ),
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
    people: sharedPeople(run),
    erasures: sharedErasures(run),
    operations: sharedOperations(run),
    installations: sharedInstallations(run),
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
      await writing.close();
    },
  });
};
