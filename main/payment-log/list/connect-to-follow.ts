import { ok, type Result } from '../../../shared/errors.ts';
import { connectPrepared } from '../postgres/prepared-connection.ts';
import { clientConfig, type SharedLogSettings } from '../postgres/connection-settings.ts';
import type { SharedConnection } from './keep-list.ts';
import { sharedSource } from './shared-source.ts';

/**
 * Connects for following the chains of all installations but `own`; notifications announce news. Errors: those of the
 * settings, `log.unreachable`, `log.denied`, `log.other`, `log.older`.
 */
export const connectToFollow = async (
  settings: SharedLogSettings,
  own: string,
): Promise<Result<SharedConnection>> => {
  const config = clientConfig(settings, 'counterfoil');
  if (!config.ok) return config;
  const { schema, logId } = settings;
  const opened = await connectPrepared(config.value, schema, 'follow', logId);
  if (!opened.ok) return opened;
  const { connection } = opened.value;
  return ok({
    source: sharedSource(connection, own),
    onNews: listener => {
      connection.onNotification(listener);
      connection.query(`LISTEN ${schema}`).catch(() => {
        // The requests that follow report a lost connection.
      });
    },
    close: () => connection.close(),
  });
};
