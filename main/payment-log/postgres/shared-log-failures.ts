import { codeOf, type AppError } from '../../../shared/errors.ts';
import { logFailure, toLogFailure } from '../log-failures.ts';

/** A request that was not answered in time; its connection is closed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly code = 'DEADLINE';
}

type LogErrorCode = Parameters<typeof logFailure>[0];

/** SQLSTATEs and the codes of Node's sockets. */
const codes: readonly [RegExp, LogErrorCode][] = [
  // Disk full; too many connections or locks are temporary.
  [/^(53100|ENOSPC)$/, 'log.full'],
  [/^28|^42501$/, 'log.denied'],
  // No such database, schema, table or function.
  [/^(3D000|3F000|42P01|42883)$/, 'log.other'],
  // Connection failures, shutdown, lack of resources, a server that only reads, conflicts: all pass.
  [/^(08|53|55|57|25006|40)/, 'log.unreachable'],
  [/^(E[A-Z]+|DEADLINE|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|HOSTNAME|ERR_TLS|ERR_SSL)/, 'log.unreachable'],
];

/** Texts of the client's own errors, which have no code. */
const passwordMissing = /password must be a/;
const connectionLost = /connection|timeout|terminat|not queryable|does not support SSL|socket|closed/i;

/** Maps an error of the client or the server to a code of the closed list; `details.cause` holds the original code. */
export const toSharedLogFailure = (thrown: unknown): { ok: false; error: AppError } => {
  const cause = codeOf(thrown);
  const found = codes.find(([pattern]) => pattern.test(cause));
  if (found) return logFailure(found[1], cause);
  if (cause === '' && thrown instanceof Error && passwordMissing.test(thrown.message))
    return logFailure('log.denied', 'no password');
  if (cause === '' && thrown instanceof Error && connectionLost.test(thrown.message))
    return logFailure('log.unreachable', thrown.message.includes('SSL') ? 'no TLS' : 'connection');
  return toLogFailure(thrown);
};
