import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../files/replace-file.ts';
import { listCopies } from '../payment-log/sqlite/files/log-files.ts';
import { statusFactsSchema, type StatusFacts } from './status-facts.ts';

/** `status.json` in the data folder: the latest facts, for `counterfoil --status` in another process. */

export const statusFile = (folder: string): string => join(folder, 'status.json');

/** Interval of the writes of a running console. */
export const writeIntervalMs = 60_000;

export const writeStatus = (folder: string, facts: StatusFacts): Promise<void> =>
  writeFileAtomic(statusFile(folder), `${JSON.stringify(facts)}\n`);

/** The latest facts; null if there are none, or they cannot be read. */
export const readStatus = (folder: string): StatusFacts | null => {
  try {
    const read = statusFactsSchema.safeParse(JSON.parse(readFileSync(statusFile(folder), 'utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** The newest daily copy of a payment log. */
export const lastCopy = (logFile: string): StatusFacts['backup'] => {
  try {
    const [copy] = listCopies(logFile);
    return copy ? { at: copy.at, bytes: copy.bytes } : null;
  } catch {
    return null;
  }
};

export const fileSize = (file: string): number | null => {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? null;
  } catch {
    return null;
  }
};
