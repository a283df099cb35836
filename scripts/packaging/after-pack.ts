import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { Arch, type AfterPackContext } from 'electron-builder';
import { nativeTarget } from './native-target.ts';

/** A value for every fuse of the runtime. A new fuse of a later runtime stops the build until it has a value. */
const fuses = {
  // The console must not run as a Node interpreter.
  [FuseV1Options.RunAsNode]: false,
  // It must not read options from the environment.
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  // It must not accept a Node debugger on its command line, which could read passwords.
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Cookies are not used; encrypted nevertheless, in case a library sets one.
  [FuseV1Options.EnableCookieEncryption]: true,
  // The archive is checked against its hash.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  // No JavaScript next to the archive is loaded in its place.
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // One snapshot for all processes: ours has no separate one.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The window has its own scheme; file:// needs no privileges.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Memory accesses of WebAssembly are checked by trap handlers, as Electron ships it.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const;

/** All files below a folder, as relative paths. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)));

/**
 * The problems of a packed application's resources; empty if there are none. `resources`: its folder. `target`:
 * system and processor, such as `win32-x64`.
 */
export const packageProblems = (resources: string, target: string): string[] => {
  const problems: string[] = [];
  const unpacked = join(resources, 'app.asar.unpacked');
  const siblingFiles = existsSync(unpacked) ? filesIn(unpacked) : [];
  const foreignFiles = siblingFiles.filter(file => !file.endsWith('.node'));
  if (foreignFiles.length > 0) problems.push(`Files outside the archive: ${foreignFiles.join(', ')}.`);
  for (const module of ['better-sqlite3', 'keyring']) {
    const binaries = siblingFiles.filter(file => file.endsWith('.node') && file.includes(module));
    const targets = binaries.map(file => nativeTarget(readFileSync(join(unpacked, file))) ?? basename(file));
    if (targets.join() !== target)
      problems.push(
        `The package for ${target} needs one binary of ${module} for it and has: ${targets.join(', ') || 'none'}. ` +
          `Install the packages for the target first: npm ci --os=SYSTEM --cpu=PROCESSOR.`,
      );
  }
  const other = siblingFiles.filter(file => file.endsWith('.node') && !/better-sqlite3|keyring/.test(file));
  if (other.length > 0) problems.push(`Unknown native modules: ${other.join(', ')}.`);
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt'])
    if (!existsSync(join(resources, file))) problems.push(`${file} is missing.`);
  const packed = listPackage(join(resources, 'app.asar'), { isPack: false });
  for (const file of [
    'out/main/index.js',
    'out/main/worker.js',
    'out/main/file-worker.js',
    'out/main/workbook-worker.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'assets/tray/colour-normal-16.png',
  ])
    if (!packed.some(path => path.replaceAll('\\', '/') === `/${file}`)) problems.push(`${file} is missing.`);
  return problems;
};

/** Called by the packer when the application's folder is complete, before it is signed. */
export const afterPack = async (context: AfterPackContext): Promise<void> => {
  const { appOutDir, arch, electronPlatformName: system, packager } = context;
  const { productFilename } = packager.appInfo;
  const isMac = system === 'darwin';
  const resources = isMac
    ? join(appOutDir, `${productFilename}.app`, 'Contents', 'Resources')
    : join(appOutDir, 'resources');
  const problems = packageProblems(resources, `${system}-${Arch[arch]}`);
  if (problems.length > 0) throw new Error(`This package must not be shipped.\n${problems.join('\n')}`);
  const executable = isMac
    ? join(appOutDir, `${productFilename}.app`)
    : join(appOutDir, system === 'win32' ? `${productFilename}.exe` : packager.appInfo.name.toLowerCase());
  await flipFuses(executable, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: isMac && arch === Arch.arm64,
    strictlyRequireAllFuses: true,
    ...fuses,
  });
};
