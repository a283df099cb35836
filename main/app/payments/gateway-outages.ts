import type { AppLog } from '../../app-log/app-log.ts';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import type { Gateway } from '../../gateway/gateway.ts';

/** Errors of an unusable gateway, in contrast to a refusal of one request. */
const outageCodes: ReadonlySet<ErrorCode> = new Set([
  'gateway.unreachable',
  'gateway.tls',
  'gateway.timeout',
  'gateway.broken',
  'gateway.server-error',
]);

/**
 * The same gateway, which writes the beginning and the end of each outage to the application log instead of every
 * failed request. An outage is per host.
 */
export const recordOutages = (gateway: Gateway, appLog: AppLog, clock: () => number): Gateway => {
  const failing = new Map<string, { since: number; requests: number }>();
  const hostOf = (baseUrl: string): string => URL.parse(baseUrl)?.host ?? '';

  const onOutcome = (baseUrl: string, error: AppError | null): void => {
    const host = hostOf(baseUrl);
    const failure = failing.get(host);
    if (error && outageCodes.has(error.code))
      if (failure) failure.requests += 1;
      else {
        failing.set(host, { since: clock(), requests: 1 });
        const cause = error.details?.['cause'] ?? null;
        appLog.write('warn', 'gateway', 'The gateway cannot be reached.', { host, code: error.code, cause });
      }
    else if (failure && error?.code !== 'gateway.cancelled') {
      failing.delete(host);
      // The clock of the computer may have been moved meanwhile.
      const seconds = Math.max(0, Math.round((clock() - failure.since) / 1_000));
      appLog.write('info', 'gateway', 'The gateway answers again.', {
        host,
        seconds,
        requests: failure.requests,
      });
    }
  };

  return {
    ...gateway,
    sendSession: async (profile, prepared, signal) => {
      const outcome = await gateway.sendSession(profile, prepared, signal);
      onOutcome(profile.baseUrl, outcome.kind === 'accepted' ? null : outcome.error);
      return outcome;
    },
    lookUp: async (profile, ...rest) => {
      const outcome = await gateway.lookUp(profile, ...rest);
      onOutcome(profile.baseUrl, outcome.kind === 'answered' ? null : outcome.error);
      return outcome;
    },
  };
};
