import { copyFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** A log that is written once for the tests of a file, and copied for each. */
export const copiedLog = (write: (written: LogFolder) => Promise<unknown>): Omit<LogFolder, 'remove'> => {
  const written = logFolder();
  let folder = written;
  beforeAll(async () => void (await write(written)));
  afterAll(() => written.remove());
  beforeEach(() => {
    folder = logFolder();
    copyFileSync(written.file, folder.file);
  });
  afterEach(() => folder.remove());
  return {
    get file() {
      return folder.file;
    },
    open: writer => folder.open(writer),
    tamper: (...sql) => folder.tamper(...sql),
  };
};

/** The problems of a log, each as `kind at`. */
export const problemsAt = ({ problems }: Pick<VerifyReport, 'problems'>): string[] =>
  problems.map(({ kind, at }) => `${kind} ${inEnglish(placeInWords(at))}`);
