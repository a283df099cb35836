import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { logFailure } from '../log-failures.ts';
import { connect, type Connection } from './connection.ts';
import { toSharedLogFailure } from './shared-log-failures.ts';
import { closeDatabase, createSchema, restoreRights } from './schema/schema.ts';
import { clientConfig, type SharedLogSettings } from './connection-settings.ts';

/** How long a change to the schema waits for requests in flight; what it does then takes as long as it takes. */
const lockTimeout = "SET LOCAL lock_timeout = '60s'";
const deadlineMs = 86_400_000;

/** Connections that one account may have: a console uses two, a verification one, and lost ones last for a while. */
const accountConnections = 8;
/** Attempts to close an account that connects again at once, and the pause between them, milliseconds. */
const revokeAttempts = 20;
const revokePauseMs = 100;

export type InstallationKind = 'console' | 'intake';
/** `admin`: people, profiles and rules; `eraser`: erasing what others wrote; `keeper`: erasing by age as well. */
export const installationRights = ['admin', 'eraser', 'keeper'] as const;
export type InstallationRight = (typeof installationRights)[number];

export type InstallationFacts = {
  role: string;
  kind: InstallationKind;
  label: string;
  rights: readonly InstallationRight[];
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
   * Creates the schema, its roles and the first partitions; in a database that has them, as after a dump was restored on
   * another server, it restores missing roles, owners and rights. `missing`: accounts that do not exist there, which
   * `renew` creates again. `isClosed`: accounts have lost what PostgreSQL lets everyone do in a database. Errors:
   * `input.invalid` for a database without UTF-8.
   */
  create(): Promise<
    Result<{ isNew: boolean; missing: readonly string[]; isClosed: boolean; maxConnections: number }>
  >;
  /**
   * Creates the account of one installation with further rights. The password is returned once and stored nowhere.
   */
  add(
    kind: InstallationKind,
    label: string,
    rights?: readonly InstallationRight[],
  ): Promise<Result<{ role: string; password: string }>>;
  /**
   * Gives an account a new password, also one that was closed or that is missing on this server. Its chain continues, and
   * its rights stay.
   * The password is returned once and stored nowhere.
   */
  renew(role: string): Promise<Result<{ kind: InstallationKind; label: string; password: string }>>;
  /** Gives an account further rights. */
  grant(role: string, rights: readonly InstallationRight[]): Promise<Result<undefined>>;
  /** Days after which personal data of all installations is erased; null: never. */
  setRetention(days: number | null): Promise<Result<undefined>>;
  /** Every installation, and what its journal still has to erase. */
  installations(): Promise<Result<readonly InstallationFacts[]>>;
  /** Closes an account and its connections, also while it holds all locks of the server. What it has written stays. */
  revoke(role: string): Promise<Result<undefined>>;
  close(): Promise<void>;
};

