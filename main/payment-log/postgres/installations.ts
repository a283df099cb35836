import { ok, type Result } from '../../../shared/errors.ts';
import type { Installation, UnconfirmedList } from '../../../shared/team/team-standing.ts';
import type { Connection } from './connection.ts';

/** How far the clock of the server is ahead of this computer's, and how sure that is, milliseconds. */
export type ClockOffset = { offsetMs: number; roundTripMs: number };

/** What the installations tell each other beside the evidence. Errors of each call: as `SharedLog.join`. */
export type SharedInstallations = {
  /** Every installation that has written, by label. */
  list(): Promise<Result<readonly Installation[]>>;
  /** One measurement of the server's clock against this computer's, which `now` returns in milliseconds. */
  clock(now: () => number): Promise<Result<ClockOffset>>;
  /** Consoles whose list has confirmed no erasure for longer, milliseconds. */
  unconfirmed(longerThan: number): Promise<Result<readonly UnconfirmedList[]>>;
  /** The list of the installation `writer` was deleted. */
  forgetList(writer: string): Promise<Result<undefined>>;
  /** Links of chains, hex; absent: the chain has no such event. */
  links(of: readonly { writer: string; seq: number }[]): Promise<Result<ReadonlyMap<string, string>>>;
};

type Run = <T>(work: (connection: Connection) => Promise<T>) => Promise<Result<T>>;

/** `run`: executes on a connection and turns its errors into results. */
export const sharedInstallations = (run: Run): SharedInstallations => ({
  list: () =>
    run(connection =>
      connection.query<Installation>('SELECT name AS writer, label, kind FROM writer ORDER BY label, id'),
    ),
  clock: now =>
    run(async connection => {
      const sentAt = now();
      const from = performance.now();
      const [row] = await connection.query<{ now: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
      );
      const roundTripMs = performance.now() - from;
      // The answer is taken to be given half-way.
      return { offsetMs: (row?.now ?? sentAt) - sentAt - roundTripMs / 2, roundTripMs };
    }),
  unconfirmed: longerThan =>
    run(connection =>
      connection.query<UnconfirmedList>('SELECT writer, label, since FROM lists_1() WHERE away > $1', [
        longerThan,
      ]),
    ),
  forgetList: async writer => {
    const done = await run(connection => connection.query('SELECT list_1($1, NULL)', [writer]));
    return done.ok ? ok(undefined) : done;
  },
  links: of =>
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
