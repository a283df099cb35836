import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { FileInspection } from '../../../shared/callbacks/file-inspection.ts';
import { sourcesOf } from '../../../renderer/screens/payment/sources.tsx';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { addShop, value } from '../../../tools/app-harness/running-app.ts';
import { translateTo } from '../../../tools/app-harness/translate.ts';
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

/** More than a batch: 1,200 that verify, 120 with a changed amount, 60 forged ones, 20 delivered again. */
const mixture = [
  ...Array.from({ length: 1_200 }, (_, at) => callback(`GOOD-${at}`)),
  ...Array.from({ length: 120 }, (_, at) => callback(`CUT-${at}`, { sent: '10' })),
  ...Array.from({ length: 60 }, (_, at) => callback(`BAD-${at}`, { password: 'forged' })),
  ...Array.from({ length: 20 }, (_, at) => callback(`GOOD-${at}`)),
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
  'a long file of callbacks is counted by verdict, kind and cause, and stored completely; its callbacks count as known the second time',
  { timeout: 60_000 },
  async () => {
    expect(value(await open(mixture)).opened).toEqual({ name: 'callbacks.log', text: null });
    const file = await until('done');
    expect(file).toMatchObject({
      found: 1_400,
      verified: [{ profileId, count: 1_220 }],
      failed: 180,
      unsigned: 0,
      repeated: 20,
      parts: { valid: 1_200, repeated: 20, invalid: 180, unchecked: 0 },
      form: 'urlencoded',
      kinds: [{ type: 'sale', status: 'success', count: 1_400 }],
    });
    expect(inWords(file.causes).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('10.00'),
      null,
    ]);
    for (const { count, rows: ofCause } of file.causes) expect(ofCause).toHaveLength(count);
    expect(file.tried).toBeGreaterThan(14);
    const { rows, total } = await app.value('callbacks.fileRows', { show: 'failed', from: 119, limit: 2 });
    expect(total).toBe(180);
    expect(rows.map(({ orderNumber, line }) => [orderNumber, line])).toEqual([
      ['CUT-119', 1_320],
      ['BAD-0', 1_321],
    ]);
    const one = await app.value('callbacks.fileInspection', { index: rows[0]?.index ?? 0 });
    expect(one.callbacks[0]).toMatchObject({
      orderNumber: 'CUT-119',
      verification: { verdict: 'invalid' },
    });
    expect(inWords(one.callbacks[0]?.nearMiss)?.sentence).toContain('10.00');
    expect(JSON.stringify(one)).not.toMatch(/[0-9a-f]{40}/);

    await app.request('callbacks.storeFile', { profileId });
    expect(await until('stored')).toMatchObject({ stored: 1_400, duplicates: 20 });
    const { payment } = await app.read('GOOD-7', profileId);
    expect(payment).toMatchObject({ state: 'paid-unconfirmed', amount: '10.00' });
    const forged = await app.read('BAD-7', profileId);
    expect(forged.payment.state).not.toMatch(/paid/);
    await open(mixture, 'again.log');
    await until('done');
    await app.request('callbacks.storeFile', { profileId });
    expect(await until('stored')).toMatchObject({ stored: 1_400, duplicates: 1_400 });
  },
);

test('a long file of callbacks is released when it is closed, even while it is read', async () => {
  await open(mixture.repeat(10));
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
  await open(mixture);
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

/** The inspector: its two samples, and texts with several callbacks. */

const inspectSample = async (isValid: boolean) => {
  const { text } = await app.value('callbacks.sample', { isValid });
  const [callback] = inWords(await app.value('callbacks.inspect', { text })).callbacks;
  return callback;
};

test('one sample verifies, the other one does not and has a known cause', async () => {
  expect((await inspectSample(true))?.verification.verdict).toBe('verified');
  const invalid = await inspectSample(false);
  expect(invalid?.verification.verdict).toBe('invalid');
  expect(invalid?.nearMiss?.sentence).toContain('12.50');
});

test('a pasted text with two callbacks is summed up like a file, and stored as pasted', async () => {
  const [valid, invalid] = await Promise.all(
    [true, false].map(async isValid => (await app.value('callbacks.sample', { isValid })).text),
  );
  const text = `${valid?.replaceAll('\n', '&')}\n${invalid?.replaceAll('\n', '&')}`;
  await app.value('callbacks.dropFile', { name: '', text, via: 'paste' });
  const file = async () => (await app.value('callbacks.file', {})).file;
  await expect.poll(async () => (await file())?.phase).toBe('done');
  expect(await file()).toMatchObject({
    found: 2,
    parts: { valid: 1, repeated: 0, invalid: 1, unchecked: 0 },
    causes: [{ count: 1, rows: [{ orderNumber: 'EXAMPLE-1', amount: '12.5' }] }],
  });
  await app.value('callbacks.storeFile', { profileId: 'sandbox' });
  await expect.poll(async () => (await file())?.phase).toBe('stored');
  const { events } = await app.value('callbacks.recent', { limit: 2 });
  expect(events.map(event => event.kind === 'callback.received' && event.body.via)).toEqual([
    'paste',
    'paste',
  ]);
});

test('the payment of a forged callback is not paid, and its column among the sources shows it as not proven', async () => {
  await app.value('callbacks.store', {
    text: signedBody('FORGED-1', 'forged'),
    via: 'paste',
    profileId: 'sandbox',
  });
  const { payment, events } = await app.read('FORGED-1');
  expect(payment.state).not.toMatch(/paid/);
  expect(sourcesOf(events, payment, translateTo('en')).map(({ name }) => name)).toEqual([
    'unproven-callback',
  ]);
});
