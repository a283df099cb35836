import { expect, test } from 'vitest';
import { drawTrayIcon } from '../../main/electron/tray-icon.ts';

const pixel = (pixels: Buffer, side: number, x: number, y: number): number[] => [
  ...pixels.subarray((y * side + x) * 4, (y * side + x) * 4 + 4),
];

test('the tray’s picture is a stub on nothing', () => {
  const pixels = drawTrayIcon(32, false);
  expect(pixels).toHaveLength(32 * 32 * 4);
  expect(pixel(pixels, 32, 0, 0)).toEqual([0, 0, 0, 0]);
  expect(pixel(pixels, 32, 16, 16)).toEqual([240, 112, 92, 255]);
  // Its notch.
  expect(pixel(pixels, 32, 11, 7)[3]).toBe(0);
});

test('a dot says that something needs attention, by shape and by colour', () => {
  const pixels = drawTrayIcon(32, true);
  expect(pixel(pixels, 32, 24, 8)).toEqual([76, 185, 243, 255]);
  // The gap around it is seen without colour, too.
  expect(pixel(drawTrayIcon(32, true, true), 32, 16, 8)[3]).toBeLessThan(255);
});

test('no colour channel is brighter than its alpha', () => {
  const pixels = drawTrayIcon(16, true);
  for (let at = 0; at < pixels.length; at += 4)
    for (const channel of [0, 1, 2]) expect(pixels[at + channel]).toBeLessThanOrEqual(pixels[at + 3] ?? 0);
});
