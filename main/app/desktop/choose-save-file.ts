import { dirname } from 'node:path';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { isOwnFile } from '../../files/own-files.ts';
import { sidecarSuffixes } from '../../payment-log/files/replace-log.ts';
import type { AppDependencies } from '../app-context.ts';

/**
 * Asks the user where to save; null if they cancelled. `also`: further files written next to the chosen one. Errors:
 * `file.unwritable` for a path inside Counterfoil's own data, which an export would destroy.
 */
export const chooseSaveFile = async (
  {
    system,
    logFile,
  }: Pick<AppDependencies, 'logFile'> & { system: Pick<AppDependencies['system'], 'chooseSaveFile'> },
  suggestedName: string,
  also: (file: string) => readonly string[] = () => [],
): Promise<Result<string | null>> => {
  const file = await system.chooseSaveFile(suggestedName);
  if (file === null) return ok(null);
  const own = [logFile, `${logFile}.lock`, ...sidecarSuffixes.map(end => logFile + end)];
  for (const one of [file, ...also(file)]) {
    if (!(await isOwnFile(one, dirname(logFile), own))) continue;
    return fail('file.unwritable', msg('file.own-folder'), { hint: msg('file.own-folder.hint') });
  }
  return ok(file);
};

/** The failure for a file that could not be written, by the file system's error. */
export const unwritableFile = (thrown: unknown): { ok: false; error: AppError } => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOSPC')
    return fail('file.no-room', msg('error.file.no-room'), { hint: msg('hint.file.no-room') });
  return fail('file.unwritable', msg('error.file.unwritable'), {
    hint: msg(
      ['EBUSY', 'EPERM', 'EACCES'].includes(code) ? 'file.unwritable.in-use' : 'hint.file.unwritable',
    ),
  });
};
