import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { decodeString } from './literal-strings.ts';

/** Lines of `name=value name="quoted value"`, as Go's loggers (slog, logrus, zerolog) write them. */

const token = /([^\s="]+)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s"]*))(?=\s|$)/y;

/**
 * Reads the callback parameters from the one that begins at `from`; `lastName` is the position of the last name that
 * looks like a parameter. Names may have a common prefix (`form.id`). Null if the line does not keep to the notation
 * up to there.
 */
export const readLogfmt = (line: string, from: number, lastName: number): CallbackFields | null => {
  let at = from;
  while (at > 0 && /[\w.-]/.test(line.charAt(at - 1))) at--;
  const prefix = line.slice(at, from);
  const fields: CallbackFields = [];
  while (at < line.length) {
    token.lastIndex = at;
    const found = token.exec(line);
    if (!found) break;
    const [whole, key = '', quoted, bare = ''] = found;
    const name = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    if (isKnownName(name))
      fields.push([
        name,
        quoted === undefined ? bare : decodeString({ quote: '"', prefix: '', raw: quoted }, 'python'),
      ]);
    at += whole.length;
    while (at < line.length && /\s/.test(line.charAt(at))) at++;
  }
  return at > lastName ? fields : null;
};
