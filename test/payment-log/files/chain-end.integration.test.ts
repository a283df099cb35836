import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import {
  chainEndFile,
  lossOf,
  openChainEnd,
  readChainEnd,
} from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { replaceLog, replacementOf } from '../../../main/payment-log/sqlite/files/replace-log.ts';
import {
  discardReplacement,
  prepareReplacement,
} from '../../../main/payment-log/sqlite/prepare-replacement.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { note, requested } from '../../../tools/evidence/evidence.ts';
import { startWriter, verifyClosedLog, writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { type LogFolder, logFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** What the payment log says when confirmed evidence is missing from its files. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder('end');
  file = join(folder, 'payments.db');
});

const open = async (of = file) => {
  const opened = await openPaymentLog({ file: of, writer: 'here', hasList: false });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
};

/** Copies the files of an open log, as the end of the process would leave them. */
const crashImage = (name: string): string => {
  const image = join(folder, name);
  for (const end of ['', '-wal']) copyFileSync(file + end, image + end);
  copyFileSync(chainEndFile(file), chainEndFile(image));
  return image;
};

const problemsOf = async (log: Awaited<ReturnType<typeof open>>) =>
  (await log.verify(() => undefined)).problems.map(({ kind, at }) => `${kind} ${at.kind}`);

test('a damaged write-ahead log is named at the next start and kept, and stays reported', async () => {
  const log = await open();
  for (let index = 0; index < 60; index += 1) await log.append([note(index, `note ${String(index)}`)]);
  const sound = crashImage('sound.db');
  const damaged = crashImage('damaged.db');
  await log.close();

  const untouched = await open(sound);
  expect(await problemsOf(untouched)).toEqual([]);
  await untouched.close();

  const wal = readFileSync(`${damaged}-wal`);
  const middle = 32 + Math.floor((wal.length - 32) / 2);
  wal.writeUInt8(wal.readUInt8(middle) ^ 1, middle);
  writeFileSync(`${damaged}-wal`, wal);
  const cut = await open(damaged);
  const kept = readdirSync(folder).filter(name => name.startsWith('damaged.db.damaged-wal-'));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(folder, kept[0] ?? '')).equals(wal)).toBe(true);
  expect(await problemsOf(cut)).toEqual(['head end-file']);
  // Evidence is still written, and the next start does not forget.
  expect(await cut.append([note(0, 'after the damage')])).toMatchObject({ ok: true });
  await cut.close();
  const again = await open(damaged);
  expect(await problemsOf(again)).toEqual(['head end-file']);
  await again.close();
});

test('a log that was replaced by a copy is not compared with the end of the one before', async () => {
  const log = await open();
  await log.append([note(0, 'one')]);
  const copy = join(folder, 'copy.db');
  await log.files?.copyTo(copy);
  await log.append([note(1, 'two')]);
  await log.close();
  expect(await prepareReplacement(file, copy)).toMatchObject({ ok: true });
  expect(replaceLog(file, [], Date.now())).toMatchObject({ ok: true });
  const restored = await open();
  expect(await problemsOf(restored)).toEqual([]);
  await restored.close();
});

test('nothing is written into a log whose write-ahead log was cut, and the next start names the loss', async () => {
  const log = await open();
  await log.append([note(0, 'one')]);
  truncateSync(`${file}-wal`, 0);
  for (let time = 0; time < 3; time += 1)
    expect(await log.append([note(1, 'two')])).toMatchObject({ ok: false, error: { code: 'log.missing' } });
  await log.close();
  const again = await open();
  expect(await problemsOf(again)).toEqual(['head end-file']);
  await again.close();
});

test('a damaged write-ahead log that cannot be kept is left as it is, and the log stays closed', async () => {
  // The name of the kept file would be longer than a file system allows.
  file = join(folder, `${'p'.repeat(230)}.db`);
  const log = await open();
  for (let index = 0; index < 60; index += 1) await log.append([note(index, `note ${String(index)}`)]);
  const wal = readFileSync(`${file}-wal`);
  const [main, end] = [readFileSync(file), readFileSync(chainEndFile(file))];
  await log.close();
  const middle = 32 + Math.floor((wal.length - 32) / 2);
  wal.writeUInt8(wal.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, main);
  writeFileSync(`${file}-wal`, wal);
  writeFileSync(chainEndFile(file), end);
  for (let time = 0; time < 2; time += 1) {
    expect(await openPaymentLog({ file, writer: 'here' })).toMatchObject({ ok: false });
    expect(readFileSync(`${file}-wal`).equals(wal)).toBe(true);
    expect(readFileSync(chainEndFile(file)).equals(end)).toBe(true);
  }
});

