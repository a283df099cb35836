import type { Gateway } from '../../gateway/gateway.ts';
import type { Requester } from './requester.ts';

/**
 * The same gateway, which sends no request that acts for a requester who is gone: `not-sent`, with the reason. Look-ups
 * change nothing at the gateway.
 */
export const sendWhileHere = <G extends Gateway>(
  gateway: G,
  { refusalIfGone }: Pick<Requester, 'refusalIfGone'>,
): G => ({
  ...gateway,
  sendSession: async (...request) => {
    const error = refusalIfGone();
    return error ? { kind: 'not-sent', error } : gateway.sendSession(...request);
  },
  sendOperation: async (...request) => {
    const error = refusalIfGone();
    return error ? { kind: 'not-sent', error } : gateway.sendOperation(...request);
  },
  probeOperation: async (...request) => {
    const error = refusalIfGone();
    return error ? { exists: 'unknown', answer: null, error } : gateway.probeOperation(...request);
  },
});
