import { readFileSync } from 'node:fs';
import type { WindowState } from '../settings/settings-store.ts';

/** Device-independent pixels. */
type Box = { x: number; y: number; width: number; height: number };

export const smallest = { width: 800, height: 560 };
const usual = { width: 1366, height: 768 };
/** The part of the title bar that must be visible so that the window can be moved, pixels. */
const minVisibleTitleBar = { width: 160, height: 32 };

const isInReach = (window: Box, area: Box): boolean =>
  Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x) >=
    minVisibleTitleBar.width &&
  Math.min(window.y + minVisibleTitleBar.height, area.y + area.height) - Math.max(window.y, area.y) >=
    minVisibleTitleBar.height;

/** At least the minimum size, and at most the size of its monitor. */
const sizeOn = (area: Box, wanted: { width: number; height: number }): { width: number; height: number } => ({
  width: Math.min(area.width, Math.max(smallest.width, wanted.width)),
  height: Math.min(area.height, Math.max(smallest.height, wanted.height)),
});

export type WindowTheme = 'system' | 'light' | 'dark' | 'contrast';
const themes: readonly WindowTheme[] = ['system', 'light', 'dark', 'contrast'];

/** `runsInTray`: the console keeps running without a window, and the tray opens it. */
type StoredWindowState = { windowState: WindowState | null; theme: WindowTheme; runsInTray: boolean };

/**
 * The last bounds of the window, or null, and its theme: read before other settings, since the window is created
 * first. `file`: the settings' path. The settings themselves report unreadable values.
 */
export const readWindowState = (file: string): StoredWindowState => {
  try {
    const { window, settings } = JSON.parse(readFileSync(file, 'utf8'));
    const theme = themes.find(one => one === settings?.theme) ?? 'system';
    const { x, y, width, height, maximised } = window ?? {};
    const isPlace = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0;
    return {
      windowState: isPlace ? { x, y, width, height, maximised: maximised === true } : null,
      theme,
      runsInTray: settings?.tray === true && settings?.stayOpen === true,
    };
  } catch {
    return { windowState: null, theme: 'system', runsInTray: false };
  }
};

/** The page's own background (`--page` in renderer/styles/tokens.css), shown until the page is painted. */
export const backgroundOf = (theme: WindowTheme, isSystemDark: boolean): string => {
  const isDark = theme === 'dark' || (theme !== 'light' && isSystemDark);
  if (theme === 'contrast') return isDark ? '#000000' : '#ffffff';
  return isDark ? '#0f1115' : '#f5f6f8';
};

/**
 * The bounds of a new window. `stored`: its last bounds, or null; `areas`: the free area of each monitor, the main
 * one first. A window whose title bar is on no monitor moves to the main one; none is larger than its monitor.
 */
export const restoreWindow = (stored: WindowState | null, areas: readonly Box[]): Box => {
  if (stored)
    for (const area of areas) {
      const window = { x: stored.x, y: stored.y, ...sizeOn(area, stored) };
      if (isInReach(window, area)) return window;
    }
  const area = areas[0] ?? { x: 0, y: 0, ...usual };
  const { width, height } = sizeOn(area, stored ?? usual);
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) / 2),
    width,
    height,
  };
};
