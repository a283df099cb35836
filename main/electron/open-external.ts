import { shell } from 'electron';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { isLoopbackHttp } from '../../shared/network-address.ts';
import { msg } from '../../shared/messages/message.ts';

const allowed = (url: URL): boolean =>
  url.protocol === 'https:' ||
  url.protocol === 'mailto:' ||
  url.protocol === 'sms:' ||
  // The payment page of a sandbox on this PC.
  isLoopbackHttp(url);

/** The only external opener of the console. Opens web, mail and message addresses; all others are `link.refused`. */
export const openExternal = async (address: string): Promise<Result<undefined>> => {
  const url = URL.parse(address);
  if (!url || !allowed(url) || url.username !== '' || url.password !== '')
    return fail('link.refused', msg('open.not-allowed'));
  try {
    await shell.openExternal(url.href);
    return ok(undefined);
  } catch {
    return fail('link.refused', msg('open.no-program'), { hint: msg('open.no-program.hint') });
  }
};
