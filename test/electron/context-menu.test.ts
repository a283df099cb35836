import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions, Session } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWindow } from '../../main/electron/window.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import * as fakeElectron from '../../tools/fake-electron/electron.ts';

vi.mock('electron', () => import('../../tools/fake-electron/electron.ts'));

const { recorded } = fakeElectron;
const searched: string[] = [];
const plain = {
  isEditable: false,
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  formControlType: 'none',
  editFlags: { canCut: true, canCopy: true, canPaste: true, canSelectAll: true },
};
let window: BrowserWindow;

/** The menu of a right click in the console's window: its labels, those in brackets do nothing. */
const menuAt = async (clicked: Partial<Record<keyof ContextMenuParams, unknown>>): Promise<string[]> => {
  recorded.contextMenu = undefined;
  window.webContents.emit('context-menu', {}, { ...plain, ...clicked });
  await new Promise(setImmediate);
  const items = (recorded.contextMenu ?? []) as MenuItemConstructorOptions[];
  return items.map(({ type, label = '', enabled }) =>
    type === 'separator' ? '-' : enabled === false ? `(${label})` : label,
  );
};

beforeEach(() => {
  searched.length = 0;
  window = openWindow({
    preload: 'preload.cjs',
    own: fakeElectron.session.defaultSession as unknown as Session,
    isPackaged: true,
    windowState: null,
    theme: 'system',
    loadTexts: async () => formatterFor('en', 'en'),
    onWindowState: () => undefined,
    onFault: () => undefined,
    onSearch: words => searched.push(words),
  });
});

test('a right click in a field offers cut, copy and paste, and in text without a selection nothing', async () => {
  expect(await menuAt({ isEditable: true })).toEqual(['Cut', 'Copy', 'Paste', 'Select all']);
  expect(await menuAt({})).toEqual([]);
});

test('a selected text is copied or searched for by a right click', async () => {
  const selected = { selectionText: ' CF-20261128-0042\n' };
  expect(await menuAt(selected)).toEqual(['Copy', '-', 'Search for “CF-20261128-0042”']);
  const items = recorded.contextMenu as { click?: () => void }[];
  items.at(-1)?.click?.();
  expect(searched).toEqual(['CF-20261128-0042']);
});

test('a password is neither cut, copied nor searched for by a right click', async () => {
  expect(
    await menuAt({ isEditable: true, selectionText: 'correct horse', formControlType: 'input-password' }),
  ).toEqual(['(Cut)', '(Copy)', 'Paste', 'Select all']);
});

test('a misspelt word is corrected by a right click', async () => {
  const misspelt = { isEditable: true, misspelledWord: 'recieved', dictionarySuggestions: ['received'] };
  expect((await menuAt(misspelt)).slice(0, 2)).toEqual(['received', '-']);
});
