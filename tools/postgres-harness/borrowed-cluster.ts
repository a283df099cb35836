import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startCluster, type Cluster } from './cluster.ts';

/**
 * One PostgreSQL for the files that a process tests one after another: to create and start a server costs a second of
 * CPU time. Every borrower gets it running and empty.
 */

let started: Promise<Cluster> | null = null;

/** Ends the server when this process ends for any reason: the watcher's input closes with it. */
const endWithUs = ({ folder }: Cluster): void => {
  const server = `"$(head -n 1 '${join(folder, 'data', 'postmaster.pid')}' 2>/dev/null)"`;
  const watcher = spawn(
    'sh',
    [
      '-c',
      `cat >/dev/null; pid=${server}; [ -n "$pid" ] && kill -QUIT "$pid" && while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; rm -rf '${folder}'`,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  watcher.unref();
};

const start = async (): Promise<Cluster> => {
  const cluster = await startCluster();
  endWithUs(cluster);
  return cluster;
};

/** Deletes the databases and roles of a borrower; starts a server that was killed. */
const empty = async (cluster: Cluster): Promise<void> => {
  if (cluster.pid() === 0) await cluster.start();
  const databases = await cluster.sql<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'",
  );
  for (const { name } of databases) await cluster.sql(`DROP DATABASE "${name}" WITH (FORCE)`);
  const roles = await cluster.sql<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles WHERE rolname !~ '^pg_' AND rolname <> '${cluster.superuser}'`,
  );
  if (roles.length > 0) await cluster.sql(`DROP ROLE ${roles.map(({ name }) => `"${name}"`).join(', ')}`);
};

/** The server of this process; `remove` gives it back. */
export const borrowCluster = async (): Promise<Cluster> => {
  started ??= start();
  const cluster = await started;
  return { ...cluster, remove: () => empty(cluster) };
};
