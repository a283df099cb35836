import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { root } from '../../tools/build/steps.ts';

/**
 * Does what a newcomer does by the README, on a bare Debian without Python, a compiler, a display, and with the
 * npm of Node 20 and of Node 22: `npm run clean-room`. It uses the current commit. See docs/build/testing.md.
 */

/**
 * A bare Debian in a folder. Commands run in private namespaces with that folder as their root: when a command ends,
 * or is ended, its processes and mounts are gone, also after an error.
 */

/** An account in the room. */
type Account = { name: string; id: number; home: string };
type Outcome = { code: number | null; output: string };

const superuser: Account = { name: 'root', id: 0, home: '/root' };

/** Why no room can be made here; null if one can. */
const whyNoRoom = (): string | null => {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'it needs Debian';
  if (process.arch !== 'x64' && process.arch !== 'arm64') return 'it needs an x64 or arm64 processor';
  if (process.getuid?.() !== 0) return 'it needs root';
  const namespaces = spawnSync('unshare', [...privateNamespaces, 'true'], { stdio: 'ignore' });
  return namespaces.status === 0 ? null : 'it needs the right to mount, which a container may lack';
};

/** Arguments of `unshare`: what a program starts and mounts is gone when it ends, or when `unshare` is ended. */
const privateNamespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation=private', '--'];

/** Runs a program with a time limit, seconds; resolves to its exit code, null if it was ended, and its output. */
const run = (
  program: string,
  args: readonly string[],
  { seconds, env = process.env }: { seconds: number; env?: NodeJS.ProcessEnv },
): Promise<Outcome> =>
  new Promise(resolve => {
    let output = '';
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const stop = (): boolean => child.kill('SIGKILL');
    // Before the room is removed.
    process.prependListener('exit', stop);
    const limit = setTimeout(() => {
      output += `\nended after ${String(seconds)} s\n`;
      stop();
    }, seconds * 1000);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const end = (code: number | null): void => {
      clearTimeout(limit);
      process.off('exit', stop);
      resolve({ code, output });
    };
    child.on('error', error => {
      output += error.message;
      end(null);
    });
    child.on('close', end);
  });

/** The address of the machine's Debian mirror, and that of its security updates where there is one. */
const mirrors = (): { main: string; security: string | null } => {
  const folder = '/etc/apt/sources.list.d';
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder).map(file => join(folder, file)) : []),
  ];
  const lines = files.flatMap(file => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []));
  const addresses = lines.flatMap(line => /^(?:deb |URIs:).*?(https?:\/\/\S+)/.exec(line)?.[1] ?? []);
  return {
    main: addresses.find(address => /\/debian\/?$/.test(address)) ?? 'http://deb.debian.org/debian',
    security: addresses.find(address => address.includes('debian-security')) ?? null,
  };
};

/** How this machine reaches the network, for the room: certificates, names, proxy, registry and mirror. */
const copyNetwork = (folder: string): void => {
  const copy = (path: string): void => cpSync(path, join(folder, path), { dereference: true });
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(path)) copy(path);
  const { main, security } = mirrors();
  const sources = [`deb ${main} bookworm main`, `deb ${main} bookworm-updates main`];
  if (security !== null) sources.push(`deb ${security} bookworm-security main`);
  writeFileSync(join(folder, 'etc/apt/sources.list'), `${sources.join('\n')}\n`);
  const settings = execFileSync('apt-config', ['dump'], { encoding: 'utf8' }).split('\n');
  const wanted = settings.filter(line => /^Acquire::(?:https?::|Check-)/.test(line));
  writeFileSync(join(folder, 'etc/apt/apt.conf.d/00machine'), `${wanted.join('\n')}\n`);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  writeFileSync(
    join(folder, 'usr/local/etc/npmrc'),
    `registry=${registry}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`,
  );
};

/** The variables of every command in the room, besides those of the account. */
const networkEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name)));

/**
 * Becomes the root of its namespaces, and runs a program there: `sh -c ENTER sh FOLDER PROGRAM…`. The shell stays: a
 * process that changes its user is no longer ended with `unshare`, but everything in the namespace is with its first.
 */
const enter = `set -e
mount --bind "$1" "$1"
cd "$1"
shift
mkdir -p dev/shm proc .outside
mount -t proc proc proc
mount -t tmpfs -o mode=1777 tmpfs dev/shm
pivot_root . .outside
exec chroot . /bin/sh -c 'umount -l /.outside; "$@"; exit $?' sh "$@"`;

