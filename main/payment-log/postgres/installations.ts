import { ok, type Result } from '../../../shared/errors.ts';
import type { Installation, UnconfirmedReplica } from '../../../shared/team/team-standing.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { SignedHead } from '../answers.ts';
import type { Connection } from './connection.ts';
import { escapeText, unescapeText } from './escape-text.ts';

/** How far the clock of the server is ahead of this computer's, and how sure that is, milliseconds. */
export type ClockOffset = { offsetMs: number; roundTripMs: number };

/** Who looks at a payment at another installation. */
export type Viewer = { agent: string; installation: string };

/** What the installations tell each other beside the evidence. Errors of each call: as `SharedLog.join`. */
export type SharedInstallations = {
  /** Every installation that has written, by label. */
  list(): Promise<Result<readonly Installation[]>>;
  /**
   * Marks a payment as viewed by `agent` at the installation `writer` for `milliseconds` (null: removes it); returns who
   * else does.
   */
  look(
    writer: string,
    payment: PaymentKey | null,
    agent: string,
    milliseconds: number,
  ): Promise<Result<readonly Viewer[]>>;
  /** One measurement of the server's clock against this computer's, which `now` returns in milliseconds. */
  clock(now: () => number): Promise<Result<ClockOffset>>;
  /** Stores today's signed head of the installation `writer`, once; false if enough others have stored theirs. */
  storeHead(writer: string, head: SignedHead): Promise<Result<boolean>>;
  /** Consoles whose replica has confirmed no erasure for longer, milliseconds; none before schema version 8. */
  unconfirmed(longerThan: number): Promise<Result<readonly UnconfirmedReplica[]>>;
  /** The replica of the installation `writer` was deleted. */
  forgetReplica(writer: string): Promise<Result<undefined>>;
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
  look: (writer, payment, agent, milliseconds) =>
    run(async connection =>
      (
        await connection.query<{ label: string; agent: string }>(
          'SELECT label, agent FROM presence_1($1, $2, $3, $4, $5)',
          [
            writer,
            payment && escapeText(payment.profileId),
            payment && escapeText(payment.orderNumber),
            escapeText(agent),
            milliseconds,
          ],
          { name: 'look' },
        )
      ).map(row => ({ installation: row.label, agent: unescapeText(row.agent) })),
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
  storeHead: (writer, head) =>
    run(async connection => {
      const [row] = await connection.query<{ stored: boolean }>('SELECT witness_1($1, $2) AS stored', [
        writer,
        JSON.stringify(head),
      ]);
      return row?.stored === true;
    }),
  unconfirmed: longerThan =>
    run(connection =>
      connection.query<UnconfirmedReplica>('SELECT writer, label, since FROM replicas_1() WHERE away > $1', [
        longerThan,
      ]),
    ),
  forgetReplica: async writer => {
    const done = await run(connection => connection.query('SELECT replica_1($1, NULL)', [writer]));
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
