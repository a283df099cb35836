import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../../shared/errors.ts';
import { scramVerifier } from '../payment-log/postgres/administer.ts';
import { connect } from '../payment-log/postgres/connection.ts';
import { toSharedLogFailure } from '../payment-log/postgres/shared-log-failures.ts';
import { clientConfig, type SharedLogSettings } from '../payment-log/postgres/connection-settings.ts';

/**
 * Replaces the password of the account, so that a joining text is worthless after it was used. The new one is kept
 * first: if the answer of the server is lost, a further sign-in shows which of the two is valid. A server that does not
 * allow the change keeps the present password.
 */
export const renewPassword = async (
  settings: SharedLogSettings,
  keep: (password: string) => Promise<Result<undefined>>,
): Promise<Result<undefined>> => {
  const { password: present, role } = settings;
  if (present === null) return ok(undefined);
  const next = randomBytes(24).toString('base64url');
  const signIn = async (password: string) => {
    const config = clientConfig({ ...settings, password }, 'counterfoil joining');
    return config.ok ? connect(config.value) : config;
  };
  const connection = await signIn(present);
  if (!connection.ok) return connection;
  const kept = await keep(next);
  if (!kept.ok) {
    await connection.value.close();
    return kept;
  }
  let failure: ReturnType<typeof toSharedLogFailure> | null = null;
  try {
    await connection.value.query(
      `ALTER ROLE "${role.replaceAll('"', '""')}" PASSWORD '${scramVerifier(next)}'`,
    );
  } catch (thrown) {
    failure = toSharedLogFailure(thrown);
  }
  await connection.value.close();
  if (failure === null) return ok(undefined);
  const changed = await signIn(next);
  if (changed.ok) {
    await changed.value.close();
    return ok(undefined);
  }
  return keep(present);
};
