import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareReplacement } from '../../../main/payment-log/sqlite/prepare-replacement.ts';
import { openCredentialStore } from '../../../main/credentials/keychain.ts';
import { readSignedHead } from '../../../main/payment-log/heads/read-signed-head.ts';
import { hasValidSignature } from '../../../main/payment-log/heads/signed-head.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { fillDisk, mayMount, mountDisk, unmountDisk } from '../../../tools/app-harness/small-disk.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { addShop, newPayment, openReceiver, startTestApp } from '../../../tools/app-harness/running-app.ts';
import type { SignedHead } from '../../../main/payment-log/answers.ts';

/** Maintenance of the payment log through the requests of the window: real log, real keychain, real files. */

const headIn = (file: string): SignedHead => {
  const head = readSignedHead(JSON.parse(readFileSync(file, 'utf8')));
  if (!head) throw new Error('This file holds no signed head.');
  return head;
};

let aheadMs = 0;
const app = useApp({ clock: () => Date.now() + aheadMs });

const raise = async (orderNumber: string): Promise<void> => {
  await app.value('payments.create', newPayment({ orderNumber }));
};
/** The orders of a test, newest first. */
const orders = async (prefix: string): Promise<string[]> => {
  const { rows } = await app.value('payments.list', { filter: {} });
  return rows.map(row => row.orderNumber).filter(orderNumber => orderNumber.startsWith(prefix));
};
const copies = (): string[] => readdirSync(join(app.folder, 'copies'));

/** Damages the first page of the log, as a failing disk would. */
const damage = (file: string): void => {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 0, 4096);
  writeFileSync(file, bytes);
};

test.skipIf(!mayMount)(
  'the daily maintenance reports that there is no room for the daily copy, and makes it once there is',
  async () => {
    const folder = newFolder('no-room');
    mountDisk(folder, 'size=8m');
    let small = await startTestApp(folder);
    try {
      await small.value('payments.create', newPayment({ orderNumber: 'NO-ROOM-1' }));
      // After a restart the whole log is in its file.
      await small.close();
      small = await startTestApp(folder);
      const filler = join(folder, 'filler');
      fillDisk(filler);
      // Room for the signed head and for one more log, but not for two.
      truncateSync(filler, statSync(filler).size - statSync(small.logFile).size);
      await small.daily();
      expect((await small.state()).log.dailyTaskProblem).toMatchObject({
        code: 'file.no-room',
      });
      rmSync(filler);
      await small.daily();
      expect((await small.state()).log.dailyTaskProblem).toBeNull();
      expect(readdirSync(join(folder, 'copies'))).toHaveLength(1);
    } finally {
      await small.close();
      unmountDisk(folder);
    }
  },
);

test('the daily maintenance makes no copy of an empty log, then one that verifies and a signed head; it copies the first day again as it grows', async () => {
  await app.daily();
  expect((await app.value('log.copies', {})).copies).toEqual([]);
  await raise('D-1');
  await app.daily();
  const day = new Date().toISOString().slice(0, 10);
  const head = headIn(join(app.folder, 'heads', `${day}.json`));
  expect(hasValidSignature(head)).toBe(true);
  const { log } = await app.state();
  expect(log).toMatchObject({ problem: null, dailyTaskProblem: null, checked: { problems: 0 } });
  expect(log.head?.key).toMatch(/^[0-9a-f]{16}$/);
  expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toContain('PRIVATE');
  await raise('D-2');
  await raise('D-3');
  await app.daily();
  const name = `payments-${day}.db`;
  expect((await app.value('log.copies', {})).copies).toMatchObject([{ name }]);
  const { candidate } = await app.value('log.checkCopy', { name });
  expect(candidate?.report).toMatchObject({ payments: 3, problems: [] });
});

test('the daily maintenance deletes no copy while the clock is ahead, and verifies again once it is right', async () => {
  await app.daily();
  const [first] = copies();
  aheadMs = 400 * 86_400_000;
  await app.daily();
  expect(copies()).toHaveLength(2);
  expect(copies()).toContain(first);
  aheadMs = 0;
  const now = Date.now();
  await app.daily();
  expect((await app.state()).log.checked?.at).toBeGreaterThanOrEqual(now);
  expect((await app.state()).log.checked?.at).toBeLessThanOrEqual(Date.now());
});

