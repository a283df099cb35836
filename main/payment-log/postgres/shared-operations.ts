import { ok, type Result } from '../../../shared/errors.ts';
import type { ChainEnd } from '../answers.ts';
import type { Connection } from './connection.ts';
import { escapeText, unescapeText } from './escape-text.ts';

/** What an installation is about to send, for the others of its team. */
export type Claim = {
  /** The intent of an operation, the idempotency key of a link. */
  id: string;
  /** The gateway account, hashed. */
  account: string;
  /** No two installations send with a common subject at once. */
  subjects: readonly string[];
  person: { id: string; name: string };
  currency: string;
  /** Minor units that count for the person's day; null: not known. */
  minor: bigint | null;
  /** The open operations about which the person insists. */
  seen: readonly string[];
  /** Operations of which evidence is here. */
  known: readonly string[];
};

/** Another installation that sends, or has just sent, something with a common subject. `isFirst`: it decides first. */
export type Rival = {
  id: string;
  /** The end of its chain, as its journal had it. */
  writer: string;
  seq: number;
  hash: string;
  agent: string;
  installation: string;
  at: number;
  currency: string;
  minor: string | null;
  isFirst: boolean;
};

/** Who sends what in a team. Errors of each call: as `SharedLog.join`. */
export type SharedOperations = ReturnType<typeof sharedOperations>;

/** `run`: executes on a connection and turns its errors into results. */
export const sharedOperations = (
  run: <T>(work: (connection: Connection) => Promise<T>) => Promise<Result<T>>,
) => {
  const call = <Row>(
    sql: string,
    values: Parameters<Connection['query']>[1],
  ): Promise<Result<Row | undefined>> =>
    run(async connection => (await connection.query<Row>(sql, values))[0]);
  return {
    /** Stores a claim of the chain with this end; false if the account has too many. */
    begin: async (
      { writer, seq, hash }: ChainEnd,
      { id, account, subjects, person, currency, minor }: Claim,
    ): Promise<Result<boolean>> => {
      const begun = await call<{ begun: boolean }>(
        'SELECT operation_begin_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS begun',
        [
          writer,
          seq,
          hash,
          id,
          account,
          subjects.map(escapeText),
          escapeText(person.id),
          escapeText(person.name),
          currency,
          minor === null ? null : String(minor),
        ],
      );
      return begun.ok ? ok(begun.value?.begun === true) : begun;
    },
    /** The rival of a stored claim that decides first; null: there is none. */
    rival: async ({
      id,
      seen,
      known,
    }: Pick<Claim, 'id' | 'seen' | 'known'>): Promise<Result<Rival | null>> => {
      const found = await call<Rival>('SELECT * FROM operation_rival_1($1, $2, $3)', [id, seen, known]);
      if (!found.ok || !found.value) return found.ok ? ok(null) : found;
      return ok({ ...found.value, agent: unescapeText(found.value.agent) });
    },
    /** Minor units that a person sent at other installations since a time, milliseconds; null: not known. */
    spent: async ({
      account,
      person,
      currency,
      since,
    }: {
      account: string;
      person: string;
      currency: string;
      since: number;
    }): Promise<Result<bigint | null>> => {
      const answer = await call<{ spent: string | null }>(
        'SELECT operation_spent_1($1, $2, $3, $4) AS spent',
        [account, escapeText(person), currency, since],
      );
      if (!answer.ok) return answer;
      const { spent = null } = answer.value ?? {};
      return ok(spent === null ? null : BigInt(spent));
    },
    /** Ends a claim. Not sent, or not carried out: it counts no more. */
    end: (id: string, isSent: boolean): Promise<Result<unknown>> =>
      call('SELECT operation_end_1($1, $2)', [id, isSent]),
  };
};
