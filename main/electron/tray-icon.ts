import { join } from 'node:path';

/** The files of the tray icon, which `npm run icons` draws from assets/tray.svg. */

/** The same path from the bundle, which is in out/main. */
const folder = join(import.meta.dirname, '..', '..', 'assets', 'tray');

/** `template`: black, for macOS, which colours the icons of its menu bar. */
export const trayIconStyles = ['colour', 'template'] as const;
type Style = (typeof trayIconStyles)[number];

/** `attention`: with a dot, while payments need review. */
export const trayIconStates = ['normal', 'attention'] as const;
type State = (typeof trayIconStates)[number];

/** Windows scales in quarters; without an image for a scale the icon is blurred. */
const scaleFactors: Readonly<Record<Style, readonly number[]>> = {
  colour: [1, 1.25, 1.5, 1.75, 2],
  template: [1, 2],
};

/** The icon in one state: an image for each scale of a screen. `side` in pixels. */
export const trayIconImages = (style: Style, state: State) =>
  scaleFactors[style].map(scaleFactor => {
    const side = 16 * scaleFactor;
    return { scaleFactor, side, file: join(folder, `${style}-${state}-${side}.png`) };
  });
