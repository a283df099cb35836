import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with a name that an unquoted argument or a wrong encoding would break. */
export const testFolder = (): { path: string; app: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'Büro & Kasse '));
  const app = join(path, 'Jane Döe');
  mkdirSync(app);
  return {
    path,
    app,
    // Fails while a file in it is open: nothing may be left open after a test.
    remove: () => rmSync(path, { recursive: true }),
  };
};
