import { stat } from 'node:fs/promises';
import { fail, type Result, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { freeBytes } from '../../files/free-bytes.ts';

/** Limits of a file from outside before it is read or copied as a payment log. */

/** A smaller file with holes does no harm, bytes. */
const minSparseBytes = 64_000_000;
/** How many times larger than the space that it occupies a file may be: file systems compress logs a few times. */
const maxExpansion = 20;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** Whether a file claims far more than it contains: reading and copying it would write out the holes. */
export const isMostlyHoles = ({ size, allocated }: { size: number; allocated: number }): boolean =>
  size > minSparseBytes && size > maxExpansion * allocated;

/** Refuses a file that consists of holes. Throws file system errors. Errors: `input.invalid`. */
export const refuseHoles = async (file: string): Promise<Result<undefined>> => {
  const { size, blocks } = await stat(file);
  return isMostlyHoles({ size, allocated: blocks * 512 })
    ? fail('input.invalid', msg('backup.holes'), { hint: msg('backup.holes.hint') })
    : ok(undefined);
};

/**
 * Whether a copy with its write-ahead log fits on the disk of the log, which stays beside it. `free`: free bytes there;
 * unknown counts as enough. Throws file system errors. Errors: `file.no-room`.
 */
export const checkRoomForCopy = async (
  copy: string,
  logFile: string,
  free: (file: string) => Promise<number | null> = freeBytes,
): Promise<Result<undefined>> => {
  const [{ size }, further] = await Promise.all([stat(copy), stat(`${copy}-wal`).catch(() => null)]);
  const needed = size + (further?.size ?? 0);
  const available = await free(logFile);
  return available === null || available >= needed
    ? ok(undefined)
    : fail('file.no-room', msg('backup.no-room'), {
        hint: msg('backup.no-room.hint'),
        details: { needed: megabytes(needed), free: megabytes(available) },
      });
};
