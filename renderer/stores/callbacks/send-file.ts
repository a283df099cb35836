import { partBytes } from '../../../shared/callbacks/callback-file.ts';
import type { AppError } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { request } from '../../ipc-client.ts';

/** Null if it cannot be read: it was changed or removed after the drop. */
const base64Of = (part: Blob): Promise<string | null> =>
  new Promise(resolve => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? (reader.result.split(',', 2)[1] ?? null) : null),
    );
    reader.addEventListener('error', () => resolve(null));
    reader.readAsDataURL(part);
  });

/** Sends a file or a text with several callbacks to main, which reads it; returns the problem, or null. */
export const sendFile = async (
  content: Blob,
  name: string,
  via: 'paste' | 'file',
): Promise<AppError | null> => {
  const begun = await request('callbacks.dropFile', { name: name.slice(-255), bytes: content.size, via });
  if (!begun.ok) return begun.error;
  for (let at = 0; at < content.size; at += partBytes) {
    const part = await base64Of(content.slice(at, at + partBytes));
    if (part === null) {
      await request('callbacks.closeFile', {});
      return { code: 'callback.unreadable', message: msg('file.unreadable') };
    }
    const given = await request('callbacks.dropPart', { drop: begun.value.drop, part });
    // The file was closed or replaced meanwhile, or it cannot be received.
    if (!given.ok) return given.error.code === 'callback.unreadable' ? null : given.error;
  }
  return null;
};