type Room = {
  /** Runs a line of shell as an account, in its home folder and an empty environment; limit in seconds. */
  run(account: Account, line: string, seconds: number): Promise<Outcome>;
  /** Puts a Node with its npm, both packages of the registry, in place of an earlier one. Throws what npm reports. */
  installNode(node: string, npm: string): void;
  /** Creates an account that may not become root, with an empty home folder. */
  addAccount(name: string, id: number): Account;
  /** Makes the current commit a repository in the room; returns the line that clones it, and the commit. */
  offerRepository(): { clone: string; commit: string };
};

/** Removes a room: nothing is mounted in it. */
const removeRoom = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Makes a bare Debian with git in a new folder. Returns null and the output of debootstrap if it fails. */
const makeRoom = async (folder: string): Promise<Outcome & { room: Room | null }> => {
  if (!existsSync('/usr/sbin/debootstrap')) {
    const line =
      'apt-get update && apt-get install -y --no-install-recommends debootstrap debian-archive-keyring';
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const installed = await run('sh', ['-c', line], { seconds: 300, env });
    if (installed.code !== 0) return { ...installed, room: null };
  }
  mkdirSync(folder, { mode: 0o755 });
  const packages = '--include=ca-certificates,git,xz-utils';
  const args = ['--variant=minbase', packages, 'bookworm', folder, mirrors().main];
  const made = await run('unshare', [...privateNamespaces, '/usr/sbin/debootstrap', ...args], {
    seconds: 600,
  });
  if (made.code !== 0) return { ...made, room: null };
  copyNetwork(folder);
  // The repository belongs to the machine's root; everybody clones it.
  writeFileSync(join(folder, 'etc/gitconfig'), '[safe]\n\tdirectory = *\n');
  const room: Room = {
    run: ({ name, id, home }, line, seconds) =>
      run(
        'unshare',
        [
          ...privateNamespaces,
          'sh',
          '-c',
          enter,
          'sh',
          folder,
          'setpriv',
          `--reuid=${String(id)}`,
          `--regid=${String(id)}`,
          '--clear-groups',
          '--',
          'env',
          '-i',
          `HOME=${home}`,
          `USER=${name}`,
          'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          ...Object.entries(networkEnvironment()).map(([key, value]) => `${key}=${value ?? ''}`),
          'sh',
          '-c',
          `cd && ${line}`,
        ],
        { seconds },
      ),
    installNode: (node, npm) => {
      const local = join(folder, 'usr/local');
      const packed = mkdtempSync(join(folder, 'var/tmp/packed-'));
      const names = [`node-linux-${process.arch}@${node}`, `npm@${npm}`];
      const out = execFileSync('npm', ['pack', '--silent', ...names], {
        cwd: packed,
        encoding: 'utf8',
        timeout: 180_000,
      });
      const [nodeFile = '', npmFile = ''] = out.trim().split('\n');
      const unpack = (file: string, target: string, ...more: string[]): void => {
        rmSync(target, { recursive: true, force: true });
        mkdirSync(target, { recursive: true });
        execFileSync('tar', ['-xzf', join(packed, file), '-C', target, '--strip-components=1', ...more]);
      };
      unpack(nodeFile, join(local, 'lib/node'));
      // Not a link: npm looks for its global settings beside the real file.
      cpSync(join(local, 'lib/node/bin/node'), join(local, 'bin/node'));
      unpack(npmFile, join(local, 'lib/node_modules/npm'));
      const links = [
        ['../lib/node_modules/npm/bin/npm-cli.js', 'npm'],
        ['../lib/node_modules/npm/bin/npx-cli.js', 'npx'],
      ] as const;
      for (const [target, name] of links) execFileSync('ln', ['-sfn', target, join(local, 'bin', name)]);
      rmSync(packed, { recursive: true });
    },
    addAccount: (name, id) => {
      execFileSync('chroot', [folder, 'useradd', '--create-home', '--uid', String(id), name]);
      return { name, id, home: `/home/${name}` };
    },
    offerRepository: () => {
      const target = join(folder, 'srv/counterfoil.git');
      const git = (...args: string[]): string =>
        execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
      git('clone', '--quiet', '--bare', '--depth=1', `file://${root}`, target);
      return { clone: 'git clone -q /srv/counterfoil.git counterfoil', commit: git('rev-parse', 'HEAD') };
    },
  };
  return { ...made, room };
};

