import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trayIconImages, trayIconStates, trayIconStyles } from '../../main/electron/tray-icon.ts';
import { root } from '../../tools/build/steps.ts';

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
