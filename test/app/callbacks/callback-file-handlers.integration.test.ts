import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { FileInspection } from '../../../shared/callbacks/file-inspection.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { addShop, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { signedBody } from '../../../tools/evidence/sign-callback.ts';

/** A long file of callbacks through the requests of the window: read on a worker thread, listed, stored. */

const app = useApp();
let profileId: string;
beforeAll(async () => {
  profileId = await addShop(app);
});
afterEach(() => app.request('callbacks.closeFile', {}));

/** `sent`: the amount in the text, in place of the signed one. */
const callback = (orderNumber: string, { password = 'correct horse', sent = '10.00' } = {}): string =>
  signedBody(orderNumber, password, { order_amount: sent });

/** 2,000 that verify, 300 with a changed amount, 100 forged ones, 50 delivered again. */
const mixture = (): string =>
  [
    ...Array.from({ length: 2_000 }, (_, at) => callback(`GOOD-${at}`)),
    ...Array.from({ length: 300 }, (_, at) => callback(`CUT-${at}`, { sent: '10' })),
    ...Array.from({ length: 100 }, (_, at) => callback(`BAD-${at}`, { password: 'forged' })),
    ...Array.from({ length: 50 }, (_, at) => callback(`GOOD-${at}`)),
  ].join('\n');

const open = async (content: string | Uint8Array, name = 'callbacks.log') => {
  const file = join(app.folder, name);
  writeFileSync(file, content);
  app.willOpen(file);
  return app.request('callbacks.openFile', {});
};
const until = (...phases: FileInspection['phase'][]): Promise<FileInspection> =>
  vi.waitFor(
    async () => {
      const { file } = await app.value('callbacks.file', {});
      if (file && phases.includes(file.phase)) return file;
      throw new Error(`the file is ${file?.phase ?? 'not open'}`);
    },
    { interval: 10, timeout: 50_000 },
  );

test(
  'a long file of callbacks is counted by verdict, kind and cause, and each callback can be opened',
  { timeout: 60_000 },
  async () => {
    expect(value(await open(mixture())).opened).toEqual({ name: 'callbacks.log', text: null });
    const file = await until('done');
    expect(file).toMatchObject({
      found: 2_450,
      verified: [{ profileId, count: 2_050 }],
      failed: 400,
      unsigned: 0,
      repeated: 50,
      parts: { valid: 2_000, repeated: 50, invalid: 400, unchecked: 0 },
      form: 'urlencoded',
      kinds: [{ type: 'sale', status: 'success', count: 2_450 }],
    });
    expect(inWords(file.causes).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('10.00'),
      null,
    ]);
    for (const { count, rows: ofCause } of file.causes) expect(ofCause).toHaveLength(count);
    expect(file.tried).toBeGreaterThan(14);
    const { rows, total } = await app.value('callbacks.fileRows', { show: 'failed', from: 299, limit: 2 });
    expect(total).toBe(400);
    expect(rows.map(({ orderNumber, line }) => [orderNumber, line])).toEqual([
      ['CUT-299', 2_300],
      ['BAD-0', 2_301],
    ]);
    const one = await app.value('callbacks.fileInspection', { index: rows[0]?.index ?? 0 });
    expect(one.callbacks[0]).toMatchObject({
      orderNumber: 'CUT-299',
      verification: { verdict: 'invalid' },
    });
    expect(inWords(one.callbacks[0]?.nearMiss)?.sentence).toContain('10.00');
    expect(JSON.stringify(one)).not.toMatch(/[0-9a-f]{40}/);
  },
);

test(
  'a long file of callbacks is stored completely, and its callbacks count as known the second time',
  { timeout: 60_000 },
  async () => {
    await open(mixture());
    await until('done');
    await app.request('callbacks.storeFile', { profileId });
    expect(await until('stored')).toMatchObject({ stored: 2_450, duplicates: 50 });
    const { payment } = await app.read('GOOD-7', profileId);
    expect(payment).toMatchObject({ state: 'paid-unconfirmed', amount: '10.00' });
    const forged = await app.read('BAD-7', profileId);
    expect(forged.payment.state).not.toMatch(/paid/);
    await open(mixture(), 'again.log');
    await until('done');
    await app.request('callbacks.storeFile', { profileId });
    expect(await until('stored')).toMatchObject({ stored: 2_450, duplicates: 2_450 });
  },
);

test('a long file of callbacks is released when it is closed, even while it is read', async () => {
  await open(mixture().repeat(20));
  await app.value('callbacks.closeFile', {});
  expect((await app.value('callbacks.file', {})).file).toBeNull();
  expect(await app.value('callbacks.fileRows', {})).toEqual({ rows: [], total: 0 });
  expect(await app.request('callbacks.fileInspection', { index: 0 })).toMatchObject({ ok: false });
});

test('a file over 20 MB is refused before it is read', async () => {
  expect(await open(Buffer.alloc(20 * 1024 * 1024 + 1, 'a'))).toMatchObject({
    error: { code: 'callback.too-large' },
  });
  expect((await app.value('callbacks.file', {})).file).toBeNull();
});

test('a short file of callbacks is returned as text, like a pasted one', async () => {
  const text = callback('SHORT-1');
  expect(value(await open(text)).opened).toEqual({ name: 'callbacks.log', text });
  expect((await app.value('callbacks.file', {})).file).toBeNull();
});

test('the dialog for a file of callbacks opens nothing if the user cancelled', async () => {
  app.willOpen(null);
  expect((await app.value('callbacks.openFile', {})).opened).toBeNull();
});

test('a file of callbacks that cannot be read is reported', async () => {
  app.willOpen(join(app.folder, 'gone.log'));
  expect(await app.refusal('callbacks.openFile', {})).toBe('callback.unreadable');
  mkdirSync(join(app.folder, 'folder'));
  app.willOpen(join(app.folder, 'folder'));
  expect(await app.refusal('callbacks.openFile', {})).toBe('callback.unreadable');
});

/** Turns of the main thread's event loop until the work is done. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0;
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await new Promise(resolve => setImmediate(resolve));
    turns += 1;
  }
  return turns;
};

test('a pasted text is read, inspected and verified on a worker thread, and the main thread continues', async () => {
  const many = Array.from({ length: 1_500 }, (_, at) => callback(`MANY-${at}`, { sent: '10' })).join('\n');
  const inspecting = app.request('callbacks.inspect', { text: many });
  // Read on the main thread, the text would be done within a few turns.
  expect(await turnsDuring(inspecting)).toBeGreaterThan(50);
  expect(value(await inspecting)).toMatchObject({ found: 1_500, form: 'urlencoded' });
});

test('a pasted text is still inspected when a long file is closed at the same time', async () => {
  await open(mixture());
  const inspecting = app.request('callbacks.inspect', { text: callback('ONE-1') });
  await app.request('callbacks.closeFile', {});
  expect(value(await inspecting).callbacks[0]?.verification.verdict).toBe('verified');
});

test('a pasted text is stored with the verdict of the profile whose password verifies it', async () => {
  const text = `${callback('KEEP-1')}\n${callback('KEEP-2', { password: 'another' })}`;
  expect(await app.value('callbacks.store', { text, via: 'paste', profileId })).toMatchObject({
    stored: 2,
    duplicates: 0,
  });
  const { events } = await app.value('callbacks.recent', { limit: 2 });
  const verdicts = events.map(event =>
    event.kind === 'callback.received' ? [event.orderNumber, event.body.verification.verdict] : [],
  );
  expect(Object.fromEntries(verdicts)).toEqual({ 'KEEP-1': 'verified', 'KEEP-2': 'invalid' });
});
