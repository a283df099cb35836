import { open } from 'node:fs/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Sheet } from './sheet.ts';
import { createWorkbook } from './workbook.ts';

/** The worker thread that packs one workbook and writes it to a new file, whose path is its `workerData`. */

export type ToWorkbookWorker =
  | { type: 'sheet'; sheet: Sheet }
  | { type: 'rows'; rows: Sheet['rows']; sheet: number | undefined }
  | { type: 'finish' };

export type FromWorkbookWorker =
  | { type: 'written' }
  /** `code`: the file system's error code; null if the workbook could not be packed. */
  | { type: 'failed'; code: string | null; thrown: unknown };

const fileCodeOf = (thrown: unknown): string | null =>
  thrown instanceof Error && 'syscall' in thrown && 'code' in thrown ? String(thrown.code) : null;

const writeNew = async (file: string, bytes: Uint8Array): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const serve = (port: MessagePort, file: string): void => {
  const post = (message: FromWorkbookWorker): void => port.postMessage(message);
  const workbook = createWorkbook();
  const finish = async (): Promise<void> => writeNew(file, await workbook.bytes());
  port.on('message', (message: ToWorkbookWorker) => {
    switch (message.type) {
      case 'sheet':
        return workbook.addSheet(message.sheet);
      case 'rows':
        return workbook.addRows(message.rows, message.sheet);
      case 'finish':
        finish().then(
          () => post({ type: 'written' }),
          (thrown: unknown) => post({ type: 'failed', code: fileCodeOf(thrown), thrown }),
        );
    }
  });
};

if (parentPort) serve(parentPort, String(workerData));
