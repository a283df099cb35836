import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { isPem } from '../../shared/team/shared-log-server.ts';
import {
  sharedLogSettingsSchema,
  type SharedLogSettings,
} from '../payment-log/postgres/connection-settings.ts';

/** What begins a joining text, with its version. */
const prefix = 'counterfoil-join-1.';

/**
 * The settings of a new installation as one word, for the clipboard. It contains the password: pass it on once. `ca`:
 * PEM text or null.
 */
export const joiningText = ({ logId: _unknown, ...settings }: SharedLogSettings): string =>
  prefix + Buffer.from(JSON.stringify(settings)).toString('base64url');

/** The settings in a joining text; line breaks and spaces are ignored. Errors: `input.invalid`. */
export const readJoiningText = (text: string): Result<SharedLogSettings> => {
  const word = text.replaceAll(/\s/g, '');
  const invalid = fail('input.invalid', msg('team.join.text.invalid'), {
    hint: msg('team.join.text.invalid.hint'),
    fields: [{ path: 'text', message: msg('team.join.text.invalid') }],
  });
  if (!word.startsWith(prefix)) return invalid;
  try {
    const read = sharedLogSettingsSchema.safeParse(
      JSON.parse(Buffer.from(word.slice(prefix.length), 'base64url').toString('utf8')),
    );
    // A path would make this PC read a file that the sender of the text has chosen.
    return read.success && (read.data.ca === null || isPem(read.data.ca)) ? ok(read.data) : invalid;
  } catch {
    return invalid;
  }
};
