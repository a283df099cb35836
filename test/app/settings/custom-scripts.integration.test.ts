import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The merchant's own scripts, through the requests of the window. */

const app = useApp();

const none = { en: {}, de: {} };
const stored = async () => (await app.state()).settings.sentences;
const settingsFile = (): string => join(app.folder, 'settings.json');

test('a script is stored for its state and language, and is there after a restart', async () => {
  const sentences = { en: { expired: 'That link is over; here comes a new one.' }, de: {} };
  await app.request('settings.change', { sentences });
  expect(await stored()).toEqual(sentences);
  expect(openSettings(settingsFile(), 'anna').read().settings.sentences).toEqual(sentences);
  await app.request('settings.change', { sentences: none });
  expect(await stored()).toEqual(none);
});

test('an invalid script is refused with its field, and nothing is changed', async () => {
  const refused = await app.request('settings.change', {
    sentences: { en: { expired: 'It was over at {time}.', waiting: 'It works.' }, de: {} },
  });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'sentences.en.expired' }] },
  });
  expect(await stored()).toEqual(none);
});
