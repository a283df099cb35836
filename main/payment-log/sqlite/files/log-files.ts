import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTemporaryName } from '../../../files/replace-file.ts';

/** The folder next to a log that contains its daily copies. */
export const copyFolder = (logFile: string): string => join(dirname(logFile), 'copies');

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const dailyName = /^payments-(\d{4}-\d{2}-\d{2})\.db$/;
/** Retention limit, daily copies. Counted rather than dated, since a clock may be wrong. */
const maxCopies = 14;

/** A daily copy; `at` in milliseconds. */
export type Copy = { name: string; at: number; bytes: number };

/** The path for the copy of the UTC day of `now`; creates the folder. Throws file system errors. */
export const dailyCopyToday = (logFile: string, now: number): string => {
  mkdirSync(copyFolder(logFile), { recursive: true, mode: 0o700 });
  return join(copyFolder(logFile), `payments-${day(now)}.db`);
};

/** The daily copies, newest first. Copies dated after `now` (milliseconds), from a wrong clock, come last. */
export const listCopies = (logFile: string, now = Number.MAX_SAFE_INTEGER): Copy[] => {
  const folder = copyFolder(logFile);
  if (!existsSync(folder)) return [];
  // One day of tolerance: the names are UTC days.
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

/** Copies kept even when space is short, and bytes left free in addition to twice the newest copy. */
const minCopies = 3;
const spareBytes = 1_000_000_000;

/**
 * Deletes the daily copies beyond the newest fourteen, older ones while less than `free` bytes are free, and
 * unfinished copies that a crash left. Throws file system errors.
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
