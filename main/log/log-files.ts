import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { headFolder } from './head-files.ts';

/** The folder beside a log in which its daily copies lie. */
export const copyFolder = (logFile: string): string => join(dirname(logFile), 'copies');

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const dailyName = /^payments-(\d{4}-\d{2}-\d{2})\.db$/;
/** How long a daily copy is kept. */
const keptDays = 14;

/** A daily copy; `at` in milliseconds. */
export type Copy = { name: string; at: number; bytes: number };

/** Where the copy of the UTC day of `now` belongs; makes the folder. Throws the file system's errors. */
export const todaysCopy = (logFile: string, now: number): string => {
  mkdirSync(copyFolder(logFile), { recursive: true });
  return join(copyFolder(logFile), `payments-${day(now)}.db`);
};

/** The daily copies, newest first. */
export const listCopies = (logFile: string): Copy[] => {
  const folder = copyFolder(logFile);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => dailyName.test(name))
    .sort()
    .reverse()
    .map(name => {
      const { mtimeMs, size } = statSync(join(folder, name));
      return { name, at: Math.round(mtimeMs), bytes: size };
    });
};

/** Deletes daily copies older than fourteen days, but never the newest one. */
export const pruneCopies = (logFile: string, now: number): void => {
  const oldest = day(now - keptDays * 86_400_000);
  for (const { name } of listCopies(logFile).slice(1)) {
    if ((dailyName.exec(name)?.[1] ?? oldest) < oldest) rmSync(join(copyFolder(logFile), name));
  }
};

const stamp = (now: number): string => new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);

/**
 * Renames a log, its companions and the heads that speak of it, so that another can stand in its place; nothing is
 * deleted. `heads`: names of the head files that go with it. Returns the log's new name. Throws the file system's errors.
 */
export const setAside = (logFile: string, heads: readonly string[], now: number): string => {
  const aside = `${logFile}.set-aside-${stamp(now)}`;
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(logFile + end)) renameSync(logFile + end, aside + end);
  }
  const folder = headFolder(logFile);
  if (heads.length > 0) mkdirSync(`${aside}.heads`, { recursive: true });
  for (const name of heads) renameSync(join(folder, name), join(`${aside}.heads`, name));
  return basename(aside);
};

/** Puts a copy where the log was, in one step. Throws the file system's errors. */
export const putInPlace = (copy: string, logFile: string): void => {
  const part = `${logFile}.restoring`;
  copyFileSync(copy, part);
  const handle = openSync(part, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(part, logFile);
};
