import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { packTargets, signingArguments, withoutEmpty } from '../../scripts/packaging/pack-options.ts';
import { gather, markOf, releaseFiles } from '../../scripts/packaging/draft.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { trayIconImages, trayIconStates, trayIconStyles } from '../../main/electron/tray-icon.ts';
import { root } from '../../tools/build/steps.ts';

/** How a pack reads its arguments and the secrets of its environment. */

test('a pack is for this machine, or for the system and the processors that its arguments name', () => {
  const machine = { platform: 'darwin', arch: 'arm64' };
  expect(packTargets([], machine)).toEqual({ system: 'darwin', processors: ['arm64'] });
  expect(packTargets(['--win', '--x64', '--arm64'], machine)).toEqual({
    system: 'win32',
    processors: ['x64', 'arm64'],
  });
  expect(() => packTargets(['--win', '--mac'], machine)).toThrow('one system');
  expect(() => packTargets([], { platform: 'freebsd', arch: 'x64' })).toThrow('freebsd');
  expect(() => packTargets(['--bsd'], machine)).toThrow('Unknown: --bsd. npm run pack -- ');
  expect(packTargets(['--linux', 'dir', '-c.electronDist=/a b'], machine)).toMatchObject({ system: 'linux' });
});

test('an empty variable is no secret', () => {
  expect(withoutEmpty({ CSC_LINK: '', OTHER: 'value', NONE: undefined })).toEqual({ OTHER: 'value' });
});

test('without credentials no package is signed, and macOS can still start the application', () => {
  expect(signingArguments('win32', {})).toEqual([]);
  expect(signingArguments('linux', {})).toEqual([]);
  expect(signingArguments('darwin', {})).toContain('-c.mac.identity=-');
  expect(signingArguments('darwin', { CSC_LINK: 'file' })).toEqual([]);
});

test('with credentials Windows programs are signed; half of them is a mistake', () => {
  const complete = {
    AZURE_CLIENT_SECRET: 'secret',
    AZURE_SIGNING_ENDPOINT: 'https://signing.example',
    AZURE_SIGNING_ACCOUNT: 'account',
    AZURE_SIGNING_PROFILE: 'profile',
    AZURE_SIGNING_PUBLISHER: 'Counterfoil contributors',
  };
  expect(signingArguments('win32', complete)).toEqual([
    '-c.win.azureSignOptions.endpoint=https://signing.example',
    '-c.win.azureSignOptions.codeSigningAccountName=account',
    '-c.win.azureSignOptions.certificateProfileName=profile',
    '-c.win.azureSignOptions.publisherName=Counterfoil contributors',
  ]);
  expect(() => signingArguments('win32', { AZURE_CLIENT_SECRET: 'secret' })).toThrow(
    'AZURE_SIGNING_ENDPOINT',
  );
});

/** A draft has exactly the packages of a release, and names what a person must know of them. */

let folder: string;
beforeEach(() => {
  folder = newFolder('draft');
});

const targets = ['win-x64', 'win-arm64', 'mac-x64', 'mac-arm64', 'linux-x64', 'linux-arm64'];
const put = (target: string, name: string, content = ''): void => {
  const artifact = join(folder, 'downloaded', `packages-${target}`);
  mkdirSync(artifact, { recursive: true });
  writeFileSync(join(artifact, name), content);
};
/** What the jobs upload, without one of the files. */
const upload = (left = '', environment: NodeJS.ProcessEnv = {}): void => {
  for (const name of releaseFiles('1.2.3')) {
    const channelOf = /^packed-(.+)\.yml$/.exec(name)?.[1];
    if (name !== left) put(channelOf ?? 'all', channelOf ? 'latest.yml' : name);
  }
  for (const target of targets)
    put(target, `mark-${target}.json`, JSON.stringify(markOf(target, environment)));
};
const draft = (email = 'security@counterfoil.org'): string =>
  gather(join(folder, 'downloaded'), join(folder, 'packages'), { version: '1.2.3', author: { email } });

