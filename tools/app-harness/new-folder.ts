import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new folder for the present test file, removed after it and its hooks (each-test-file.ts). */
export const newFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `counterfoil-${name}-`));
  made.push(folder);
  return folder;
};

export const removeFolders = (): void => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
};
