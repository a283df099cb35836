import { expect, test, vi } from 'vitest';
import { createMessageBoxTexts } from '../../main/electron/message-box-texts.ts';
import { msg } from '../../shared/messages/message.ts';

vi.mock('electron', () => import('../../tools/fake-electron/electron.ts'));

test.each([
  ['de', 'Neu starten'],
  ['en', 'Restart'],
  ['system', 'Restart'],
] as const)('a message box is in the language of the settings: %s', async (chosen, text) => {
  const format = await createMessageBoxTexts(() => chosen)();
  expect(format(msg('fault.restart'))).toBe(text);
});

test('a message box without its texts still shows what happened', async () => {
  const load = createMessageBoxTexts(() => {
    throw new Error('no settings');
  });
  const format = await load();
  expect(format(msg('fault.closing.text', { reference: 'K7' }))).toBe('fault.closing.text\nK7');
});
