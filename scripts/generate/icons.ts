import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { trayIconImages, trayIconStates, trayIconStyles } from '../../main/electron/tray-icon.ts';
import { root } from '../../tools/build/steps.ts';
import { browserPath } from '../../tools/fake-electron/browser-path.ts';

/** Makes the icons of all systems from assets/icon.svg and assets/tray.svg: `npm run icons`. The results are committed. */

const assets = join(root, 'assets');
/** Sides in pixels. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
/** Apple's code for each image size in an .icns file. */
const icnsTypes: readonly (readonly [code: string, size: number])[] = [
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  // The same sides for screens with two pixels a point.
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];
const linuxSize = 512;

type Picture = { size: number; png: Buffer };

/** Calls `use` with an empty page of a headless browser. */
const withPage = async (use: (page: Page) => Promise<void>): Promise<void> => {
  const profile = mkdtempSync(join(tmpdir(), 'counterfoil-icons-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run'],
  });
  try {
    await use(browser.pages()[0] ?? (await browser.newPage()));
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
};

/** Renders a drawing of the assets as PNG; the background stays transparent. `variant`: the classes that it draws. */
const draw = async (page: Page, drawing: string, size: number, variant = ''): Promise<Buffer> => {
  const svg = readFileSync(join(assets, drawing), 'utf8');
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>html,body{margin:0}svg{display:block;width:${String(size)}px;height:${String(size)}px}</style><div class="${variant}">${svg}</div>`,
  );
  return page.screenshot({ omitBackground: true });
};

/** A Windows icon with PNG images, as Windows Vista and later read them. */
export const icoOf = (pictures: readonly Picture[]): Buffer => {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length + 16 * pictures.length;
  const entries = pictures.map(({ size, png }) => {
    const entry = Buffer.alloc(16);
    // One byte a side: 256 is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...pictures.map(({ png }) => png)]);
};

/** A macOS icon: a list of PNG images, each after its code and length. */
export const icnsOf = (pictures: readonly { code: string; png: Buffer }[]): Buffer => {
  const chunk = (code: string, ...data: Buffer[]): Buffer => {
    const head = Buffer.alloc(8);
    head.write(code, 0, 'latin1');
    head.writeUInt32BE(8 + data.reduce((sum, part) => sum + part.length, 0), 4);
    return Buffer.concat([head, ...data]);
  };
  return chunk('icns', ...pictures.map(({ code, png }) => chunk(code, png)));
};

const drawAppIcons = async (page: Page): Promise<void> => {
  const pictures = new Map<number, Buffer>();
  for (const size of new Set([...icoSizes, ...icnsTypes.map(([, size]) => size), linuxSize]))
    pictures.set(size, await draw(page, 'icon.svg', size));
  const at = (size: number): Buffer => {
    const png = pictures.get(size);
    if (!png) throw new Error(`No picture of ${String(size)} pixels was drawn.`);
    return png;
  };
  writeFileSync(join(assets, 'icon.ico'), icoOf(icoSizes.map(size => ({ size, png: at(size) }))));
  writeFileSync(
    join(assets, 'icon.icns'),
    icnsOf(icnsTypes.map(([code, size]) => ({ code, png: at(size) }))),
  );
  writeFileSync(join(assets, 'icon.png'), at(linuxSize));
};

const drawTrayIcons = async (page: Page): Promise<void> => {
  mkdirSync(join(assets, 'tray'), { recursive: true });
  for (const style of trayIconStyles)
    for (const state of trayIconStates)
      for (const { side, file } of trayIconImages(style, state))
        writeFileSync(file, await draw(page, 'tray.svg', side, `${style} ${state}`));
};

if (import.meta.main)
  await withPage(async page => {
    await drawAppIcons(page);
    await drawTrayIcons(page);
  });
