import { fail, type AppError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/messages/message.ts';

/** File system errors of a file that another program has open. */
const inUseCodes: readonly unknown[] = ['EBUSY', 'EPERM', 'EACCES'];

/** The failure for a file that could not be written. `code`: the file system's error code, if known. */
export const unwritableFile = (
  code: unknown,
  message: Message = msg('error.file.unwritable'),
): { ok: false; error: AppError } =>
  code === 'ENOSPC'
    ? fail('file.no-room', msg('error.file.no-room'), { hint: msg('hint.file.no-room') })
    : fail('file.unwritable', message, {
        hint: msg(inUseCodes.includes(code) ? 'file.unwritable.in-use' : 'hint.file.unwritable'),
      });
