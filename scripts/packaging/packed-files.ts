/**
 * Every file that may be in a package, by its target: system and processor, such as `win32-x64`. What no rule names is
 * not shipped, be it a source map, a test, a development dependency or a secret in the folder of the build.
 */

/** What the keychain's package is called for a system. */
const keychainSystems: Readonly<Record<string, string>> = {
  linux: 'linux-{processor}-gnu',
  win32: 'win32-{processor}-msvc',
  darwin: 'darwin-{processor}',
};

/** The last part of the name of the keychain's native package. */
export const keychainOf = (target: string): string => {
  const [system = '', processor = ''] = target.split('-');
  return (keychainSystems[system] ?? '').replace('{processor}', processor);
};

/** In the archive, and the native modules beside it. */
const archiveRules = (target: string): readonly RegExp[] => [
  /^package\.json$/,
  /^out\/main\/[\w.-]+\.js$/,
  /^out\/main\/paper-fonts\/[\w.-]+\.woff2$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/index\.html$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/,
  /^assets\/tray\/(colour|template)-(normal|attention)-\d\d\.png$/,
  /^node_modules\/better-sqlite3\/(package\.json|LICENSE)$/,
  /^node_modules\/better-sqlite3\/lib\/(methods\/)?(?!linux|darwin|win32)[\w-]+\.js$/,
  new RegExp(`^node_modules/better-sqlite3/prebuilds/${target}\\.node$`),
  /^node_modules\/@napi-rs\/keyring\/(package\.json|LICENSE|index\.js)$/,
  new RegExp(
    `^node_modules/@napi-rs/keyring-${keychainOf(target)}/(package\\.json|LICENSE|keyring\\.[\\w.-]+\\.node)$`,
  ),
];

/** Beside the archive in the folder of resources; the native modules are checked on their own. */
const besideRules = (target: string): readonly RegExp[] => [
  /^app\.asar$/,
  /^app-update\.yml$/,
  /^(LICENSE|THIRD-PARTY-NOTICES\.txt|THIRD-PARTY-NOTICES-KEYCHAIN\.md)$/,
  /^(LICENSE\.electron\.txt|LICENSES\.chromium\.html)$/,
  ...(target.startsWith('darwin') ? [/^[\w-]+\.lproj(\/locale\.pak)?$/, /^(icon|electron)\.icns$/] : []),
  // The installer for all users starts updates with it.
  ...(target.startsWith('win32') ? [/^elevate\.exe$/] : []),
];

/** Electron's files of every system: those of its `zip_manifests`, and what later versions added. */
const runtimeRules: readonly RegExp[] = [
  /^(LICENSE\.electron\.txt|LICENSES\.chromium\.html|version)$/,
  /^(chrome_(100|200)_percent|resources)\.pak$/,
  /^locales\/[\w-]+\.pak$/,
  /^(icudtl\.dat|(snapshot_blob|v8_context_snapshot)\.bin|vk_swiftshader_icd\.json)$/,
];

/** Beside the program. A library of the right name there would be loaded by every program. */
const programRules: Readonly<Record<string, readonly RegExp[]>> = {
  linux: [
    ...runtimeRules,
    /^(counterfoil|AppRun|chrome-sandbox|chrome_crashpad_handler)$/,
    /^lib(EGL|GLESv2|ffmpeg|vk_swiftshader)\.so$/,
    /^libvulkan\.so\.1$/,
  ],
  win32: [
    ...runtimeRules,
    /^Counterfoil\.exe$/,
    /^(d3dcompiler_47|dxcompiler|dxil|ffmpeg|libEGL|libGLESv2|vk_swiftshader|vulkan-1)\.dll$/,
  ],
  darwin: [
    /^(Info\.plist|PkgInfo|_CodeSignature\/CodeResources|MacOS\/Counterfoil)$/,
    /^Frameworks\/Counterfoil Helper( \((GPU|Plugin|Renderer)\))?\.app\/Contents\/(Info\.plist|PkgInfo|_CodeSignature\/CodeResources|MacOS\/Counterfoil Helper( \((GPU|Plugin|Renderer)\))?)$/,
    /^Frameworks\/(Electron Framework|Mantle|ReactiveObjC|Squirrel)\.framework\/(Versions\/(Current|(A\/)?\1)|(Versions\/A\/)?(\1|_CodeSignature\/CodeResources|Libraries(\/[\w.-]+\.(dylib|json))?|Helpers(\/chrome_crashpad_handler)?|Resources(\/(ShipIt|[\w.-]+\.(plist|pak|dat|bin|nib)|[\w-]+\.lproj(\/locale\.pak)?))?))$/,
  ],
};

const foreign = (paths: readonly string[], rules: readonly RegExp[]): string[] =>
  paths.filter(path => !rules.some(rule => rule.test(path)));

/** Paths of an archive that no rule allows. */
export const foreignInArchive = (paths: readonly string[], target: string): string[] =>
  foreign(paths, archiveRules(target));

/** Files beside the archive that no rule allows. `paths`: relative to the folder of resources. */
export const foreignBeside = (paths: readonly string[], target: string): string[] =>
  foreign(paths, besideRules(target));

/** Files of the program's folder, apart from its resources, that no rule allows. */
export const foreignInProgram = (paths: readonly string[], target: string): string[] =>
  foreign(paths, programRules[target.split('-')[0] ?? ''] ?? []);

/** Limit of the archive's size, bytes: a tenth above the size when it was set; see docs/build/releasing.md. */
export const maxArchiveBytes = 8_000_000;
