import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ClientConfig } from 'pg';
import * as z from 'zod';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { logFailure } from '../failures.ts';

/** A schema's name, as it is used in SQL without quotes; the names of the roles begin with it. */
export const schemaNameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,39}$/);

export const sharedLogSettingsSchema = z.strictObject({
  /** A name, an address, or the folder of a socket on this computer. */
  host: z.string().min(1).max(255),
  port: z.int().min(1).max(65_535).default(5432),
  database: z.string().min(1).max(63),
  schema: schemaNameSchema.default('counterfoil'),
  role: z.string().min(1).max(63),
  /** Null: the server signs in otherwise, for example by a socket. */
  password: z.string().nullable().default(null),
  /** `off` is refused except on this computer; absent: `off` there, `verify-full` elsewhere. */
  tls: z.enum(['verify-full', 'off']).optional(),
  /** A PEM file of authorities; null: those of the system. */
  ca: z.string().nullable().default(null),
  /** The identity of the shared log, if this installation has joined one. */
  logId: z.uuid().nullable().default(null),
});
export type SharedLogSettings = z.output<typeof sharedLogSettingsSchema>;

/** Timeout of a connection attempt, milliseconds. */
const connectTimeoutMs = 5_000;

const isOnThisComputer = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Names host and schema, without credentials. */
export const nameOf = ({ host, port, database, schema }: SharedLogSettings): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}/${database}/${schema}`;

/**
 * The client's configuration. Errors: `input.invalid` for a connection without TLS to another computer,
 * `log.unreachable` for an unreadable file of authorities.
 */
export const clientConfig = (settings: SharedLogSettings, application: string): Result<ClientConfig> => {
  const { host, port, database, role, password, ca } = settings;
  const isLocal = isOnThisComputer(host);
  const tls = settings.tls ?? (isLocal ? 'off' : 'verify-full');
  if (tls === 'off' && !isLocal)
    return fail('input.invalid', msg('team.settings.tls'), {
      fields: [{ path: 'tls', message: msg('team.settings.tls') }],
    });
  let authorities: string | null = null;
  try {
    authorities = ca === null ? null : readFileSync(ca, 'utf8');
  } catch (thrown) {
    return logFailure(
      'log.unreachable',
      thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'CA',
    );
  }
  return ok({
    host,
    port,
    database,
    user: role,
    ...(password === null ? {} : { password }),
    // The client sets the name to verify for host names only; an address is verified through `host`.
    ssl:
      tls === 'off'
        ? false
        : {
            rejectUnauthorized: true,
            minVersion: 'TLSv1.2',
            ...(isIP(host) === 0 ? {} : { host }),
            ...(authorities === null ? {} : { ca: authorities }),
          },
    enableChannelBinding: tls !== 'off',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: application,
  });
};
