import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';

/** The programs that can show the window, the preferred one first. As in scripts/setup.mjs. */
export const browserNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
] as const;

const snaps = '/snap/bin';

/** The first of the browsers in the folders where programs are; null if there is none. */
export const findBrowser = (folders: readonly string[]): string | null =>
  browserNames.flatMap(name => folders.map(folder => join(folder, name))).find(path => existsSync(path)) ??
  null;

/** The system's own Chromium. */
export const browserPath = (): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  const found = findBrowser([...folders, '/usr/bin', snaps]);
  if (found === null) throw new Error('No Chromium found: install the package chromium.');
  return found;
};

/** Where a browser keeps its profiles. A snap sees only its own folder in the home folder, and refuses another home. */
export const profilesOf = (browser: string): { folder: string; isInHome: boolean } =>
  browser.startsWith(snaps)
    ? { folder: join(homedir(), 'snap', basename(browser), 'common'), isInHome: true }
    : { folder: tmpdir(), isInHome: false };
