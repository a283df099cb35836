import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { signedHeadSchema, type SignedHead } from './signed-head-schema.ts';

/** The folder beside a log in which its signed heads lie, one a day. */
export const headFolder = (logFile: string): string => join(dirname(logFile), 'heads');

const dayName = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}.json`;

/** A head's text, as it is written out. */
export const headText = (head: SignedHead): string => `${JSON.stringify(head, null, 2)}\n`;

/** Whether the UTC day of `now` (milliseconds) has its head. */
export const hasHeadOf = (folder: string, now: number): boolean => existsSync(join(folder, dayName(now)));

/** Writes a day's head; one that is there is never replaced. Throws the file system's errors. */
export const writeDaysHead = (folder: string, head: SignedHead): void => {
  mkdirSync(folder, { recursive: true });
  if (hasHeadOf(folder, head.at)) return;
  writeFileSync(join(folder, dayName(head.at)), headText(head), { flag: 'wx' });
};

/** One file of the folder; `head` is null when it holds none. */
export type HeadFile = { name: string; head: SignedHead | null };

/** All heads of a folder, oldest first; none when there is no folder. */
export const readHeads = (folder: string): HeadFile[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => {
      try {
        return { name, head: signedHeadSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) };
      } catch {
        return { name, head: null };
      }
    });
};
