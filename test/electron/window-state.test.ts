import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreWindow } from '../../main/electron/window-state.ts';

const laptop = { x: 0, y: 0, width: 1920, height: 1040 };
const beside = { x: 1920, y: -200, width: 2560, height: 1400 };
const stored = { x: 2100, y: 40, width: 1500, height: 900, maximised: false };

test('the first window opens in the middle of the main monitor', () => {
  expect(restoreWindow(null, [laptop])).toEqual({ x: 277, y: 136, width: 1366, height: 768 });
});

test('a window opens at its last position, on any monitor', () => {
  expect(restoreWindow(stored, [laptop, beside])).toEqual({ x: 2100, y: 40, width: 1500, height: 900 });
});

test('a window of a disconnected monitor opens on the main one', () => {
  expect(restoreWindow(stored, [laptop])).toEqual({ x: 210, y: 70, width: 1500, height: 900 });
});

test('a window is never larger than its monitor', () => {
  expect(restoreWindow({ ...stored, width: 4000, height: 4000 }, [laptop])).toMatchObject({
    width: 1920,
    height: 1040,
  });
});

test('at any last position, the title bar can be reached with the mouse', () => {
  const box = (least: number) =>
    fc.record({
      x: fc.integer({ min: -6000, max: 6000 }),
      y: fc.integer({ min: -6000, max: 6000 }),
      width: fc.integer({ min: least, max: 5000 }),
      height: fc.integer({ min: least, max: 3000 }),
    });
  fc.assert(
    fc.property(box(200), fc.array(box(1024), { minLength: 1, maxLength: 3 }), (last, areas) => {
      const at = restoreWindow({ ...last, maximised: false }, areas);
      const inReach = areas.some(
        area =>
          Math.min(at.x + at.width, area.x + area.width) - Math.max(at.x, area.x) >= 160 &&
          at.y >= area.y &&
          at.y + 32 <= area.y + area.height,
      );
      expect(inReach).toBe(true);
    }),
  );
});
