import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTemporaryName } from '../../files/replace-file.ts';

/** The folder beside a log in which its daily copies lie. */
export const copyFolder = (logFile: string): string => join(dirname(logFile), 'copies');

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const dailyName = /^payments-(\d{4}-\d{2}-\d{2})\.db$/;
/** Daily copies that are kept at most; they are counted, since a clock may be wrong. */
const maxCopies = 14;

/** A daily copy; `at` in milliseconds. */
export type Copy = { name: string; at: number; bytes: number };

/** Where the copy of the UTC day of `now` belongs; makes the folder. Throws the file system's errors. */
export const dailyCopyToday = (logFile: string, now: number): string => {
  mkdirSync(copyFolder(logFile), { recursive: true, mode: 0o700 });
  return join(copyFolder(logFile), `payments-${day(now)}.db`);
};

/** The daily copies, newest first; those of days after `now` (milliseconds), when the clock was wrong, come last. */
export const listCopies = (logFile: string, now = Number.MAX_SAFE_INTEGER): Copy[] => {
  const folder = copyFolder(logFile);
  if (!existsSync(folder)) return [];
  // A day of grace: the names are UTC days.
  const tomorrow = now < 8e15 ? day(now + 86_400_000) : '9999-12-31';
  const isAhead = (name: string): boolean => (dailyName.exec(name)?.[1] ?? '') > tomorrow;
  return readdirSync(folder)
    .filter(name => dailyName.test(name))
    .sort((one, other) => Number(isAhead(one)) - Number(isAhead(other)) || (one < other ? 1 : -1))
    .map(name => {
      const { mtimeMs, size } = statSync(join(folder, name));
      return { name, at: Math.round(mtimeMs), bytes: size };
    });
};

/** Copies that are kept however little space is free, and bytes that they leave free beyond twice the newest one. */
const minCopies = 3;
const spareBytes = 1_000_000_000;

/**
 * Deletes the daily copies beyond the newest fourteen, older ones while fewer bytes than `free` allows are free, and
 * unfinished ones that a crash left behind. Throws the file system's errors.
 */
export const pruneCopies = (logFile: string, now: number, free = Number.POSITIVE_INFINITY): void => {
  const folder = copyFolder(logFile);
  const copies = listCopies(logFile, now);
  const wanted = 2 * (copies[0]?.bytes ?? 0) + spareBytes;
  let requiredBytes = free;
  for (const { name, bytes } of copies.slice(minCopies).toReversed()) {
    const isBeyond = copies.findIndex(copy => copy.name === name) >= maxCopies;
    if (!isBeyond && requiredBytes >= wanted) continue;
    rmSync(join(folder, name));
    requiredBytes += bytes;
  }
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (isTemporaryName(name)) rmSync(join(folder, name), { force: true });
};
