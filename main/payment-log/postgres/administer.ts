import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { logFailure } from '../log-failures.ts';
import { connect, type Connection } from './connection.ts';
import { toSharedLogFailure } from './shared-log-failures.ts';
import { createRoles, restoreRights } from './restore-rights.ts';
import { schemaVersions } from './schema/versions.ts';
import { clientConfig, type SharedLogSettings } from './connection-settings.ts';

/** Deadline of a change to the schema: it waits for requests in flight. */
const deadlineMs = 60_000;

/** Connections that one account may have: a console uses two, a verification one, and lost ones last for a while. */
const accountConnections = 8;

export type InstallationKind = 'console' | 'intake' | 'keeper';
/** The names of the kinds in the schema, whose released versions never change. */
const storedKinds = { console: 'desk', intake: 'intake', keeper: 'keeper' } as const;
/** The kind of the installation `i`, in SQL. */
const selectedKind = `CASE i.kind WHEN '${storedKinds.console}' THEN 'console' ELSE i.kind END AS kind`;
/** `admin`: people, profiles and rules; `eraser`: erasing what others wrote; `keeper`: erasing by age as well. */
export const installationRights = ['admin', 'eraser', 'keeper'] as const;
export type InstallationRight = (typeof installationRights)[number];

export type InstallationFacts = {
  role: string;
  kind: InstallationKind;
  label: string;
  revoked: boolean;
  /** ISO 8601; null if it never wrote. */
  seen: string | null;
  events: number;
  /** Values that were erased in the shared log, and that its journal may still contain. */
  toErase: number;
  /** Wrong PINs that it sent, of people who have not signed in there since. */
  wrongPins: number;
};

/** What an administrator does to a shared log, with an account that may create roles and schemas. */
export type Administration = {
  /**
   * Creates the schema, its roles and the first partitions; returns how many connections the server permits. Errors:
   * `input.invalid` for a database without UTF-8.
   */
  create(): Promise<Result<{ maxConnections: number }>>;
  /**
   * Brings the tables to the version that this program knows, and restores missing roles, owners and rights, as after a
   * dump was restored on another server. `missing`: the accounts that do not exist there, which `renew` creates again.
   * Errors: `log.other` if there are no tables.
   */
  upgrade(): Promise<Result<{ from: number; to: number; missing: readonly string[] }>>;
  /**
   * Creates the account of one installation with further rights. The password is returned once and stored nowhere.
   */
  add(
    kind: InstallationKind,
    label: string,
    rights?: readonly InstallationRight[],
  ): Promise<Result<{ role: string; password: string }>>;
  /**
   * Gives an account a new password, also one that was closed or that is missing on this server. Its chain continues.
   * The password is returned once and stored nowhere.
   */
  renew(role: string): Promise<Result<{ kind: InstallationKind; label: string; password: string }>>;
  /** Gives an account further rights. */
  grant(role: string, rights: readonly InstallationRight[]): Promise<Result<undefined>>;
  /** Days after which personal data of all installations is erased; null: never. */
  setRetention(days: number | null): Promise<Result<undefined>>;
  /** Every installation, and what its journal still has to erase. */
  installations(): Promise<Result<readonly InstallationFacts[]>>;
  /** Closes an account and its connections. What it has written stays. */
  revoke(role: string): Promise<Result<undefined>>;
  close(): Promise<void>;
};

/** A password as PostgreSQL stores it, so that the password itself is in no statement and no server log. */
export const scramVerifier = (password: string): string => {
  const salt = randomBytes(16);
  const iterations = 4_096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
};

/** `Till 3` of the schema `counterfoil` → `counterfoil_for_till_3`. */
const roleName = (schema: string, label: string): string =>
  `${schema}_for_${label
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')}`.slice(0, 60);

