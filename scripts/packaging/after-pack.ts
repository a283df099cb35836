import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';
import { Arch, type AfterPackContext } from 'electron-builder';
import { root } from '../../tools/build/steps.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages } from '../../tools/build/notices.ts';
import { filesIn, keychainNotices, packageProblems } from './package-problems.ts';
import { keychainOf } from './packed-files.ts';
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
const writeBill = (
  { arch, electronPlatformName, outDir, packager }: AfterPackContext,
  resources: string,
  target: string,
) => {
  const { name, version } = packager.appInfo;
  const unpacked = join(resources, 'app.asar.unpacked');
  const bill = billOfMaterials({
    name,
    version,
    packages: bundledPackages(join(root, 'out')),
    binaries: filesIn(unpacked).map(file => join(unpacked, file)),
    crates: readFileSync(join(resources, keychainNotices), 'utf8'),
    target,
    native: [`@napi-rs/keyring-${keychainOf(target)}`],
  });
  const system = systemNames[electronPlatformName] ?? electronPlatformName;
  writeFileSync(join(outDir, `${name}-${version}-${system}-${Arch[arch]}.cdx.json`), bill);
};

/** Called by the packer when the application's folder is complete, before it is signed. */
export const afterPack = async (context: AfterPackContext): Promise<void> => {
  const { appOutDir, arch, electronPlatformName: system, packager } = context;
  const { productFilename } = packager.appInfo;
  const isMac = system === 'darwin';
  const program = isMac ? join(appOutDir, `${productFilename}.app`, 'Contents') : appOutDir;
  const resources = join(program, isMac ? 'Resources' : 'resources');
  const target = `${system}-${Arch[arch]}`;
  const problems = packageProblems({ resources, program, target, source: packager.projectDir });
  if (problems.length > 0) throw new Error(`This package must not be shipped.\n${problems.join('\n')}`);
  const executable = isMac
    ? join(appOutDir, `${productFilename}.app`)
    : join(appOutDir, system === 'win32' ? `${productFilename}.exe` : packager.appInfo.name.toLowerCase());
  const electron = packager.config.electronVersion;
  if (electron !== runtimeVersions.electron)
    throw new Error(`scripts/packaging/runtime-versions.ts does not describe Electron ${electron ?? ''}.`);
  // Apple's processors start nothing unsigned. Only macOS itself can sign.
  await setFuses(executable, isMac && arch === Arch.arm64 && process.platform === 'darwin');
  writeBill(context, resources, target);
};
