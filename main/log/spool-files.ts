import { writeSync } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as z from 'zod';
import { eventDraftSchema } from '../../shared/evidence.ts';

/** The files of a spool (see spool.ts): their names, what stands in them, and how it gets there. */

/** The file beside a log in which what it received waits for its place; further ones of a flood have a number behind it. */
export const spoolOf = (logFile: string): string => `${logFile}.spool`;

/** The name of the file of a number. */
export const nameOf = (file: string, number: number): string => (number === 0 ? file : `${file}-${number}`);

/** The numbers of the files that there are, in the order in which they were written. */
export const numbersOf = async (file: string): Promise<number[]> => {
  const names = new Set(await readdir(dirname(file)));
  const further = [...names].flatMap(name =>
    name.startsWith(`${basename(file)}-`) ? [Number(name.slice(basename(file).length + 1))] : [],
  );
  return [0, ...further.filter(number => number > 0)]
    .filter(number => names.has(basename(nameOf(file, number))))
    .sort((one, other) => one - other);
};

const headSchema = z.object({ after: z.int() });
/** The first line of a file: none of its drafts stands in the log before this event. */
export const headOf = (after: number): string => `${JSON.stringify({ after })}\n`;

/**
 * The lines of a file that hold a draft, after which event of the log they may stand, and how many bytes of it are
 * whole lines: one that was cut short was never acknowledged, since its flush did not end.
 */
export const readSpool = (file: Buffer): { lines: string[]; after: number; bytes: number } => {
  const bytes = file.lastIndexOf(10) + 1;
  const [head = '', ...rest] = file.toString('utf8', 0, bytes).split('\n');
  const parse = (line: string): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      return undefined;
    }
  };
  const after = headSchema.safeParse(parse(head));
  return {
    lines: rest.filter(line => eventDraftSchema.safeParse(parse(line)).success),
    after: after.success ? after.data.after : 0,
    bytes,
  };
};

/** Writes all of it at a place of the file; resolves when it is on disk. */
export const writeWhole = async (handle: FileHandle, bytes: Buffer, at: number): Promise<void> => {
  // Into the system's memory at once, onto the disk while others are served.
  for (let done = 0; done < bytes.length;)
    done += writeSync(handle.fd, bytes, done, bytes.length - done, at + done);
  await handle.datasync();
};

/** Makes the file, and its name durable where the system lets one do so. */
export const makeFile = async (file: string): Promise<FileHandle> => {
  const handle = await open(file, 'wx+', 0o600);
  const folder = await open(dirname(file)).catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
  return handle;
};