/** An account, and whether its role exists on this server. */
type Account = Pick<InstallationFacts, 'role' | 'kind' | 'label' | 'rights' | 'revoked'> & {
  isThere: boolean;
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

const accountPrefix = (schema: string): string => `${schema}_for_`;
/** `Till 3` of the schema `counterfoil` → `counterfoil_for_till_3`. */
const roleName = (schema: string, label: string): string =>
  `${accountPrefix(schema)}${label
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')}`.slice(0, 60);

/** SQLSTATE: the server has no room for another lock. */
const outOfLocks = '53200';

const inTransaction = async (connection: Connection, statements: readonly string[]): Promise<void> => {
  await connection.query('BEGIN');
  try {
    await connection.query(lockTimeout);
    for (const statement of statements) await connection.query(statement, [], { deadlineMs });
    await connection.query('COMMIT');
  } catch (thrown) {
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
};

/** What is wrong with the database itself, by SQLSTATE, in words for its administrator. */
const administratorErrors: Readonly<Record<string, Message>> = {
  // Undefined object (a role), undefined schema or table.
  '42704': msg('intake.roles.missing'),
  '3F000': msg('intake.schema.missing'),
  '42P01': msg('intake.schema.missing'),
};

/** Runs `work` and turns the client's errors into results. */
const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (thrown) {
    const cause = codeOf(thrown);
    const message = administratorErrors[cause];
    return message ? fail('input.invalid', message) : toSharedLogFailure(thrown);
  }
};

/**
 * Ends the server's processes for an account, if the server runs on this computer (Linux) and the user may: without a
 * free lock it accepts no further connection that could.
 */
const endProcesses = (role: string): void => {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    try {
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (title.startsWith('postgres: ') && title.includes(` ${role} `)) process.kill(Number(pid), 'SIGTERM');
    } catch {
      // It has ended, or belongs to another user.
    }
};

/**
 * Connects as an administrator. `toRevoke`: the account that is to be closed; its processes end if the server has no room
 * for another lock. Errors: those of the settings, `log.unreachable`, `log.denied`.
 */
export const openAdministration = async (
  settings: SharedLogSettings,
  toRevoke: string | null = null,
): Promise<Result<Administration>> => {
  const config = clientConfig(settings, 'counterfoil administration');
  if (!config.ok) return config;
  let connected = await connect(config.value);
  for (let attempts = 1; toRevoke?.startsWith(accountPrefix(settings.schema)); attempts += 1) {
    if (connected.ok || connected.error.details?.['cause'] !== outOfLocks || attempts === revokeAttempts)
      break;
    endProcesses(toRevoke);
    await wait(revokePauseMs);
    connected = await connect(config.value);
  }
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

  const selectAccounts = `SELECT i.role, i.kind, i.label, i.rights, i.revoked_at IS NOT NULL AS revoked,
      r.rolname IS NOT NULL AS "isThere"
    FROM ${schema}.installation i LEFT JOIN pg_roles r ON r.rolname = i.role ORDER BY i.added_at`;
  const grantsOf = ({ role, kind, rights }: Pick<Account, 'role' | 'kind' | 'rights'>): string[] => [
    ...[kind, ...rights].map(one => `GRANT ${schema}_${one} TO ${role}`),
    `ALTER ROLE ${role} CONNECTION LIMIT ${accountConnections}`,
  ];
  /** Ends an account's connections. It locks no table: that works too while the server has no room for a lock. */
  const endBackends = (role: string) =>
    connection.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_get_activity(NULL) WHERE usesysid = to_regrole($1)',
      [role],
    );

  return ok({
    create: () =>
      attempt(async () => {
        const [database] = await connection.query<{
          name: string;
          encoding: string;
          ctype: string;
          maxConnections: number;
          isNew: boolean;
        }>(
          `SELECT datname AS name, pg_encoding_to_char(encoding) AS encoding, datctype AS ctype,
             current_setting('max_connections')::int AS "maxConnections", to_regclass('${schema}.log') IS NULL AS "isNew"
           FROM pg_database WHERE datname = current_database()`,
        );
        // Without a UTF-8 character type, searches for names in other scripts find nothing.
        if (database?.encoding !== 'UTF8' || ['C', 'POSIX'].includes(database.ctype))
          return fail('input.invalid', msg('team.database.encoding'));
        const { isNew, maxConnections } = database;
        await inTransaction(connection, isNew ? createSchema(schema) : restoreRights(schema));
        await connection.query(`SELECT ${schema}.months_1()`);
        let isClosed = true;
        for (const statement of closeDatabase(database.name))
          await connection.query(statement).catch((thrown: unknown) => {
            if (toSharedLogFailure(thrown).error.code !== 'log.denied') throw thrown;
            isClosed = false;
          });
        const accounts = (await connection.query<Account>(selectAccounts)).filter(({ revoked }) => !revoked);
        await inTransaction(
          connection,
          accounts.filter(({ isThere }) => isThere).flatMap(account => grantsOf(account)),
        );
        return ok({
          isNew,
          missing: accounts.flatMap(({ role, isThere }) => (isThere ? [] : [role])),
          isClosed,
          maxConnections,
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
          `CREATE ROLE ${role} LOGIN PASSWORD '${scramVerifier(password)}'`,
          ...grantsOf({ role, kind, rights }),
          `INSERT INTO ${schema}.installation (role, kind, label, rights)
           VALUES ('${role}', '${kind}', '${label.replaceAll("'", "''")}', '{${rights.join(',')}}')`,
        ]);
        return ok({ role, password });
      }),
    revoke: role =>
      attempt(async () => {
        if (!role.startsWith(accountPrefix(schema))) return logFailure('log.denied', 'role');
        // First and alone: while the account holds all locks of the server, nothing else succeeds.
        for (let attempts = 1; ; attempts += 1) {
          await endBackends(role);
          try {
            const known = await knownRole(role);
            if (!known.ok) return known;
            await connection.query(`ALTER ROLE ${known.value} NOLOGIN`);
            break;
          } catch (thrown) {
            if (
              attempts === revokeAttempts ||
              toSharedLogFailure(thrown).error.details?.['cause'] !== outOfLocks
            )
              throw thrown;
          }
        }
        await endBackends(role);
        await connection.query(`UPDATE ${schema}.installation SET revoked_at = now() WHERE role = $1`, [
          role,
        ]);
        return ok(undefined);
      }),
    renew: role =>
      attempt(async () => {
        const known = (await connection.query<Account>(selectAccounts)).find(one => one.role === role);
        if (!known) return logFailure('log.denied', 'role');
        const password = randomBytes(24).toString('base64url');
        await inTransaction(connection, [
          `${known.isThere ? 'ALTER' : 'CREATE'} ROLE ${known.role} LOGIN PASSWORD '${scramVerifier(password)}'`,
          ...grantsOf(known),
          `UPDATE ${schema}.installation SET revoked_at = NULL WHERE role = '${known.role}'`,
        ]);
        // Who had the former password is signed out.
        await endBackends(known.role);
        return ok({ kind: known.kind, label: known.label, password });
      }),
    grant: (role, rights) =>
      attempt(async () => {
        const known = await knownRole(role);
        if (!known.ok) return known;
        await inTransaction(connection, [
          ...rights.map(right => `GRANT ${schema}_${right} TO ${known.value}`),
          `UPDATE ${schema}.installation SET rights = ARRAY(SELECT DISTINCT unnest(rights || '{${rights.join(',')}}'::text[]))
           WHERE role = '${known.value}'`,
        ]);
        return ok(undefined);
      }),
    setRetention: days =>
      attempt(async () => {
        await connection.query(`SELECT ${schema}.rule_1('retentionDays', $1)`, [JSON.stringify(days)]);
        return ok(undefined);
      }),
    installations: () =>
      attempt(async () =>
        ok(
          await connection.query<InstallationFacts>(
            `SELECT i.role, i.kind, i.label, i.rights, i.revoked_at IS NOT NULL AS revoked,
               to_char(max(w.seen_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS seen,
               coalesce(sum(w.last_seq), 0)::bigint AS events,
               (SELECT count(*) FROM ${schema}.erased e JOIN ${schema}.writer o ON o.id = e.writer
                 WHERE o.role = i.role) AS "toErase",
               (SELECT coalesce(sum(t.wrong), 0)::int FROM ${schema}.agent_attempt t WHERE t.role = i.role) AS "wrongPins"
             FROM ${schema}.installation i LEFT JOIN ${schema}.writer w ON w.role = i.role
             GROUP BY i.role ORDER BY i.added_at`,
          ),
        ),
      ),
    close: () => connection.close(),
  });
};