test('a draft has every package with its hash, and says which are unsigned and which never update', () => {
  upload();
  const notes = draft();
  expect(notes).toMatch(/^\*\*Not signed\*\*: mac-arm64, mac-x64, win-arm64, win-x64\./);
  expect(notes).toMatch(/^\*\*Without an update key\*\*: linux-arm64, .*win-x64\./m);
  const sums = readFileSync(join(folder, 'packages', 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n');
  expect(sums).toHaveLength(releaseFiles('1.2.3').length);
});

test('a draft of signed packages with a key has nothing to say', () => {
  upload('', { SIGNS_WINDOWS: 'true', SIGNS_MAC: 'false', COUNTERFOIL_UPDATE_KEYS: 'KEY' });
  expect(draft().trim()).toBe('See CHANGELOG.md.');
});

test('a draft says if no mail reaches the address for reports', () => {
  upload();
  expect(draft('contributors@counterfoil.example')).toContain(
    '**No mail reaches contributors@counterfoil.example**',
  );
});

test.each(releaseFiles('1.2.3'))('a draft without %s is refused', name => {
  upload(name);
  expect(() => draft()).toThrow(`Missing: ${name}.`);
});

test.each(['counterfoil-1.2.2-win-x64.exe', 'counterfoil-1.2.3-win-x64.exe.blockmap', 'notes.txt'])(
  'a draft with %s is refused',
  name => {
    upload();
    put('win-x64', name);
    expect(() => draft()).toThrow(`Not part of a release: ${name}.`);
  },
);

/** The committed icons have every size that the systems ask for. */

const assets = join(root, 'assets');

/** Width and height of a PNG image. */
const sidesOf = (png: Buffer): [number, number] => {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('the Windows icon has all sizes from 16 to 256', () => {
  const icon = readFileSync(join(assets, 'icon.ico'));
  const sides = Array.from({ length: icon.readUInt16LE(4) }, (_, index) => {
    const start = icon.readUInt32LE(6 + 16 * index + 12);
    return sidesOf(icon.subarray(start))[0];
  });
  expect(sides).toEqual([16, 24, 32, 48, 64, 128, 256]);
});

test('the macOS icon has all sizes from 16 to 1024, and those of dense screens', () => {
  const icon = readFileSync(join(assets, 'icon.icns'));
  expect(icon.readUInt32BE(4)).toBe(icon.length);
  const sides: Record<string, number> = {};
  for (let at = 8; at < icon.length; at += icon.readUInt32BE(at + 4))
    sides[icon.toString('latin1', at, at + 4)] = sidesOf(icon.subarray(at + 8))[0];
  expect(sides).toEqual({
    icp4: 16,
    icp5: 32,
    icp6: 64,
    ic07: 128,
    ic08: 256,
    ic09: 512,
    ic10: 1024,
    ic11: 32,
    ic12: 64,
    ic13: 256,
    ic14: 512,
  });
});

test('the Linux icon has 512 pixels', () => {
  expect(sidesOf(readFileSync(join(assets, 'icon.png')))).toEqual([512, 512]);
});

describe.each(trayIconStyles)('the tray icon in %s', style => {
  test.each(trayIconStates)('the tray icon has an image for each scale while it is %s', state => {
    for (const { side, file } of trayIconImages(style, state))
      expect(sidesOf(readFileSync(join(assets, 'tray', file.split(/[\\/]/).at(-1) ?? '')))).toEqual([
        side,
        side,
      ]);
  });
});

/** What a poisoned package could use: another content under the same name, a script, a range of versions. */

type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  /** The package's own name, where it is installed under another one. */
  name?: string;
  hasInstallScript?: boolean;
};
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = read('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const { packages: all } = read('package-lock.json') as { packages: Record<string, Locked> };
/** Packages from the registry; the other entries are this project and its own folder. */
const packages = Object.entries(all).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);

test('every package has one version and the hash of its content', () => {
  const own = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(
    own.filter(([, version]) => !/^((npm:[\w/@-]+@)?\d+\.\d+\.\d+|file:tools\/.+)$/.test(version)),
  ).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
  const withoutHash = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(withoutHash.map(([path]) => path)).toEqual([]);
  // npm's settings choose the registry; an address in the lockfile could fetch one package from elsewhere.
  const elsewhere = packages.filter(([, { resolved }]) => resolved !== undefined);
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

test('no package may run a script when it is installed', () => {
  expect(Object.values(manifest.allowScripts).filter(Boolean)).toEqual([]);
  const undecided = packages
    // npm builds a package with a binding.gyp, as if it had a script.
    .filter(([path, { hasInstallScript }]) => hasInstallScript || existsSync(join(root, path, 'binding.gyp')))
    .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''))
    .filter(name => !(name in manifest.allowScripts));
  expect(undecided).toEqual([]);
});

const npmSettings = readFileSync(join(root, '.npmrc'), 'utf8');

test('the last line of a command is not npm’s news of itself', () => {
  expect(npmSettings).toMatch(/^update-notifier=false$/m);
});

test('every installation ignores the scripts of packages, also with an npm that does not know allowScripts', () => {
  expect(npmSettings).toMatch(/^ignore-scripts=true$/m);
  const linesOf = (pattern: string, installs: RegExp): string[] =>
    globSync(pattern, { cwd: root }).flatMap(file =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter(line => installs.test(line)),
    );
  const installing = [
    ...linesOf('{.github/workflows/*,.ci/*,assets/intake/*}', /^[^#]*\bnpm (ci|install|i)\b/),
    ...linesOf('scripts/**/*.{ts,mjs}', /\['(ci|install|i)',/),
  ];
  expect(installing.length).toBeGreaterThan(1);
  expect(installing.filter(line => !/--ignore-scripts/.test(line))).toEqual([]);
});
