import { readFileSync } from 'node:fs';
import type { WindowPlace } from '../settings/settings-store.ts';

/** Device-independent pixels. */
type Box = { x: number; y: number; width: number; height: number };

export const smallest = { width: 800, height: 560 };
const usual = { width: 1366, height: 768 };
/** So much of the title bar must be in reach to take the window by it. */
const grip = { width: 160, height: 32 };

const isInReach = (window: Box, area: Box): boolean =>
  Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x) >= grip.width &&
  Math.min(window.y + grip.height, area.y + area.height) - Math.max(window.y, area.y) >= grip.height;

/** No smaller than it can be used, and no larger than its monitor. */
const sizeOn = (area: Box, wanted: { width: number; height: number }): { width: number; height: number } => ({
  width: Math.min(area.width, Math.max(smallest.width, wanted.width)),
  height: Math.min(area.height, Math.max(smallest.height, wanted.height)),
});

/**
 * Where the window was last, or null: read before anything else of the settings is, since the window is made first.
 * `file`: the settings' path. What cannot be read there is said by the settings themselves.
 */
export const keptPlace = (file: string): WindowPlace | null => {
  try {
    const { x, y, width, height, maximised } = JSON.parse(readFileSync(file, 'utf8')).window;
    const isPlace = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0;
    return isPlace ? { x, y, width, height, maximised: maximised === true } : null;
  } catch {
    return null;
  }
};

/**
 * Where the window opens. `kept`: where it was last, or null; `areas`: the free area of each monitor, the main one
 * first. A window whose title bar no monitor shows any more comes back to the main one; none is larger than its monitor.
 */
export const placeWindow = (kept: WindowPlace | null, areas: readonly Box[]): Box => {
  if (kept) {
    for (const area of areas) {
      const window = { x: kept.x, y: kept.y, ...sizeOn(area, kept) };
      if (isInReach(window, area)) return window;
    }
  }
  const area = areas[0] ?? { x: 0, y: 0, ...usual };
  const { width, height } = sizeOn(area, kept ?? usual);
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) / 2),
    width,
    height,
  };
};