/** Packages of the registry: a Node, and the npm that it brings. */
const node20 = { node: '20.20.2', npm: '10.8.2' };
const node22 = { node: '22.23.3', npm: '10.9.4' };

/** Lines of the output that are printed for a failed step. */
const tailLines = 40;
/** Limit of one `npm start`, seconds. */
const startSeconds = 1_200;

const aptLine =
  'sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium fonts-liberation fonts-noto-color-emoji gnome-keyring dbus';

let passed = 0;
let failed = 0;

/** Runs a step and prints its result; a step returns what is wrong with its outcome, or null. */
const step = async (
  name: string,
  act: () => Promise<{ problem: string | null; output: string }>,
): Promise<void> => {
  const start = performance.now();
  let result;
  try {
    result = await act();
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error), output: '' };
  }
  const seconds = String(Math.round((performance.now() - start) / 1000)).padStart(4);
  console.log(`${result.problem === null ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (result.problem === null) passed += 1;
  else {
    failed += 1;
    console.log(`    ${result.problem}\n`);
    for (const line of result.output.trimEnd().split('\n').slice(-tailLines)) console.log(`    ${line}`);
  }
};

/** What differs from the expected end of a command: its exit code, or a text that its output must contain. */
const compare = ({ code, output }: Outcome, expectedCode: number, text: string) => ({
  output,
  problem:
    code !== expectedCode
      ? `It ended with ${String(code)}, not ${String(expectedCode)}.`
      : output.includes(text)
        ? null
        : `Its output does not contain: ${text}`,
});

const played = 'The tour is over: every step held.';

/** The steps of a newcomer in a new room. */
const playAll = async (folder: string): Promise<void> => {
  let made: Awaited<ReturnType<typeof makeRoom>> | null = null;
  await step('a bare Debian with git', async () => {
    made = await makeRoom(folder);
    return compare(made, 0, '');
  });
  const room = (made as Awaited<ReturnType<typeof makeRoom>> | null)?.room;
  if (!room) return;
  const someone = room.addAccount('someone', 1000);
  const other = room.addAccount('other', 1001);
  const { clone, commit } = room.offerRepository();
  const start = (account: Account): Promise<Outcome> =>
    room.run(account, 'cd counterfoil && npm start', startSeconds);
  const cloned = async (account: Account) =>
    compare(await room.run(account, `${clone} && git -C counterfoil rev-parse HEAD`, 60), 0, commit);

  const install = ({ node, npm }: typeof node20) =>
    step(`Node ${node} with npm ${npm}, and no Python, compiler, sudo or display`, async () => {
      room.installNode(node, npm);
      const tools = 'for tool in python3 cc gcc make sudo; do ! command -v $tool || exit 9; done';
      const line = `${tools}; test -z "$DISPLAY$WAYLAND_DISPLAY" && node --version && npm --version`;
      return compare(await room.run(superuser, line, 60), 0, `v${node}\n${npm}\n`);
    });

  await install(node20);
  await step('a user without sudo clones', () => cloned(someone));
  await step('… npm start names the missing system packages, and ends with 1', async () =>
    compare(await start(someone), 1, aptLine),
  );
  await step('root clones', () => cloned(superuser));
  await step('… npm start installs everything, and plays the tour to its end', async () =>
    compare(await start(superuser), 0, played),
  );
  await step('… which leaves the clone as it was', async () =>
    compare(await room.run(superuser, 'cd counterfoil && test -z "$(git status --porcelain)"', 60), 0, ''),
  );
  await step('the user without sudo: npm start plays the tour to its end', async () =>
    compare(await start(someone), 0, played),
  );
  await install(node22);
  await step('another user clones', () => cloned(other));
  await step('… npm start plays the tour to its end', async () => compare(await start(other), 0, played));
};

const reason = whyNoRoom();
if (reason !== null) console.log(`Skipped: the clean room, because ${reason}.`);
else {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-clean-room-'));
  process.once('exit', () => removeRoom(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    // One level deeper: everybody may enter the room, but only root its place on this machine.
    await playAll(join(folder, 'debian'));
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${error instanceof Error ? error.message : String(error)}`);
  }
  console.log(`\n${String(Math.round((performance.now() - began) / 1000))} s`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
