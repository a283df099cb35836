import { expect, test } from 'vitest';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { sourcesOf } from '../../../renderer/screens/payment/sources.tsx';
import type { Inspection } from '../../../shared/callbacks/inspection.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { signedBody } from '../../../tools/evidence/sign-callback.ts';
import { translateTo } from '../../../tools/app-harness/translate.ts';

/** The inspector: its two samples, and texts with several callbacks. */

const app = useApp();

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

/** A forged callback with sale + success: no headline calls it a payment. */

const forged = (order: number): string => signedBody(`FORGED-${order}`, 'forged');

const headlines = ({ callbacks }: Inspection) =>
  callbacks.map(({ meaning }) => ({ effect: meaning.effect, title: inWords(meaning.title) }));
const unproven = { effect: 'none', title: 'This callback changes nothing' };

test('the inspector shows it as not proven', async () => {
  const inspected = await app.value('callbacks.inspect', { text: forged(0) });
  expect(headlines(inspected)).toEqual([unproven]);
});

test('the payment in it is not paid, and its column among the sources shows it as not proven', async () => {
  await app.value('callbacks.store', { text: forged(1), via: 'paste', profileId: 'sandbox' });
  const { payment, events } = await app.read('FORGED-1');
  expect(payment.state).not.toMatch(/paid/);
  expect(sourcesOf(events, payment, translateTo('en')).map(({ name }) => name)).toEqual([
    'unproven-callback',
  ]);
});
