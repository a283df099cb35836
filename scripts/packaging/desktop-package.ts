import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';
import { compressed, manifest, writeDebianPackage, writeFile, type Architecture } from './debian-package.ts';

/** The console as a package for Debian, from the folder that the packer made. */

const assets = join(root, 'assets');
const name = 'counterfoil';

/** The PNG images of a Windows icon, by their side in pixels. */
const imagesOfIcon = (icon: Buffer): Map<number, Buffer> => {
  const images = new Map<number, Buffer>();
  for (let index = 0; index < icon.readUInt16LE(4); index += 1) {
    const entry = 6 + 16 * index;
    const start = icon.readUInt32LE(entry + 12);
    // One byte a side: 256 is written as 0.
    images.set(icon.readUInt8(entry) || 256, icon.subarray(start, start + icon.readUInt32LE(entry + 8)));
  }
  return images;
};

const writeIcons = (share: string): void => {
  const folder = join(share, 'icons/hicolor');
  const images = imagesOfIcon(readFileSync(join(assets, 'icon.ico')));
  images.set(512, readFileSync(join(assets, 'icon.png')));
  for (const [side, image] of images)
    writeFile(join(folder, `${String(side)}x${String(side)}/apps/${name}.png`), image);
  writeFile(join(folder, `scalable/apps/${name}.svg`), readFileSync(join(assets, 'icon.svg')));
};

/** What the runtime loads, by Debian's names; a newer Ubuntu provides the same names. */
const depends = [
  'libasound2t64 | libasound2',
  'libatk-bridge2.0-0',
  'libatspi2.0-0',
  'libc6 (>= 2.31)',
  'libcups2',
  'libdrm2',
  'libgbm1',
  'libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'libxkbcommon0',
  'libxtst6',
  'xdg-utils',
];

/** Writes `counterfoil_VERSION_ARCHITECTURE.deb` into a folder; returns its path. `unpacked`: the packer's folder. */
export const writeDesktopPackage = (
  folder: string,
  unpacked: string,
  architecture: Architecture,
  compression: 'gzip' | 'xz' = 'xz',
): string => {
  const linux = join(assets, 'linux');
  const tree = join(folder, `deb-desktop-${architecture}`);
  rmSync(tree, { recursive: true, force: true });
  const program = join(tree, 'usr/lib', name);
  const share = join(tree, 'usr/share');
  cpSync(unpacked, program, { recursive: true });
  // Marks and the start of the AppImage; a package for Debian is updated by Debian's tools.
  for (const file of ['AppRun', 'resources/package-type', 'resources/app-update.yml', 'version'])
    rmSync(join(program, file), { force: true });
  const sandbox = join(program, 'chrome-sandbox');
  if (!existsSync(sandbox)) throw new Error('The runtime has no chrome-sandbox.');
  chmodSync(sandbox, 0o4755);
  cpSync(join(linux, 'apparmor-profile'), join(program, 'apparmor-profile'));
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync(`../lib/${name}/${name}`, join(tree, 'usr/bin', name));
  writeIcons(share);
  for (const [file, target] of [
    ['counterfoil.desktop', `applications/${name}.desktop`],
    ['copyright', `doc/${name}/copyright`],
    ['lintian-overrides', `lintian/overrides/${name}`],
  ] as const)
    writeFile(join(share, target), readFileSync(join(linux, file)));
  const manual = readFileSync(join(linux, `${name}.1`), 'utf8');
  writeFile(join(share, `man/man1/${name}.1.gz`), compressed(manual));
  for (const script of ['postinst', 'postrm'])
    writeFile(join(tree, 'DEBIAN', script), readFileSync(join(linux, script)), 0o755);
  return writeDebianPackage(
    folder,
    tree,
    {
      name,
      architecture,
      section: 'misc',
      depends: depends.join(', '),
      // Passwords are kept in the keychain of the session.
      recommends: 'gnome-keyring | keepassxc | kwalletmanager',
      summary: "back office's console for payment links",
      description: manifest.description,
    },
    compression,
  );
};
