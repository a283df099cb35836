import { ok, type Result } from '../../../shared/errors.ts';
import type { Connection } from './connection.ts';

/** A merchant profile as the shared log stores it: `body` is JSON without a password. */
export type StoredProfile = { id: string; body: string; callbackPath: string; version: number };

/** A person who can sign in at every installation. `pinVersion` counts changes of the PIN. */
export type StoredPerson = { id: string; name: string; role: string; hasPin: boolean; pinVersion: number };

/** The saved views of everyone as the shared log stores them: `body` is JSON. */
export type StoredViews = { body: string; version: number };

/** What a team shares beside its evidence. */
export type PeopleFacts = {
  /** Changes with every change of the rest. */
  revision: string;
  profiles: readonly StoredProfile[];
  agents: readonly StoredPerson[];
  /** Days after which personal data is erased; null: never. */
  retentionDays: number | null;
  /** Null: an installation that may not read them. */
  views: StoredViews | null;
};

/**
 * `wait`: too many wrong PINs, `seconds` are left. `denied`: the confirming person is no administrator. `taken`: the
 * name is in use. `last`: there is no other administrator.
 */
export type PersonOutcome = {
  outcome: 'admitted' | 'done' | 'wrong' | 'wait' | 'missing' | 'denied' | 'taken' | 'full' | 'last';
  seconds: number;
};

/** A PIN in transit: the salt, and scrypt of PIN and salt. */
export type PinProof = { salt: Buffer; proof: Buffer };

/** Confirms a change: an administrator, and the proof of that person's PIN, null without one. */
export type Confirmation = { person: string; proof: Buffer | null };

/**
 * People, profiles and rules in the shared log. Errors: as every read of the shared log; `log.denied` without the right
 * `admin`.
 */
export type SharedPeople = ReturnType<typeof sharedPeople>;

type Run = <T>(work: (connection: Connection) => Promise<T>) => Promise<Result<T>>;

const readProfiles = (connection: Connection): Promise<StoredProfile[]> =>
  connection.query<StoredProfile>(
    'SELECT id, body, callback_path AS "callbackPath", version FROM profile ORDER BY id',
  );

const readRetention = async (connection: Connection): Promise<number | null> => {
  const [rule] = await connection.query<{ value: string }>(
    "SELECT value FROM rule WHERE name = 'retentionDays'",
  );
  const days: unknown = rule === undefined ? null : JSON.parse(rule.value);
  return typeof days === 'number' && Number.isInteger(days) && days > 0 ? days : null;
};

const readFacts = async (connection: Connection, revision: string): Promise<PeopleFacts> => {
  const profiles = await readProfiles(connection);
  const agents = await connection.query<StoredPerson>(
    'SELECT id, name, role, has_pin AS "hasPin", pin_version AS "pinVersion" FROM agents_1()',
  );
  const retentionDays = await readRetention(connection);
  const [views] = await connection.query<StoredViews>('SELECT body, version FROM shared_views');
  return { revision, profiles, agents, retentionDays, views: views ?? null };
};

