import { copyFileSync, existsSync, linkSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainLogFiles } from '../../../main/payment-log/sqlite/files/log-files.ts';
import { replacementOf } from '../../../main/payment-log/sqlite/files/replace-log.ts';
import { discardReplacement } from '../../../main/payment-log/sqlite/prepare-replacement.ts';
import { startWriter, verifyClosedLog, writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { requested } from '../../../tools/evidence/evidence.ts';

/** What a change of the encryption or a restore leaves when it is killed. */

let folder: LogFolder;
beforeEach(async () => {
  folder = logFolder();
  await writeClosedLog(folder.file, [requested(0, { customer: { name: 'Jane Quillfeather' } })]);
});
afterEach(() => folder.remove());

const names = ['', '.0b38c0ffee42.part', '.0b38c0ffee42.part-journal', '-wal'];
/** Leaves a copy in each place, and a second name for it, which shows what became of its content. */
const leave = (): string[] =>
  names.map((end, index) => {
    const file = replacementOf(folder.file) + end;
    copyFileSync(folder.file, file);
    const second = join(dirname(folder.file), `second-${index}`);
    linkSync(file, second);
    return second;
  });
const left = (): string[] => readdirSync(dirname(folder.file)).filter(name => name.includes('.restoring'));
const isOverwritten = (file: string): boolean => readFileSync(file).every(byte => byte === 0);

test('the next start overwrites and removes every file that an unfinished replacement left', async () => {
  const copies = leave();
  expect(plainLogFiles(folder.file)).toHaveLength(names.length);
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(left()).toEqual([]);
  expect(copies.map(isOverwritten)).toEqual(copies.map(() => true));
  expect(verifyClosedLog(folder.file)).toMatchObject({ events: 1, problems: [] });
});

test('a replacement that is not carried out is overwritten too, with its unfinished copies', async () => {
  const copies = leave();
  await discardReplacement(folder.file);
  expect(left()).toEqual([]);
  expect(copies.map(isOverwritten)).toEqual(copies.map(() => true));
  expect(existsSync(folder.file)).toBe(true);
});

test('files of other programs next to the log stay', async () => {
  const other = join(dirname(folder.file), 'payments.db.restored-by-hand');
  writeFileSync(other, 'mine');
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(readFileSync(other, 'utf8')).toBe('mine');
});