test('a start never leaves the recorded end empty, and keeps what was found to be missing', () => {
  const [first, second] = [1, 2].map(seq => ({
    writer: 'here',
    seq,
    hash: '0'.repeat(64),
    missing: 1,
    from: 0,
    until: 5,
  }));
  if (!first || !second) throw new Error('two ends');
  openChainEnd(file, { end: second, cuts: [first], clean: 'one', madeAt: null }).close();
  expect(readChainEnd(file)).toEqual({ end: second, cuts: [first], clean: 'one', madeAt: null });
  // It ends before it has recorded anything else.
  openChainEnd(file, { end: first, cuts: [first, second], clean: null, madeAt: null });
  expect(readChainEnd(file)).toEqual({ end: first, cuts: [first, second], clean: null, madeAt: null });
});

test('a missing end that is back in the log is not reported any more', async () => {
  await writeClosedLog(file, [note(0, 'one'), note(1, 'two')], { writer: 'here' });
  const recorded = readChainEnd(file);
  if (!recorded) throw new Error('no end was recorded');
  const cut = { ...recorded.end, missing: 1, from: 0, until: 5 };
  openChainEnd(file, { ...recorded, cuts: [cut] }).close();
  expect(lossOf(file)).toEqual({ missing: 1, from: 0, until: 5 });
  expect(await startWriter(file, 'here')).toEqual({ type: 'ready' });
  expect(lossOf(file)).toBeNull();
});

test('a settled loss is not reported again when a journal fetches events back', async () => {
  await writeClosedLog(file, [note(0, 'one')], { writer: 'here' });
  const recorded = readChainEnd(file);
  if (!recorded) throw new Error('no end was recorded');
  openChainEnd(file, { ...recorded, end: { ...recorded.end, seq: 3, hash: '0'.repeat(64) } }).close();
  const again = await open();
  expect(lossOf(file)).toMatchObject({ missing: 2 });
  expect(await again.ownChain.restore([])).toEqual({ ok: true, value: undefined });
  expect(lossOf(file)).toMatchObject({ missing: 2 });
  expect(await again.files?.settleLoss()).toEqual({ ok: true, value: undefined });
  expect(await again.ownChain.restore([])).toEqual({ ok: true, value: undefined });
  expect(lossOf(file)).toBeNull();
  await again.close();
});

test('a used log whose recorded end is missing says so in verifications of that run, and a restored one does not', async () => {
  const log = await open();
  await log.append([note(0, 'one')]);
  const copy = join(folder, 'copy.db');
  await log.files?.copyTo(copy);
  await log.close();
  for (const lose of [() => rmSync(chainEndFile(file)), () => writeFileSync(chainEndFile(file), 'x')]) {
    lose();
    const again = await open();
    expect(await problemsOf(again)).toEqual(['head end-file']);
    await again.append([note(1, 'two')]);
    expect(await problemsOf(again)).toEqual(['head end-file']);
    await again.close();
    const later = await open();
    expect(await problemsOf(later)).toEqual([]);
    await later.close();
  }
  await prepareReplacement(file, copy);
  expect(replaceLog(file, [], Date.now())).toMatchObject({ ok: true });
  const restored = await open();
  expect(await problemsOf(restored)).toEqual([]);
  await restored.close();
});

test('nothing is acknowledged after another program has cut the file of the log', async () => {
  const log = await open();
  for (let index = 0; index < 60; index += 1)
    expect(await log.append([note(index, 'x'.repeat(9_000))])).toMatchObject({ ok: true });
  await log.close();
  const again = await open();
  expect(await again.append([note(0, 'one')])).toMatchObject({ ok: true });
  truncateSync(file, 8_192);
  for (let time = 0; time < 3; time += 1)
    expect(await again.append([note(1, 'two')])).toMatchObject({ ok: false, error: { code: 'log.missing' } });
  await again.close().catch(() => undefined);
});

describe('leftovers', () => {
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
});
