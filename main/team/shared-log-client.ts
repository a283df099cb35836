import type { Result } from '../../shared/errors.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../payment-log/postgres/connection-settings.ts';
import type { ServerReport } from './check-server.ts';

/** The client of shared payment logs. It loads the database driver at first use: one PC alone never needs it. */
export type SharedLogClient = {
  /** Opens a shared log; the connection is made at first use. Errors: those of the settings. */
  open(settings: SharedLogSettings): Promise<Result<SharedLog>>;
  /** Checks step by step whether this installation, with this chain, can join. */
  check(settings: SharedLogSettings, writer: string): Promise<ServerReport>;
  /** Replaces the account's password by a random one, which `keep` stores first. Errors: as `open`, and those of `keep`. */
  renewPassword(
    settings: SharedLogSettings,
    keep: (password: string) => Promise<Result<undefined>>,
  ): Promise<Result<undefined>>;
};

export const sharedLogClient: SharedLogClient = {
  open: async settings =>
    (await import('../payment-log/postgres/open-shared-log.ts')).openSharedLog(settings),
  check: async (settings, writer) => (await import('./check-server.ts')).checkServer(settings, writer),
  renewPassword: async (settings, keep) =>
    (await import('./renew-password.ts')).renewPassword(settings, keep),
};
