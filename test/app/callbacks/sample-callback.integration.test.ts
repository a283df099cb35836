import { afterAll, beforeAll, expect, test } from 'vitest';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { startTestApp } from '../../../tools/app-harness/running-app.ts';

/** The two samples of the inspector, and texts with several callbacks. */

let app: Awaited<ReturnType<typeof startTestApp>>;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.remove());

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
  const { events } = await app.value('callbacks.recent', {});
  expect(events.map(event => event.kind === 'callback.received' && event.body.via)).toEqual([
    'paste',
    'paste',
  ]);
});
