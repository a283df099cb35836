import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headFolder } from '../../../main/payment-log/heads/head-files.ts';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { prepareReplacement } from '../../../main/payment-log/sqlite/prepare-replacement.ts';
import {
  finishReplacement,
  replaceLog,
  replacementOf,
} from '../../../main/payment-log/sqlite/files/replace-log.ts';
import { note } from '../../../tools/evidence/evidence.ts';
import { startWriter, verifyClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** A closed log of five events, and a copy of its first two. */
let written: LogFolder;
let folder: LogFolder;
beforeAll(async () => {
  written = logFolder();
  const log = await written.open();
  await log.append([note(0, 'one'), note(1, 'two')]);
  expect(await log.files?.copyTo(join(dirname(written.file), 'copy.db'))).toMatchObject({ ok: true });
  await log.append([note(2, 'three'), note(3, 'four'), note(4, 'five')]);
  await log.close();
});
afterAll(() => written.remove());
beforeEach(() => {
  folder = logFolder();
});
afterEach(() => folder.remove());

/** The number of events in the log after the next start, and that they verify. */
const countEvents = async (): Promise<number> => {
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  const report = verifyClosedLog(folder.file);
  expect(report.problems).toEqual([]);
  return report.events;
};

/** Puts the written log into the folder; returns its copy of two events. */
const oldLogAndCopy = (): string => {
  cpSync(dirname(written.file), dirname(folder.file), { recursive: true });
  return join(dirname(folder.file), 'copy.db');
};

test('If replacing the log stops or fails at any step, the next start finds the old log or the new one', async () => {
  const copy = oldLogAndCopy();
  const seen = new Set<string>();
  for (const kind of ['fails once', 'ends'] as const)
    for (let at = 0; ; at += 1) {
      const before = await countEvents();
      expect(before).toBe(5);
      mkdirSync(headFolder(folder.file), { recursive: true });
      writeFileSync(join(headFolder(folder.file), 'later.txt'), '');
      expect(await prepareReplacement(folder.file, copy)).toMatchObject({
        ok: true,
      });
      let step = 0;
      let hit = false;
      const done = replaceLog(folder.file, ['later.txt'], 0, () => {
        step += 1;
        // If the process ends, the undo step does not run either.
        if (kind === 'ends' ? step > at : step === at + 1) {
          hit = true;
          throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        }
      });
      const events = await countEvents();
      expect([2, 5]).toContain(events);
      seen.add(`${kind}: ${events}`);
      expect(done.ok).toBe(!hit);
      if (done.ok) expect(events).toBe(2);
      // Nothing was deleted: the five events are still in the folder, in use or archived.
      if (events === 2) {
        const aside = readdirSync(dirname(folder.file)).find(name => /set-aside-[^.]*$/.test(name)) ?? '';
        for (const end of ['', '-wal', '-shm']) rmSync(folder.file + end, { force: true });
        renameSync(join(dirname(folder.file), aside), folder.file);
      }
      for (const name of readdirSync(dirname(folder.file)))
        if (name.includes('set-aside') || name.includes('restoring'))
          rmSync(join(dirname(folder.file), name), { recursive: true });
      if (!hit) break;
    }
  expect([...seen].sort()).toEqual(['ends: 2', 'ends: 5', 'fails once: 2', 'fails once: 5']);
});

test('An interrupted replacement can be completed even if the completion is interrupted too', async () => {
  const copy = oldLogAndCopy();
  await prepareReplacement(folder.file, copy);
  let step = 0;
  replaceLog(folder.file, [], 0, () => {
    step += 1;
    if (step > 2) throw new Error('the process ends');
  });
  expect(existsSync(folder.file)).toBe(false);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), async times => {
      for (let time = 0; time < times; time += 1) finishReplacement(folder.file);
      expect(await countEvents()).toBe(2);
    }),
    { numRuns: 3 },
  );
});

test('If the replacement file is missing, the old log is used again', async () => {
  const copy = oldLogAndCopy();
  await prepareReplacement(folder.file, copy);
  let step = 0;
  replaceLog(folder.file, [], 0, () => {
    step += 1;
    if (step > 2) throw new Error('the process ends');
  });
  rmSync(replacementOf(folder.file));
  expect(await countEvents()).toBe(5);
});

