import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replacementOf } from '../../../main/payment-log/sqlite/files/replace-log.ts';
import { discardReplacement } from '../../../main/payment-log/sqlite/prepare-replacement.ts';
import { startWriter, verifyClosedLog, writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { requested } from '../../../tools/evidence/evidence.ts';

/** What a restore leaves when it is killed. */

let folder: LogFolder;
beforeEach(async () => {
  folder = logFolder();
  await writeClosedLog(folder.file, [requested(0, { customer: { name: 'Jane Quillfeather' } })]);
});
afterEach(() => folder.remove());

const names = ['', '.0b38c0ffee42.part', '.0b38c0ffee42.part-journal', '-wal'];
/** Leaves a copy in each place. */
const leave = (): void => {
  for (const end of names) copyFileSync(folder.file, replacementOf(folder.file) + end);
};
const left = (): string[] => readdirSync(dirname(folder.file)).filter(name => name.includes('.restoring'));

test('the next start removes every file that an unfinished replacement left', async () => {
  leave();
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(left()).toEqual([]);
  expect(verifyClosedLog(folder.file)).toMatchObject({ events: 1, problems: [] });
});

test('a replacement that is not carried out is removed too, with its unfinished copies', async () => {
  leave();
  await discardReplacement(folder.file);
  expect(left()).toEqual([]);
  expect(existsSync(folder.file)).toBe(true);
});

test('files of other programs next to the log stay', async () => {
  const other = join(dirname(folder.file), 'payments.db.restored-by-hand');
  writeFileSync(other, 'mine');
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(readFileSync(other, 'utf8')).toBe('mine');
});
