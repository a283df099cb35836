import { link, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { codeOf, fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { isOwnFile } from '../../files/own-files.ts';
import { temporaryName, unwritableFile } from '../../files/replace-file.ts';
import { headFileOf } from '../reports/report-setup.ts';

/** The folder of the scheduled export: it is checked before each file, and no file in it is ever replaced. */

/** Least free space before a file is begun, bytes. */
const minFreeBytes = 4 * 1024 * 1024;

/**
 * Whether a folder exists, can be written to and has room. Errors: `file.unwritable`, `file.no-room`. `logFile`: the
 * payment log, whose folder is refused.
 */
export const checkFolder = async (folder: string, logFile: string): Promise<Result<undefined>> => {
  if (!isAbsolute(folder) || (await isOwnFile(join(folder, 'export.xlsx'), dirname(logFile), [])))
    return fail('file.unwritable', msg('scheduled-export.own-folder'), { hint: msg('file.own-folder.hint') });
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory())
    return fail('file.unwritable', msg('scheduled-export.no-folder', { folder }), {
      hint: msg('scheduled-export.no-folder.hint'),
    });
  const probe = temporaryName(join(folder, 'counterfoil'));
  try {
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    return unwritableFile(codeOf(thrown), msg('scheduled-export.no-rights', { folder }));
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const free = await freeBytes(join(folder, 'export.xlsx'));
  return free !== null && free < minFreeBytes ? unwritableFile('ENOSPC') : ok(undefined);
};

/** A link counts, even one without a target. */
const isTaken = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/**
 * A name that no file in the folder has, nor a signature file: `name.xlsx`, `name (2).xlsx` and so on.
 */
export const freeName = async (folder: string, name: string): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const file = join(folder, number === 1 ? `${name}.xlsx` : `${name} (${number}).xlsx`);
    if (!(await isTaken(file)) && !(await isTaken(headFileOf(file)))) return file;
  }
};

const taken = (): Error => Object.assign(new Error('The file exists.'), { code: 'EEXIST' });

/** Whether another program has made the file meanwhile. */
export const isTakenMeanwhile = (thrown: unknown): boolean => codeOf(thrown) === 'EEXIST';

/**
 * Moves a finished file to its path, which must be free. Throws `EEXIST` if another program has made it meanwhile. A
 * file system without links, such as FAT, cannot exclude that in the instant of the move.
 */
export const moveToFree = async (part: string, file: string): Promise<void> => {
  try {
    await link(part, file);
  } catch (thrown) {
    if (isTakenMeanwhile(thrown)) throw thrown;
    if (await isTaken(file)) throw taken();
    await rename(part, file);
    return;
  }
  await rm(part);
};

/** The name of a profile as a part of a file name. */
export const fileNameOf = (profileName: string): string =>
  profileName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60) || 'payments';
