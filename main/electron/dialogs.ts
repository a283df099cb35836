import { basename, extname } from 'node:path';
import { dialog, type BrowserWindow, type FileFilter } from 'electron';
import type { FileKind, System } from '../app/common/system.ts';
import { msg } from '../../shared/messages/message.ts';
import { showMessageBox } from './crash-handling.ts';
import type { LoadTexts } from './message-box-texts.ts';

const kinds: Readonly<Record<string, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  jsonl: 'JSON Lines',
  json: 'JSON',
  pdf: 'PDF',
  db: 'SQLite',
};

/** The filter for a suggested name: without one, Windows adds no extension to a typed name. */
export const filtersOf = (suggestedName: string): FileFilter[] => {
  const extension = extname(basename(suggestedName)).slice(1).toLowerCase();
  if (!/^[a-z0-9]{1,10}$/.test(extension)) return [];
  return [{ name: kinds[extension] ?? extension.toUpperCase(), extensions: [extension] }];
};

const openFilters: Readonly<Record<FileKind, FileFilter[]>> = {
  any: [],
  certificate: [
    { name: 'PEM', extensions: ['pem', 'crt', 'cer', 'key'] },
    { name: '*', extensions: ['*'] },
  ],
  settings: [{ name: 'JSON', extensions: ['json'] }],
  log: [
    { name: 'SQLite', extensions: ['db'] },
    { name: '*', extensions: ['*'] },
  ],
};

/**
 * Save and open dialogs: modal to the window, and one at a time. While one is open, a further one returns null, as if
 * cancelled.
 */
export const fileDialogs = (window: () => BrowserWindow | null) => {
  let isOpen = false;
  const serialize = async (openDialog: (parent: BrowserWindow | null) => Promise<string | null>) => {
    if (isOpen) return null;
    isOpen = true;
    try {
      return await openDialog(window());
    } finally {
      isOpen = false;
    }
  };
  return {
    chooseSaveFile: (suggestedName: string): Promise<string | null> =>
      serialize(async parent => {
        const options = { defaultPath: suggestedName, filters: filtersOf(suggestedName) };
        const chosen = await (parent
          ? dialog.showSaveDialog(parent, options)
          : dialog.showSaveDialog(options));
        return chosen.canceled || !chosen.filePath ? null : chosen.filePath;
      }),
    chooseFolder: (): Promise<string | null> =>
      serialize(async parent => {
        const options = { properties: ['openDirectory' as const, 'createDirectory' as const] };
        const chosen = await (parent
          ? dialog.showOpenDialog(parent, options)
          : dialog.showOpenDialog(options));
        return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
      }),
    chooseOpenFile: (kind: FileKind = 'any'): Promise<string | null> =>
      serialize(async parent => {
        const options = { properties: ['openFile' as const], filters: openFilters[kind] };
        const chosen = await (parent
          ? dialog.showOpenDialog(parent, options)
          : dialog.showOpenDialog(options));
        return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
      }),
  };
};

/** Asks the person, outside the page; closing the box is a no. */
export const confirmDialog =
  (window: () => BrowserWindow | null, loadTexts: LoadTexts): System['confirm'] =>
  async (message, detail, yes) =>
    (await showMessageBox(window(), loadTexts, {
      type: 'question',
      message,
      detail,
      buttons: [yes, msg('cancel')],
      cancelId: 1,
    })) === 0;