test('the daily maintenance keeps the fourteen newest copies, and deletes those with a future date first', async () => {
  await app.daily();
  const folder = join(app.folder, 'copies');
  const named = (days: number): string =>
    `payments-${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}.db`;
  const today = readdirSync(folder)[0] ?? '';
  for (let days = 1; days <= 20; days += 1) writeFileSync(join(folder, named(days * 3)), '');
  writeFileSync(join(folder, named(-400)), '');
  writeFileSync(join(folder, 'mine.db'), '');
  rmSync(join(folder, today));
  await app.daily();
  expect(readdirSync(folder).sort()).toEqual(
    ['mine.db', today, ...Array.from({ length: 13 }, (_, at) => named((at + 1) * 3))].sort(),
  );
  expect((await app.value('log.copies', {})).copies[0]?.name).toBe(today);
});

test('a copy replaces the payment log only after it was checked, and the log is archived', async () => {
  await raise('C-1');
  const { file } = await app.value('log.backUp', {});
  await raise('C-2');
  await app.daily();
  app.willOpen(file);
  const { candidate } = await app.value('log.checkCopy', { name: null });
  expect(candidate).toMatchObject({ report: { problems: [] } });
  expect(candidate?.inUse).toBeGreaterThan(candidate?.report.events ?? Number.POSITIVE_INFINITY);
  expect(await orders('C-')).toEqual(['C-2', 'C-1']);

  const restored = await app.value('log.restore', { token: candidate?.token ?? '' });
  expect(await orders('C-')).toEqual(['C-1']);
  expect(existsSync(join(app.folder, restored.archivedAs))).toBe(true);
  // The head of the later events was archived with the log; the chain continues from the copy.
  expect((await app.value('log.verify', {})).problems).toEqual([]);
  await raise('C-3');
  expect((await app.value('log.verify', {})).problems).toEqual([]);
});

describe('a copy that is not restored', () => {
  let copied: string[] = [];
  let file = '';
  beforeEach(async () => {
    copied = await orders('');
    file = join(app.saved, `${crypto.randomUUID()}.db`);
    app.willSave(file);
    await app.value('log.backUp', {});
    app.willOpen(file);
  });

  test('a copy that was changed is found before anything is replaced', async () => {
    const bytes = readFileSync(file);
    const at = bytes.indexOf('"123.40"');
    expect(at).toBeGreaterThan(0);
    bytes.write('"923.40"', at);
    writeFileSync(file, bytes);
    const { candidate } = await app.value('log.checkCopy', { name: null });
    expect(candidate?.report.problems.length).toBeGreaterThan(0);
    expect(await orders('')).toEqual(copied);
  });

  test('a copy with a foreign trigger is refused', async () => {
    const copy = new Database(file);
    copy.exec('CREATE TRIGGER keep BEFORE DELETE ON personal BEGIN SELECT RAISE(IGNORE); END');
    copy.close();
    expect(await app.refusal('log.checkCopy', { name: null })).toBe('log.altered');
    expect(await orders('')).toEqual(copied);
  });

  test('a copy that changes between the check and the restore is refused', async () => {
    const { candidate } = await app.value('log.checkCopy', { name: null });
    appendFileSync(file, 'x');
    utimesSync(file, new Date(), new Date());
    expect(await app.refusal('log.restore', { token: candidate?.token ?? '' })).toBe('input.invalid');
    expect(await orders('')).toEqual(copied);
  });

  test('a file that is no copy of a payment log is not restored', async () => {
    const photo = join(app.folder, 'holiday.jpg');
    writeFileSync(photo, 'not a database, however long it is '.repeat(200));
    app.willOpen(photo);
    expect(await app.refusal('log.checkCopy', { name: null })).toBe('log.corrupt');
  });
});

test('a log that cannot be opened is reported, and works again once the cause is removed', async () => {
  const second = await startTestApp(app.folder);
  expect((await second.state()).log.problem?.code).toBe('log.busy');
  expect(await second.refusal('payments.list', { filter: {} })).toBe('log.busy');
  await app.restart(async () => {
    expect((await second.value('log.reopen', {})).log.problem).toBeNull();
    expect((await second.value('payments.list', { filter: {} })).rows).not.toEqual([]);
    await second.close();
  });
});