test('A copy that cannot be prepared leaves the log in use', async () => {
  const copy = oldLogAndCopy();
  mkdirSync(join(replacementOf(folder.file), 'in the way'), { recursive: true });
  expect(await prepareReplacement(folder.file, copy)).toMatchObject({
    ok: false,
  });
  rmSync(replacementOf(folder.file), { recursive: true });
  expect(await countEvents()).toBe(5);
});

test('Events in the write-ahead log of a copy are restored with it', async () => {
  const copy = oldLogAndCopy();
  const other = logFolder();
  const log = await other.open();
  await log.append(Array.from({ length: 7 }, (_, at) => note(at, `number ${at}`)));
  rmSync(copy);
  expect(await prepareReplacement(folder.file, other.file)).toMatchObject({
    ok: true,
  });
  expect(replaceLog(folder.file, [], 0)).toMatchObject({ ok: true });
  await other.remove();
  expect(await countEvents()).toBe(7);
});

/** What the next start says of the log. */
const opening = async (): Promise<string | undefined> => {
  const answer = await startWriter(folder.file);
  return answer?.type === 'refused' ? answer.error.code : answer?.type;
};
const removeLog = (): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(folder.file + end, { force: true });
};

test('A new log is created if there is no trace of an earlier one', async () => {
  expect(await opening()).toBe('ready');
  removeLog();
  expect(await opening()).toBe('ready');
});

test('After evidence was written, a missing or empty log is reported, and no new one is created', async () => {
  oldLogAndCopy();
  removeLog();
  expect(await opening()).toBe('log.missing');
  expect(existsSync(folder.file)).toBe(false);
  writeFileSync(folder.file, '');
  expect(await opening()).toBe('log.missing');
});

test.each([
  ['a signed head', () => join(headFolder(folder.file), '2026-11-22.json')],
  ['a daily copy', () => join(dirname(folder.file), 'copies', 'payments-2026-11-22.db')],
  ['a write-ahead log', () => `${folder.file}-wal`],
  ['a log that was set aside', () => `${folder.file}.set-aside-2026-11-22T10-00-00`],
])("%s is a trace of an earlier log, even without the log's lock", async (_what, trace) => {
  mkdirSync(dirname(trace()), { recursive: true });
  writeFileSync(trace(), 'x');
  expect(await opening()).toBe('log.missing');
  expect(existsSync(folder.file)).toBe(false);
});

describe.skipIf(process.platform === 'win32')('deletion of files of an open log', () => {
  test.each([
    ['the log is deleted', () => rmSync(folder.file)],
    ['its write-ahead log is deleted', () => rmSync(`${folder.file}-wal`)],
    [
      'another file takes its place',
      () => {
        writeFileSync(`${folder.file}.other`, 'a text');
        renameSync(`${folder.file}.other`, folder.file);
      },
    ],
    ['its folder is renamed', () => renameSync(dirname(folder.file), `${dirname(folder.file)}-away`)],
  ])('Nothing is acknowledged when %s of an open log, and the window is notified', async (what, remove) => {
    const emitted: (string | null)[] = [];
    let report: () => void = () => undefined;
    const reported = new Promise<void>(resolve => {
      report = resolve;
    });
    const log = await openPaymentLog({
      file: folder.file,
      writer: 'console-1',
      hasList: false,
      onStateError: error => {
        emitted.push(error?.code ?? null);
        if (error?.code === 'log.missing') report();
      },
    });
    if (!log.ok) throw new Error(log.error.code);
    expect(await log.value.append([note(0, 'one')])).toMatchObject({ ok: true });
    remove();
    // Without another append: the writer checks its files each second.
    await reported;
    expect(await log.value.append([note(1, 'two')])).toMatchObject({ error: { code: 'log.missing' } });
    if (what === 'its folder is renamed') {
      renameSync(`${dirname(folder.file)}-away`, dirname(folder.file));
      expect(await log.value.append([note(2, 'three')])).toMatchObject({ ok: true });
      expect(emitted.at(-1)).toBeNull();
    }
    await log.value.close();
  });
});
