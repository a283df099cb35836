import type { SharedLogSettings } from '../payment-log/postgres/settings.ts';

/** What begins a joining text, with its version. */
const prefix = 'counterfoil-join-1.';

/** The settings of a new installation as one word, for the clipboard. It contains the password: pass it on once. */
export const joiningText = ({ logId: _unknown, ...settings }: SharedLogSettings): string =>
  prefix + Buffer.from(JSON.stringify(settings)).toString('base64url');