/** `run`: executes on a connection and turns its errors into results. */
export const sharedPeople = (run: Run) => {
  const call = <T>(
    sql: string,
    values: Parameters<Connection['query']>[1] = [],
  ): Promise<Result<T | undefined>> => run(async connection => (await connection.query<T>(sql, values))[0]);
  const outcome = async (
    sql: string,
    values: Parameters<Connection['query']>[1],
  ): Promise<Result<PersonOutcome>> => {
    const answer = await call<PersonOutcome>(`SELECT outcome, seconds FROM ${sql}`, values);
    return answer.ok ? ok(answer.value ?? { outcome: 'missing', seconds: 0 }) : answer;
  };

  return {
    /** Null if nothing changed since `revision`. Not for intakes, which may not read people. */
    read: (revision: string | null): Promise<Result<PeopleFacts | null>> =>
      run(async connection => {
        const [now] = await connection.query<{ revision: string }>(
          "SELECT string_agg(number::text, '.' ORDER BY kind) AS revision FROM revision",
          [],
          { name: 'revision' },
        );
        return now === undefined || now.revision === revision ? null : readFacts(connection, now.revision);
      }),
    profiles: (): Promise<Result<readonly StoredProfile[]>> => run(readProfiles),
    /** Days after which personal data is erased; null: never. */
    retentionDays: (): Promise<Result<number | null>> => run(readRetention),
    /** `was`: the version that was changed, null for a new profile. Null: another installation was first. */
    putProfile: async (
      { id, body, callbackPath }: Omit<StoredProfile, 'version'>,
      was: number | null,
      person: string,
    ): Promise<Result<number | null>> => {
      const made = await call<{ version: number }>('SELECT profile_put_1($1, $2, $3, $4, $5) AS version', [
        id,
        was,
        body,
        callbackPath,
        person,
      ]);
      return made.ok ? ok(made.value?.version || null) : made;
    },
    removeProfile: async (id: string): Promise<Result<boolean>> => {
      const removed = await call<{ done: boolean }>('SELECT profile_remove_1($1) AS done', [id]);
      return removed.ok ? ok(removed.value?.done ?? false) : removed;
    },
    /** `views.version`: the one that was changed. Null: another installation was first. */
    putViews: async ({ body, version }: StoredViews, person: string): Promise<Result<number | null>> => {
      const made = await call<{ version: number }>('SELECT shared_views_put_1($1, $2, $3) AS version', [
        version,
        body,
        person,
      ]);
      return made.ok ? ok(made.value?.version || null) : made;
    },
    /** The salt of a person's PIN; null without one. */
    salt: async (id: string): Promise<Result<Buffer | null>> => {
      const found = await call<{ salt: Buffer | null }>('SELECT agent_salt_1($1) AS salt', [id]);
      return found.ok ? ok(found.value?.salt ?? null) : found;
    },
    /** Whether the proof is that of the person's PIN; wrong ones are counted. */
    tryPin: (id: string, proof: Buffer | null): Promise<Result<PersonOutcome>> =>
      outcome('agent_try_1($1, $2)', [id, proof]),
    /** `pin`: a new one, null to remove it, undefined to leave it. */
    putPerson: (
      { person, proof }: Confirmation,
      { id, name, role }: { id: string; name: string; role: string },
      pin: PinProof | null | undefined,
    ): Promise<Result<PersonOutcome>> =>
      outcome('agent_put_1($1, $2, $3, $4, $5, $6, $7, $8)', [
        person,
        proof,
        id,
        name,
        role,
        pin === undefined ? 'keep' : pin === null ? 'clear' : 'set',
        pin?.salt ?? null,
        pin?.proof ?? null,
      ]),
    removePerson: ({ person, proof }: Confirmation, id: string): Promise<Result<PersonOutcome>> =>
      outcome('agent_remove_1($1, $2, $3)', [person, proof, id]),
    /** A person changes the own PIN; null removes it. The first one needs the right `admin`: `denied`. */
    changePin: (id: string, proof: Buffer | null, pin: PinProof | null): Promise<Result<PersonOutcome>> =>
      outcome('agent_pin_1($1, $2, $3, $4)', [id, proof, pin?.salt ?? null, pin?.proof ?? null]),
    /** The people of the first installation. False: there are some already, or none of these is an administrator. */
    importPeople: async (
      people: readonly { id: string; name: string; role: string; pin: PinProof | null }[],
    ): Promise<Result<boolean>> => {
      const done = await call<{ done: boolean }>(
        'SELECT agents_import_1($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::bytea[]) AS done',
        [
          people.map(({ id }) => id),
          people.map(({ name }) => name),
          people.map(({ role }) => role),
          people.map(({ pin }) => pin?.salt ?? null),
          people.map(({ pin }) => pin?.proof ?? null),
        ],
      );
      return done.ok ? ok(done.value?.done ?? false) : done;
    },
    setRetention: async (days: number | null): Promise<Result<undefined>> => {
      const done = await call("SELECT rule_1('retentionDays', $1)", [JSON.stringify(days)]);
      return done.ok ? ok(undefined) : done;
    },
    /** Whether this account may do it. */
    hasRight: async (right: 'admin' | 'eraser' | 'keeper'): Promise<Result<boolean>> => {
      const found = await call<{ may: boolean }>(
        "SELECT pg_has_role(session_user, current_schema() || '_' || $1::text, 'MEMBER') AS may",
        [right],
      );
      return found.ok ? ok(found.value?.may ?? false) : found;
    },
    /** Whether `holder` is the installation that does a task for all, from now until `milliseconds` later. */
    claim: async (task: string, holder: string, milliseconds: number): Promise<Result<boolean>> => {
      const claimed = await call<{ mine: boolean }>('SELECT claim_1($1, $2, $3) AS mine', [
        task,
        holder,
        milliseconds,
      ]);
      return claimed.ok ? ok(claimed.value?.mine ?? false) : claimed;
    },
  };
};
