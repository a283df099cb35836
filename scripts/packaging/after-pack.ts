import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';
import { Arch, type AfterPackContext } from 'electron-builder';
import { root } from '../../tools/build/steps.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { nativeTarget } from './native-target.ts';
import { bundledPackages } from '../../tools/build/notices.ts';
import { foreignBeside, foreignInArchive, maxArchiveBytes } from './packed-files.ts';
import { runtimeVersions } from './runtime-versions.ts';

/** A value for every fuse of the runtime. A new fuse of a later runtime stops the build until it has a value. */
export const fuses = {
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

/** Everything below a folder but folders, as relative paths with slashes. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));

/** JavaScript of the application. The two native modules are loaded by packages, which are in the archive too. */
export const neededInArchive: readonly string[] = [
  'out/main/index.js',
  'out/main/worker.js',
  'out/main/list-worker.js',
  'out/main/file-worker.js',
  'out/main/workbook-worker.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'assets/tray/colour-normal-16.png',
];

/** The licences of what the keychain's native module was built from. */
const keychainNotices = 'THIRD-PARTY-NOTICES-KEYCHAIN.md';

/** Licences beside the archive: our own, those of what is bundled, Electron's and Chromium's. */
export const licences: readonly string[] = [
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
  keychainNotices,
  'LICENSE.electron.txt',
  'LICENSES.chromium.html',
];

const nativeModuleProblems = (unpacked: string, binaries: readonly string[], target: string): string[] => {
  const problems: string[] = [];
  for (const module of ['better-sqlite3', 'keyring']) {
    const ofModule = binaries.filter(file => file.includes(module));
    const targets = ofModule.map(file => nativeTarget(readFileSync(join(unpacked, file))) ?? basename(file));
    if (targets.join() !== target)
      problems.push(
        `The package for ${target} needs one binary of ${module} for it and has: ${targets.join(', ') || 'none'}. ` +
          `Install the packages for the target first: npm ci --os=SYSTEM --cpu=PROCESSOR.`,
      );
  }
  const other = binaries.filter(file => !/better-sqlite3|keyring/.test(file));
  if (other.length > 0) problems.push(`Unknown native modules: ${other.join(', ')}.`);
  return problems;
};

/**
 * The problems of a packed application's resources; empty if there are none. `resources`: its folder. `target`:
 * system and processor, such as `win32-x64`. `runtime`: the folder with the licences of the runtime.
 */
export const packageProblems = (resources: string, target: string, runtime = resources): string[] => {
  const unpacked = join(resources, 'app.asar.unpacked');
  const siblingFiles = existsSync(unpacked) ? filesIn(unpacked) : [];
  const binaries = siblingFiles.filter(file => file.endsWith('.node'));
  // Any of these could be run, or replaced without a trace; the runtime prefers a folder named app to the archive.
  const foreignFiles = [
    ...siblingFiles.filter(file => !binaries.includes(file)),
    ...foreignBeside(
      filesIn(resources).filter(file => !file.startsWith('app.asar.unpacked/')),
      target,
    ),
  ];
  const problems: string[] = [];
  if (foreignFiles.length > 0) problems.push(`Files outside the archive: ${foreignFiles.join(', ')}.`);
  problems.push(...nativeModuleProblems(unpacked, binaries, target));
  const isThere = (file: string): boolean => {
    const found = [resources, runtime].map(folder => join(folder, file)).find(path => existsSync(path));
    return found !== undefined && statSync(found).size > 0;
  };
  for (const file of licences) if (!isThere(file)) problems.push(`${file} is missing or empty.`);
  const archive = join(resources, 'app.asar');
  const packed = existsSync(archive)
    ? listPackage(archive, { isPack: false }).map(path => path.replaceAll('\\', '/'))
    : [];
  const foreignPaths = foreignInArchive(packed, target);
  if (foreignPaths.length > 0)
    problems.push(`Files that do not belong into the archive: ${foreignPaths.slice(0, 20).join(', ')}.`);
  const size = existsSync(archive) ? statSync(archive).size : 0;
  if (size > maxArchiveBytes) problems.push(`The archive has ${size} bytes, more than ${maxArchiveBytes}.`);
  for (const file of neededInArchive) if (!packed.includes(`/${file}`)) problems.push(`${file} is missing.`);
  return problems;
};

/** Sets every fuse of a runtime; throws if it has a fuse without a value here, or if one was removed from it. */
export const setFuses = async (executable: string, resetAdHocDarwinSignature: boolean): Promise<void> => {
  const { version: _version, ...wire } = await getCurrentFuseWire(executable);
  const names: Readonly<Record<string, string | FuseV1Options>> = FuseV1Options;
  const missing = Object.keys(fuses).filter(fuse => !(fuse in wire));
  const removed = Object.entries(wire).filter(([, state]) => state === FuseState.REMOVED);
  const lost = [...missing, ...removed.map(([fuse]) => fuse)].map(fuse => names[fuse] ?? fuse);
  if (lost.length > 0) throw new Error(`The runtime no longer has the fuses ${lost.join(', ')}.`);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature,
    strictlyRequireAllFuses: true,
    ...fuses,
  });
};

/** The systems as artifactName in electron-builder.yml writes them. */
const systemNames: Readonly<Record<string, string>> = { darwin: 'mac', win32: 'win', linux: 'linux' };

/** Writes the bill of materials beside the packages. */
const writeBill = ({ arch, electronPlatformName, outDir, packager }: AfterPackContext, resources: string) => {
  const { name, version } = packager.appInfo;
  const unpacked = join(resources, 'app.asar.unpacked');
  const bill = billOfMaterials({
    name,
    version,
    packages: bundledPackages(join(root, 'out')),
    binaries: filesIn(unpacked).map(file => join(unpacked, file)),
    crates: readFileSync(join(resources, keychainNotices), 'utf8'),
    hasElectron: true,
  });
  const system = systemNames[electronPlatformName] ?? electronPlatformName;
  writeFileSync(join(outDir, `${name}-${version}-${system}-${Arch[arch]}.cdx.json`), bill);
};

/** Called by the packer when the application's folder is complete, before it is signed. */
export const afterPack = async (context: AfterPackContext): Promise<void> => {
  const { appOutDir, arch, electronPlatformName: system, packager } = context;
  const { productFilename } = packager.appInfo;
  const isMac = system === 'darwin';
  const resources = isMac
    ? join(appOutDir, `${productFilename}.app`, 'Contents', 'Resources')
    : join(appOutDir, 'resources');
  const problems = packageProblems(resources, `${system}-${Arch[arch]}`, isMac ? resources : appOutDir);
  if (problems.length > 0) throw new Error(`This package must not be shipped.\n${problems.join('\n')}`);
  const executable = isMac
    ? join(appOutDir, `${productFilename}.app`)
    : join(appOutDir, system === 'win32' ? `${productFilename}.exe` : packager.appInfo.name.toLowerCase());
  const electron = packager.config.electronVersion;
  if (electron !== runtimeVersions.electron)
    throw new Error(`scripts/packaging/runtime-versions.ts does not describe Electron ${electron ?? ''}.`);
  // Apple's processors start nothing unsigned. Only macOS itself can sign.
  await setFuses(executable, isMac && arch === Arch.arm64 && process.platform === 'darwin');
  writeBill(context, resources);
};
