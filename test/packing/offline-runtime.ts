import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Marks the fuses inside Electron's binary; Electron's own tool searches for it. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A folder that the packer accepts as Electron's runtime: it cannot run, but its fuses can be set and read. */
export const writeOfflineRuntime = (folder: string, electronVersion: string): void => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const fuses = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, 9]), Buffer.from('0'.repeat(9))]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), fuses]));
  chmodSync(join(folder, 'electron'), 0o755);
  writeFileSync(join(folder, 'version'), electronVersion);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), '');
};

export const electronVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as { version: string })
    .version;
