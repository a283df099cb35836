import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import { readSignedHead } from './read-signed-head.ts';
import type { HeadFile, SignedHead } from '../answers.ts';

/** The folder next to a log that contains its signed heads, one a day. */
export const headFolder = (logFile: string): string => join(dirname(logFile), 'heads');

/** The folder next to a log that contains the heads that this installation has signed of a shared log, one a day. */
export const sharedHeadFolder = (logFile: string, logId: string): string =>
  join(dirname(logFile), 'shared-heads', logId);

const dayName = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}.json`;

/** A head as text for a file. */
export const headText = (head: SignedHead): string => `${JSON.stringify(head, null, 2)}\n`;

/** The head in a file's text; null if it does not contain one. */
const readHead = (text: string): SignedHead | null => {
  try {
    return readSignedHead(JSON.parse(text));
  } catch {
    return null;
  }
};

/** Whether the UTC day of `now` (milliseconds) has a head; an empty or unreadable file does not count. */
export const hasHeadOf = (folder: string, now: number): boolean => {
  const file = join(folder, dayName(now));
  return existsSync(file) && readHead(readFileSync(file, 'utf8')) !== null;
};

/** Writes a day's head; never replaces an existing one. Throws file system errors. */
export const writeDaysHead = (folder: string, head: SignedHead): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!hasHeadOf(folder, head.at)) writeFileAtomicSync(join(folder, dayName(head.at)), headText(head));
};

const isHeadFile = (name: string): boolean => name.endsWith('.json');

/** All heads of a folder, oldest first; empty if the folder does not exist. Blocking: for the log's worker threads. */
export const readHeads = (folder: string): HeadFile[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter(isHeadFile)
    .sort()
    .map(name => ({
      source: { kind: 'head-file', name },
      head: readHead(readFileSync(join(folder, name), 'utf8')),
    }));

/** The names of a folder's head files, oldest first. */
export const headNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter(isHeadFile).sort();

/** As `readHeads`, for the main thread. */
export const readHeadFiles = async (folder: string): Promise<HeadFile[]> => {
  const files: HeadFile[] = [];
  for (const name of await headNames(folder)) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    files.push({ source: { kind: 'head-file', name }, head: readHead(text) });
  }
  return files;
};

/** The heads of a folder, newest first, read lazily one by one. */
export const headsNewestFirst = async function* (folder: string): AsyncGenerator<SignedHead> {
  for (const name of (await headNames(folder)).toReversed()) {
    const head = readHead(await readFile(join(folder, name), 'utf8').catch(() => ''));
    if (head) yield head;
  }
};
