/**
 * Everything that may be in a package, by its target: system and processor, such as `win32-x64`. What no rule names is
 * not shipped, be it a source map, a test, a development dependency or a secret in the folder of the build.
 */

/** What the keychain's package is called for a system. */
const keychainSystems: Readonly<Record<string, string>> = {
  linux: 'linux-{processor}-gnu',
  win32: 'win32-{processor}-msvc',
  darwin: 'darwin-{processor}',
};

/** The path of every allowed file and folder in the archive, with a leading slash. */
const archiveRules = (target: string): readonly RegExp[] => {
  const [system = '', processor = ''] = target.split('-');
  const keychain = (keychainSystems[system] ?? '').replace('{processor}', processor);
  return [
    /^\/package\.json$/,
    /^\/out$/,
    /^\/out\/main(\/[\w.-]+\.js)?$/,
    /^\/out\/main\/paper-fonts(\/[\w.-]+\.woff2)?$/,
    /^\/out\/preload(\/index\.cjs)?$/,
    /^\/out\/renderer(\/index\.html)?$/,
    /^\/out\/renderer\/assets(\/[\w.-]+\.(js|css|svg|png|woff2))?$/,
    /^\/assets(\/tray(\/(colour|template)-(normal|attention)-\d\d\.png)?)?$/,
    /^\/node_modules(\/@napi-rs)?$/,
    /^\/node_modules\/better-sqlite3(\/(package\.json|LICENSE|lib|lib\/methods|prebuilds))?$/,
    /^\/node_modules\/better-sqlite3\/lib\/(methods\/)?(?!linux|darwin|win32)[\w-]+\.js$/,
    new RegExp(`^/node_modules/better-sqlite3/prebuilds/${target}\\.node$`),
    /^\/node_modules\/@napi-rs\/keyring(\/(package\.json|LICENSE|index\.js))?$/,
    new RegExp(
      `^/node_modules/@napi-rs/keyring-${keychain}(/(package\\.json|LICENSE|keyring\\.[\\w.-]+\\.node))?$`,
    ),
  ];
};

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

/** Paths of an archive that no rule allows. `paths`: with a leading slash. */
export const foreignInArchive = (paths: readonly string[], target: string): string[] => {
  const rules = archiveRules(target);
  return paths.filter(path => !rules.some(rule => rule.test(path)));
};

/** Files beside the archive that no rule allows. `paths`: relative to the folder of resources. */
export const foreignBeside = (paths: readonly string[], target: string): string[] => {
  const rules = besideRules(target);
  return paths.filter(path => !rules.some(rule => rule.test(path)));
};

/** Limit of the archive's size, bytes: a tenth above the size when it was set; see docs/build/releasing.md. */
export const maxArchiveBytes = 8_000_000;
