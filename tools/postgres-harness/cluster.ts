import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A private PostgreSQL for tests and trials: with a separate folder, port and process. */

/** A port of this computer that nothing listens on. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The folder of PostgreSQL's programs, the newest version first; null if there is none. */
const findPrograms = (): string | null => {
  // Under Wine the folders of Linux are there, but nothing in them runs.
  if (process.platform === 'win32') return null;
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const folders = versions
    .sort((one, other) => Number(other) - Number(one))
    .map(version => join('/usr/lib/postgresql', version, 'bin'));
  return (
    [...folders, '/usr/local/bin', '/opt/homebrew/bin'].find(folder => existsSync(join(folder, 'initdb'))) ??
    null
  );
};

const programs = findPrograms();

/** Whether a test needs to be skipped, with the reason in its name: PostgreSQL is not installed. */
export const isPostgresMissing = programs === null;

/** The path of one of PostgreSQL's programs. */
export const postgresProgram = (name: string): string => {
  if (programs === null) throw new Error('PostgreSQL is not installed.');
  return join(programs, name);
};

/** PostgreSQL refuses to run as root; it runs as the user that Debian's package creates. */
export const unprivileged = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find(user => user.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
};

export type Cluster = {
  host: string;
  port: number;
  folder: string;
  /** The administrator, who signs in without a password. */
  superuser: string;
  /** The server's process id. */
  pid(): number;
  start(): Promise<void>;
  /** Ends at once, as after a power cut; resolves when every process has ended. */
  kill(): Promise<void>;
  /** Runs statements as the administrator; returns the rows of the last one. */
  sql<Row>(text: string, database?: string): Promise<Row[]>;
  /** Stops the server and deletes its files. */
  remove(): Promise<void>;
};

const startTimeoutMs = 20_000;

const roomyBytes = 2 * 1024 ** 3;

/**
 * Where a server without flushes has its files: in memory where there is room. On a disk the thousand small files of
 * every database cost more than the tests.
 */
const shortLived = (): string => {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > roomyBytes ? memory : tmpdir();
};

/** Settings of postgresql.conf, beside those for a short life. */
type Settings = Readonly<Record<string, string>>;
const superuser = 'postgres';

/** Starts a server whose files `program` creates: one of PostgreSQL's, with arguments for an empty folder. */
const openCluster = async (
  settings: Settings,
  program: string,
  argsFor: (data: string) => readonly string[],
): Promise<Cluster> => {
  const user = unprivileged();
  const flushes = settings['fsync'] === 'on';
  const folder = mkdtempSync(join(flushes ? tmpdir() : shortLived(), 'counterfoil-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  execFileSync(postgresProgram(program), argsFor(data), {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    shared_buffers: '32MB',
    max_connections: '60',
    // Tests end processes, not the machine: what was written survives without a flush.
    ...(flushes ? {} : { fsync: 'off', max_wal_size: '128MB' }),
    ...settings,
  };
  let server: ChildProcess | null = null;
  let ended: Promise<void> = Promise.resolve();

  const sql = async <Row>(text: string, database = 'postgres'): Promise<Row[]> => {
    const client = new Client({ host: folder, port, user: superuser, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      // Several statements have several results.
      const results = [await client.query(text)].flat();
      return (results.at(-1)?.rows ?? []) as Row[];
    } finally {
      await client.end();
    }
  };

  const start = async (): Promise<void> => {
    const child = spawn(
      postgresProgram('postgres'),
      ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server = child;
    let said = '';
    child.stderr?.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-4_000)));
    ended = new Promise(resolve => child.once('exit', () => resolve()));
    for (const until = performance.now() + startTimeoutMs; ;)
      try {
        await sql('SELECT 1');
        return;
      } catch (thrown) {
        if (child.exitCode !== null || performance.now() > until)
          throw new Error(`PostgreSQL did not start: ${said}`, { cause: thrown });
        await delay(50);
      }
  };

  /** The processes that the server started. */
  const childrenOf = (pid: number): number[] => {
    const file = `/proc/${pid}/task/${pid}/children`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  };
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  await start();
  return {
    host: '127.0.0.1',
    port,
    folder,
    superuser,
    pid: () => server?.pid ?? 0,
    start,
    kill: async () => {
      const pid = server?.pid;
      if (pid === undefined) return;
      const children = childrenOf(pid);
      for (const one of [pid, ...children]) if (isRunning(one)) process.kill(one, 'SIGKILL');
      await ended;
      while (children.some(isRunning)) await delay(5);
      server = null;
    },
    sql,
    remove: async () => {
      if (server) {
        server.kill('SIGINT');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Creates and starts a server. */
export const startCluster = (settings: Settings = {}): Promise<Cluster> =>
  openCluster(settings, 'initdb', data => [
    '-D',
    data,
    '-U',
    superuser,
    '-A',
    'scram-sha-256',
    '--auth-local=trust',
    '-E',
    'UTF8',
    '--lc-collate=C',
    '--lc-ctype=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ]);

/** Creates and starts a standby, which follows a server until it is promoted. */
export const startStandby = (of: Cluster, settings: Settings = {}): Promise<Cluster> =>
  openCluster(settings, 'pg_basebackup', data => [
    '-D',
    data,
    '-h',
    of.folder,
    '-p',
    String(of.port),
    '-U',
    of.superuser,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ]);