test('the daily maintenance postpones its copy and its verification while callbacks flood in, six hours at most', async () => {
  const profileId = await addShop(app);
  const url = await openReceiver(app, profileId);
  const flood = Array.from({ length: 600 }, (_, at) => ({
    order_number: `F-${at}`,
    status: 'fail',
    type: 'sale',
  }));
  const headers = { 'content-type': 'application/json' };
  await app.daily();
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(flood) })).status).toBe(200);
  aheadMs = 86_400_000;
  const done = async () => [(await app.state()).log.checked?.at, copies().toSorted().at(-1)] as const;
  const before = await done();
  for (let hours = 0; hours < 6; hours += 1) {
    await app.daily();
    expect(await done()).toEqual(before);
  }
  await app.daily();
  const [checkedAt = 0, newest = ''] = await done();
  expect(checkedAt).toBeGreaterThan(before[0] ?? 0);
  expect(newest > (before[1] ?? '')).toBe(true);
  aheadMs = 0;
});

test('the head in the keychain reports an older log in its place, even if its signed heads are missing', async () => {
  await raise('K-1');
  const { file } = await app.value('log.backUp', {});
  await raise('K-2');
  expect((await app.value('log.verify', {})).problems).toEqual([]);
  const { installation } = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8'));
  const keychain = openCredentialStore({ service: `Counterfoil test ${installation}` });
  await expect.poll(async () => (await keychain.password('payment-log-last-head')).ok).toBe(true);
  await app.restart(() => {
    for (const end of ['', '-wal', '-shm']) rmSync(app.logFile + end, { force: true });
    rmSync(join(app.folder, 'heads'), { recursive: true, force: true });
    copyFileSync(file ?? '', app.logFile);
  });
  // Also the second time: the first verification must not accept the older log as expected.
  for (let time = 0; time < 2; time += 1)
    expect(inWords((await app.value('log.verify', {})).problems)).toMatchObject([
      { kind: 'head', at: { kind: 'end-file' }, message: expect.stringContaining('is missing now') },
      { kind: 'head', at: { kind: 'keychain' }, message: expect.stringContaining('is missing now') },
    ]);
});

test('a restore that ends in the middle is completed by the next start and is in the activity list', async () => {
  await raise('I-1');
  const { file } = await app.value('log.backUp', {});
  await raise('I-2');
  await app.value('log.verify', {});
  const archive = 'payments.db.set-aside-2026-01-02T03-04-05';
  await app.restart(async () => {
    expect(await prepareReplacement(app.logFile, file ?? '')).toMatchObject({ ok: true });
    // As the end of the process leaves it: the plan, the archived log, and the copy not yet in its place.
    const moves = [{ from: 'payments.db', to: archive }];
    writeFileSync(`${app.logFile}.replacing`, JSON.stringify({ moves, purpose: 'restored' }));
    renameSync(app.logFile, join(app.folder, archive));
  });
  expect(await orders('I-')).toEqual(['I-1']);
  const recorded = async () =>
    (await app.value('activity.list', {})).rows.map(({ action, details }) => ({
      action,
      details,
    }));
  await expect.poll(recorded).toContainEqual({ action: 'restored', details: { archive } });
});

test('a log that cannot be opened because it is damaged can be replaced by a new one or by a copy, and is never deleted', async () => {
  await raise('F-2');
  for (const name of copies()) rmSync(join(app.folder, 'copies', name));
  await app.daily();
  await app.restart(() => damage(app.logFile));
  const damaged = readFileSync(app.logFile);
  expect((await app.state()).log.problem?.code).toBe('log.corrupt');

  const { archivedAs } = await app.value('log.createNew', {});
  expect(readFileSync(join(app.folder, archivedAs)).equals(damaged)).toBe(true);
  expect((await app.state()).log).toMatchObject({ problem: null, payments: 0 });

  const [copy] = (await app.value('log.copies', {})).copies;
  const { candidate } = await app.value('log.checkCopy', { name: copy?.name ?? '' });
  await app.value('log.restore', { token: candidate?.token ?? '' });
  expect(await orders('F-2')).toEqual(['F-2']);
  expect(await app.request('log.createNew', {})).toMatchObject({ ok: false });
});