const inTransaction = async (connection: Connection, statements: readonly string[]): Promise<void> => {
  await connection.query('BEGIN');
  try {
    for (const statement of statements) await connection.query(statement, [], { deadlineMs });
    await connection.query('COMMIT');
  } catch (thrown) {
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
};

/** What is wrong with the database itself, by SQLSTATE, in words for its administrator. */
const administratorErrors: Readonly<Record<string, Message>> = {
  // Duplicate schema, undefined object (a role), undefined schema or table.
  '42P06': msg('intake.init.exists'),
  '42704': msg('intake.roles.missing'),
  '3F000': msg('intake.schema.missing'),
  '42P01': msg('intake.schema.missing'),
};

/** Runs `work` and turns the client's errors into results. */
const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (thrown) {
    const cause = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const message = administratorErrors[cause];
    return message ? fail('input.invalid', message) : toSharedLogFailure(thrown);
  }
};

/** Connects as an administrator. Errors: those of the settings, `log.unreachable`, `log.denied`. */
export const openAdministration = async (settings: SharedLogSettings): Promise<Result<Administration>> => {
  const config = clientConfig(settings, 'counterfoil administration');
  if (!config.ok) return config;
  const connected = await connect(config.value);
  if (!connected.ok) {
    const { code, details } = connected.error;
    return code === 'log.denied'
      ? fail(code, msg('intake.administrator.refused', { role: settings.role }), {
          hint: settings.host.startsWith('/')
            ? msg('intake.administrator.refused.hint')
            : msg('intake.administrator.refused.network.hint'),
          ...(details ? { details } : {}),
        })
      : connected;
  }
  const connection = connected.value;
  const { schema } = settings;
  /** The role if it is an account of an installation; `log.denied` otherwise. */
  const knownRole = async (role: string): Promise<Result<string>> => {
    const [known] = await connection.query<{ role: string }>(
      `SELECT role FROM ${schema}.installation WHERE role = $1`,
      [role],
    );
    return known ? ok(known.role) : logFailure('log.denied', 'role');
  };

  return ok({
    create: () =>
      attempt(async () => {
        const [database] = await connection.query<{
          encoding: string;
          ctype: string;
          maxConnections: number;
        }>(
          `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype,
             current_setting('max_connections')::int AS "maxConnections"
           FROM pg_database WHERE datname = current_database()`,
        );
        // Without a UTF-8 character type, searches for names in other scripts find nothing.
        if (database?.encoding !== 'UTF8' || ['C', 'POSIX'].includes(database.ctype))
          return fail('input.invalid', msg('team.database.encoding'));
        await inTransaction(connection, [
          ...createRoles(schema),
          ...schemaVersions.map(({ sql }) => sql.replaceAll(':schema', schema)),
          `SELECT months_1(extract(epoch FROM now())::bigint * 1000, extract(epoch FROM now() + interval '3 months')::bigint * 1000)`,
        ]);
        return ok({ maxConnections: database.maxConnections });
      }),
    upgrade: () =>
      attempt(async () => {
        const [log] = await connection.query<{ version: number }>(
          `SELECT schema_version AS version FROM ${schema}.log`,
        );
        const from = log?.version ?? 0;
        const known = schemaVersions.filter(({ version }) => version <= from);
        const later = schemaVersions.filter(({ version }) => version > from);
        await inTransaction(connection, [
          ...createRoles(schema),
          ...restoreRights(
            schema,
            known.map(({ sql }) => sql),
          ),
          ...later.map(({ sql }) => sql.replaceAll(':schema', schema)),
        ]);
        const accounts = await connection.query<{ role: string; kind: string; isThere: boolean }>(
          `SELECT i.role, i.kind, r.rolname IS NOT NULL AS "isThere" FROM ${schema}.installation i
             LEFT JOIN pg_roles r ON r.rolname = i.role WHERE i.revoked_at IS NULL ORDER BY i.role`,
        );
        await inTransaction(
          connection,
          accounts.flatMap(({ role, kind, isThere }) =>
            isThere
              ? [
                  `GRANT ${schema}_${kind} TO ${role}`,
                  `ALTER ROLE ${role} CONNECTION LIMIT ${accountConnections}`,
                ]
              : [],
          ),
        );
        return ok({
          from,
          to: later.at(-1)?.version ?? from,
          missing: accounts.flatMap(({ role, isThere }) => (isThere ? [] : [role])),
        });
      }),
    add: (kind, label, rights = []) =>
      attempt(async () => {
        const password = randomBytes(24).toString('base64url');
        const taken = await connection.query<{ rolname: string }>('SELECT rolname FROM pg_roles');
        const base = roleName(schema, label);
        let role = base;
        for (let number = 2; taken.some(({ rolname }) => rolname === role); number += 1)
          role = `${base}_${number}`;
        await inTransaction(connection, [
          `CREATE ROLE ${role} LOGIN PASSWORD '${scramVerifier(password)}' CONNECTION LIMIT ${accountConnections}`,
          ...[storedKinds[kind], ...rights].map(one => `GRANT ${schema}_${one} TO ${role}`),
          `INSERT INTO ${schema}.installation (role, kind, label)
           VALUES ('${role}', '${storedKinds[kind]}', '${label.replaceAll("'", "''")}')`,
        ]);
        return ok({ role, password });
      }),
    revoke: role =>
      attempt(async () => {
        const known = await knownRole(role);
        if (!known.ok) return known;
        await inTransaction(connection, [
          `ALTER ROLE ${known.value} NOLOGIN`,
          `UPDATE ${schema}.installation SET revoked_at = now() WHERE role = '${known.value}'`,
        ]);
        await connection.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
          known.value,
        ]);
        return ok(undefined);
      }),
    renew: role =>
      attempt(async () => {
        const [known] = await connection.query<{
          role: string;
          kind: InstallationKind;
          label: string;
          isThere: boolean;
        }>(
          `SELECT i.role, ${selectedKind}, i.label, r.rolname IS NOT NULL AS "isThere" FROM ${schema}.installation i
             LEFT JOIN pg_roles r ON r.rolname = i.role WHERE i.role = $1`,
          [role],
        );
        if (!known) return logFailure('log.denied', 'role');
        const password = randomBytes(24).toString('base64url');
        await inTransaction(connection, [
          `${known.isThere ? 'ALTER' : 'CREATE'} ROLE ${known.role} LOGIN PASSWORD '${scramVerifier(password)}' CONNECTION LIMIT ${accountConnections}`,
          `GRANT ${schema}_${storedKinds[known.kind]} TO ${known.role}`,
          `UPDATE ${schema}.installation SET revoked_at = NULL WHERE role = '${known.role}'`,
        ]);
        // Who had the former password is signed out.
        await connection.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
          known.role,
        ]);
        return ok({ kind: known.kind, label: known.label, password });
      }),
    grant: (role, rights) =>
      attempt(async () => {
        const known = await knownRole(role);
        if (!known.ok) return known;
        await inTransaction(
          connection,
          rights.map(right => `GRANT ${schema}_${right} TO ${known.value}`),
        );
        return ok(undefined);
      }),
    setRetention: days =>
      attempt(async () => {
        await connection.query(`SELECT ${schema}.rule_1('retentionDays', $1)`, [JSON.stringify(days)]);
        return ok(undefined);
      }),
    installations: () =>
      attempt(async () => {
        const [log] = await connection.query<{ hasAttempts: boolean }>(
          `SELECT to_regclass('${schema}.agent_attempt') IS NOT NULL AS "hasAttempts"`,
        );
        const wrongPins = log?.hasAttempts
          ? `(SELECT coalesce(sum(t.wrong), 0)::int FROM ${schema}.agent_attempt t WHERE t.role = i.role)`
          : '0';
        return ok(
          await connection.query<InstallationFacts>(
            `SELECT i.role, ${selectedKind}, i.label, i.revoked_at IS NOT NULL AS revoked,
               to_char(max(w.seen_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS seen,
               coalesce(sum(w.last_seq), 0)::bigint AS events,
               (SELECT count(*) FROM ${schema}.erased e JOIN ${schema}.writer o ON o.id = e.writer
                 WHERE o.role = i.role) AS "toErase",
               ${wrongPins} AS "wrongPins"
             FROM ${schema}.installation i LEFT JOIN ${schema}.writer w ON w.role = i.role
             GROUP BY i.role ORDER BY i.added_at`,
          ),
        );
      }),
    close: () => connection.close(),
  });
};
