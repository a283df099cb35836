import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import { readSignedHead, type SignedHead } from './read-signed-head.ts';

/** The folder beside a log in which its signed heads lie, one a day. */
export const headFolder = (logFile: string): string => join(dirname(logFile), 'heads');

const dayName = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}.json`;

/** A head's text, as it is written out. */
export const headText = (head: SignedHead): string => `${JSON.stringify(head, null, 2)}\n`;

/** The head in a file's text; null when it holds none. */
const readHead = (text: string): SignedHead | null => {
  try {
    return readSignedHead(JSON.parse(text));
  } catch {
    return null;
  }
};

/** Whether the UTC day of `now` (milliseconds) has its head; a file that holds none, such as an empty one, is not one. */
export const hasHeadOf = (folder: string, now: number): boolean => {
  const file = join(folder, dayName(now));
  return existsSync(file) && readHead(readFileSync(file, 'utf8')) !== null;
};

/** Writes a day's head; one that is there is never replaced. Throws the file system's errors. */
export const writeDaysHead = (folder: string, head: SignedHead): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!hasHeadOf(folder, head.at)) writeFileAtomicSync(join(folder, dayName(head.at)), headText(head));
};

/** One file of the folder; `head` is null when it holds none. */
export type HeadFile = { name: string; head: SignedHead | null };

const isHeadFile = (name: string): boolean => name.endsWith('.json');

/** All heads of a folder, oldest first; none when there is no folder. Blocks: for the log's own threads. */
export const readHeads = (folder: string): HeadFile[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter(isHeadFile)
    .sort()
    .map(name => ({ name, head: readHead(readFileSync(join(folder, name), 'utf8')) }));

/** The names of a folder's head files, oldest first. */
export const headNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter(isHeadFile).sort();

/** The heads of a folder, newest first, read one by one as they are asked for. */
export const headsNewestFirst = async function* (folder: string): AsyncGenerator<SignedHead> {
  for (const name of (await headNames(folder)).toReversed()) {
    const head = readHead(await readFile(join(folder, name), 'utf8').catch(() => ''));
    if (head) yield head;
  }
};
