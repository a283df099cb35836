import { open } from 'node:fs/promises';
import { serveCalls } from '../threads/thread.ts';
import type { Sheet } from './sheet.ts';
import { createWorkbook } from './workbook.ts';

/** The worker thread that packs one workbook and writes it to a new file. */

export type WorkbookWorker = {
  addSheet: (sheet: Sheet) => void;
  addRows: (rows: Sheet['rows'], sheet?: number) => void;
  /** Returns the file system's error code; null if the file is written. */
  write: (file: string) => Promise<string | null>;
};

const writeNew = async (file: string, bytes: Uint8Array): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

serveCalls((): WorkbookWorker => {
  const workbook = createWorkbook();
  return {
    addSheet: workbook.addSheet,
    addRows: workbook.addRows,
    write: async file => {
      try {
        await writeNew(file, await workbook.bytes());
        return null;
      } catch (thrown) {
        if (thrown instanceof Error && 'syscall' in thrown && 'code' in thrown) return String(thrown.code);
        throw thrown;
      }
    },
  };
});
