import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { trayIconImages, trayIconStates, trayIconStyles } from '../../main/electron/tray-icon.ts';
import { readBitmap } from './read-bitmap.ts';

type Pixel = { red: number; green: number; blue: number; alpha: number };

const pixelsOf = (file: string): { side: [width: number, height: number]; pixels: Pixel[] } => {
  const { width, height, channels, bytes } = readBitmap(readFileSync(file));
  if (channels !== 4) throw new Error(`${file} has no alpha channel`);
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = bytes.subarray(at * 4, at * 4 + 4);
    return { red, green, blue, alpha };
  });
  return { side: [width, height], pixels };
};

const variants = trayIconStyles.flatMap(style =>
  trayIconStates.flatMap(state => trayIconImages(style, state).map(image => ({ style, state, ...image }))),
);
const opaque = ({ alpha }: Pixel): boolean => alpha === 255;

describe.each(variants)('the tray icon: $style, $state, $side pixels', ({ style, state, side, file }) => {
  const { side: drawn, pixels } = pixelsOf(file);

  test('the tray icon has its size, and transparent corners', () => {
    expect(drawn).toEqual([side, side]);
    for (const corner of [0, side - 1, side * (side - 1), side * side - 1])
      expect(pixels[corner]?.alpha).toBeLessThan(16);
  });

  test(style === 'template' ? 'is black, as macOS requires' : 'has the colour of the application', () => {
    const colours = new Set(pixels.filter(opaque).map(({ red, green, blue }) => `${red},${green},${blue}`));
    const ticket = style === 'template' ? '0,0,0' : '92,112,240';
    const dot = style === 'template' ? '0,0,0' : '243,185,76';
    expect(colours).toEqual(new Set(state === 'attention' ? [ticket, dot] : [ticket]));
  });

  test('the tray icon shows by its shape alone whether payments need review', () => {
    // Only the dot reaches the top eighth of the square.
    const above = pixels.slice(0, side * Math.floor(side / 8)).some(opaque);
    expect(above).toBe(state === 'attention');
  });
});
