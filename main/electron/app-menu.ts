import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';

/**
 * The application's own menu, in place of Electron's default one, which reloads the page and opens developer tools.
 * Windows and Linux have none when packed. macOS needs one for Cmd+C, Cmd+V and Cmd+Q. A checkout adds a developer menu.
 * `platform`: as in `process.platform`.
 */
export const appMenuTemplate = (
  platform: NodeJS.Platform,
  isPackaged: boolean,
): MenuItemConstructorOptions[] | null => {
  const mac: MenuItemConstructorOptions[] = [
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ];
  const developer: MenuItemConstructorOptions = {
    label: 'Developer',
    submenu: [{ role: 'reload' }, { role: 'toggleDevTools' }],
  };
  if (platform === 'darwin') return isPackaged ? mac : [...mac, developer];
  return isPackaged ? null : [developer];
};

/** Sets the menu. Call it before the first window is created: a window without a menu gets the default one. */
export const setAppMenu = (isPackaged: boolean): void => {
  const template = appMenuTemplate(process.platform, isPackaged);
  Menu.setApplicationMenu(template === null ? null : Menu.buildFromTemplate(template));
};

const zoomFactors = [0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** The zoom factor after one step: `in`, `out`, or `reset` to 1. */
export const nextZoom = (factor: number, step: 'in' | 'out' | 'reset'): number => {
  if (step === 'reset') return 1;
  const larger = zoomFactors.find(one => one > factor + 0.01);
  const smaller = zoomFactors.findLast(one => one < factor - 0.01);
  return (step === 'in' ? larger : smaller) ?? factor;
};

const zoomKeys: Readonly<Record<string, 'in' | 'out' | 'reset'>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'reset',
};

/** Zooms by Ctrl (macOS: Cmd) with +, - and 0 (WCAG 1.4.4): replaces these shortcuts of the default menu. */
export const connectZoomKeys = (contents: WebContents): void => {
  contents.on('before-input-event', (event, { type, key, control, meta, alt }) => {
    const step = zoomKeys[key];
    const isCommand = process.platform === 'darwin' ? meta : control;
    if (type !== 'keyDown' || !isCommand || alt || step === undefined) return;
    event.preventDefault();
    contents.setZoomFactor(nextZoom(contents.getZoomFactor(), step));
  });
};
