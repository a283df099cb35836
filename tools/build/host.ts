import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxArguments } from './chromium-sandbox.ts';
import { root } from './steps.ts';

/** The host of the bundles: Electron's own runtime, or the system's Chromium through the fake Electron. */
export type Host = { description: string; command: string; args: string[] };

const electron = join(root, 'node_modules', 'electron');
const failedBefore = join(root, 'node_modules', '.cache', 'electron-not-fetched');
/** Milliseconds: the time limit of a download, and the lifetime of a remembered failure. */
const fetchLimit = 180_000;
const cacheMs = 24 * 60 * 60 * 1000;

/** Installs system packages where permitted, otherwise prints the exact command. Returns whether they are present. */
export const ensureSystem = (...needs: ('browser' | 'keyring' | 'electron')[]): boolean =>
  spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs'), ...needs], { stdio: 'inherit' }).status ===
  0;

/** The libraries that the binary links to and this machine lacks; only Linux needs the check. */
const missingLibraries = (binary: string): string[] => {
  if (process.platform !== 'linux') return [];
  const { stdout } = spawnSync('ldd', [binary], { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map(([, name = '']) => name);
};

/** Path of Electron's binary if it is on this machine. */
export const electronBinary = (): string | null => {
  const pathFile = join(electron, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(electron, 'dist');
  const binary = join(folder, name);
  return existsSync(binary) ? binary : null;
};

/**
 * Downloads the runtime; resolves to whether it is present. A failure is remembered for a day, so that starting stays
 * quick.
 */
const fetchElectron = (): Promise<boolean> => {
  if (existsSync(failedBefore) && Date.now() - statSync(failedBefore).mtimeMs < cacheMs)
    return Promise.resolve(false);
  process.stderr.write('Fetching the Electron runtime…\n');
  return new Promise(resolve => {
    const child = spawn(process.execPath, [join(electron, 'install.js')], {
      stdio: 'ignore',
      timeout: fetchLimit,
    });
    const end = (fetched: boolean): void => {
      if (!fetched) {
        mkdirSync(join(failedBefore, '..'), { recursive: true });
        writeFileSync(failedBefore, '');
      }
      resolve(fetched);
    };
    child.on('error', () => end(false));
    child.on('close', code => end(code === 0 && electronBinary() !== null));
  });
};

/**
 * The best host of this machine, with a one-line description; null if the system lacks a requirement, which is
 * printed.
 */
export const chooseHost = async (): Promise<Host | null> => {
  const binary = electronBinary() ?? ((await fetchElectron()) ? electronBinary() : null);
  if (binary !== null) {
    if (missingLibraries(binary).length > 0) ensureSystem('electron');
    const missing = missingLibraries(binary);
    if (missing.length > 0) {
      process.stderr.write(`Electron's runtime lacks libraries of the system: ${missing.join(', ')}.\n`);
      return null;
    }
    const { args, notice } = sandboxArguments(binary);
    if (notice !== null) process.stderr.write(`${notice}\n`);
    return { description: 'Opening Counterfoil on Electron.', command: binary, args: [...args, root] };
  }
  if (process.platform !== 'linux') {
    process.stderr.write(
      "Electron's runtime is not there and could not be fetched. Check the network, or name a folder that holds it in ELECTRON_OVERRIDE_DIST_PATH.\n",
    );
    return null;
  }
  if (!ensureSystem('browser')) return null;
  return {
    description:
      "Electron's runtime cannot be fetched here: opening Counterfoil on the system's Chromium instead (docs/build/fake-electron.md).",
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(root, 'tools', 'fake-electron', 'run.ts'), root],
  };
};

export const hasDisplay = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
