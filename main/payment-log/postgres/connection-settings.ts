import { isIP } from 'node:net';
import type { ClientConfig } from 'pg';
import * as z from 'zod';
import { codeOf, fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { addressScope } from '../../../shared/network-address.ts';
import { readRegularFileSync } from '../../files/read-regular-file.ts';
import { isPem, sharedLogServerSchema } from '../../../shared/team/shared-log-server.ts';
import { logFailure } from '../log-failures.ts';

export const sharedLogSettingsSchema = z.strictObject({
  ...sharedLogServerSchema.shape,
  role: z.string().min(1).max(63),
  /** Null: the server signs in otherwise, for example by a socket. */
  password: z.string().nullable().default(null),
  /** The identity of the shared log, if this installation has joined one. */
  logId: z.uuid().nullable().default(null),
});
export type SharedLogSettings = z.output<typeof sharedLogSettingsSchema>;

/** Size limit of a file of authorities, bytes. */
const maxPemBytes = 64 * 1024;

/** Timeout of a connection attempt. */
const connectTimeoutMs = 5_000;

const isOnThisComputer = (host: string): boolean => host.startsWith('/') || addressScope(host) === 'loopback';

/**
 * The client's configuration. Errors: `input.invalid` for a connection without TLS to another computer,
 * `log.unreachable` for an unreadable file of authorities.
 */
export const clientConfig = (settings: SharedLogSettings, application: string): Result<ClientConfig> => {
  const { host, port, database, role, password, ca } = settings;
  const isLocal = isOnThisComputer(host);
  // PostgreSQL has no TLS over a socket, which an administrator uses with the settings for the network.
  const tls = host.startsWith('/') ? 'off' : (settings.tls ?? (isLocal ? 'off' : 'verify-full'));
  if (tls === 'off' && !isLocal)
    return fail('input.invalid', msg('team.settings.tls'), {
      fields: [{ path: 'tls', message: msg('team.settings.tls') }],
    });
  let authorities: string | null = null;
  try {
    authorities = ca === null || isPem(ca) ? ca : readRegularFileSync(ca, maxPemBytes);
  } catch (thrown) {
    return logFailure('log.unreachable', codeOf(thrown) || 'CA');
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
