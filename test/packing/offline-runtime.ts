import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** Marks the fuses inside Electron's binary; Electron's own tool searches for it. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** The fuses of Electron 45, all of them disabled. */
const electronFuses = '0'.repeat(9);

const fuseBytes = (fuses: string): Buffer =>
  Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuses.length]), Buffer.from(fuses)]);

const machines = { x64: 0x8664, arm64: 0xaa64 } as const;
type Processor = keyof typeof machines;

/** An empty Windows program with `content` at its end: enough for what edits its resources. */
export const windowsProgram = (processor: Processor, content: Buffer = Buffer.alloc(0)): Buffer => {
  const program = NtExecutable.createEmpty();
  program.newHeader.fileHeader.machine = machines[processor];
  program.setExtraData(content);
  return Buffer.from(program.generate());
};

/** A program with an empty description, which the packer fills in. */
const describedProgram = (processor: Processor, content: Buffer): Buffer => {
  const program = NtExecutable.from(windowsProgram(processor, content));
  const resources = NtExecutableResource.from(program);
  const description = Resource.VersionInfo.createEmpty();
  description.setStringValues({ lang: 1033, codepage: 1200 }, { FileDescription: '' });
  description.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
};

const write = (file: string, content: string | Buffer = '', mode = 0o644): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
};

const propertyList = (name: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>CFBundleName</key><string>${name}</string>` +
  `<key>CFBundleExecutable</key><string>${name}</string></dict></plist>\n`;

const writeMacRuntime = (folder: string, fuses: Buffer): void => {
  const contents = join(folder, 'Electron.app', 'Contents');
  const frameworks = join(contents, 'Frameworks');
  write(join(contents, 'Info.plist'), propertyList('Electron'));
  write(join(contents, 'MacOS', 'Electron'), '', 0o755);
  mkdirSync(join(contents, 'Resources'), { recursive: true });
  write(join(frameworks, 'Electron Framework.framework', 'Electron Framework'), fuses);
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = join(frameworks, `Electron Helper${kind}.app`, 'Contents');
    write(join(helper, 'Info.plist'), propertyList(`Electron Helper${kind}`));
    write(join(helper, 'MacOS', `Electron Helper${kind}`), '', 0o755);
  }
};

type Options = { system?: 'linux' | 'win32' | 'darwin'; processor?: Processor; fuses?: string };

/**
 * A folder that the packer accepts as Electron's runtime: it cannot run, but its fuses can be set and read. `fuses`:
 * their characters.
 */
export const writeOfflineRuntime = (
  folder: string,
  electronVersion: string,
  { system = 'linux', processor = 'x64', fuses = electronFuses }: Options = {},
): void => {
  const content = fuseBytes(fuses);
  // The packer copies only the application of a macOS runtime that is a folder: its licences are already in it.
  const licences = system === 'darwin' ? join('Electron.app', 'Contents', 'Resources') : '';
  if (system === 'darwin') writeMacRuntime(folder, content);
  if (system === 'win32') write(join(folder, 'electron.exe'), describedProgram(processor, content));
  if (system === 'linux') {
    write(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), content]), 0o755);
    write(join(folder, 'chrome-sandbox'), '#!/bin/sh\nexit 1\n', 0o755);
  }
  if (system !== 'darwin') mkdirSync(join(folder, 'resources'), { recursive: true });
  write(join(folder, 'version'), electronVersion);
  write(
    join(folder, licences, system === 'darwin' ? 'LICENSE.electron.txt' : 'LICENSE'),
    'The licence of Electron',
  );
  write(join(folder, licences, 'LICENSES.chromium.html'), 'The licences of Chromium');
};

export const electronVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as { version: string })
    .version;
