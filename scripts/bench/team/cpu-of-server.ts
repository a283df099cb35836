import { existsSync, readFileSync } from 'node:fs';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';

/** Milliseconds of one tick of the processor's account in /proc, as every Linux has it. */
const tickMs = 10;

/** User and system time of a process, and that of its children that have ended, milliseconds. */
const timesOf = (pid: number): { own: number; ended: number } => {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return { own: 0, ended: 0 };
  const text = readFileSync(file, 'utf8');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return { own: (user + system) * tickMs, ended: (endedUser + endedSystem) * tickMs };
};

/** CPU time of a process so far, milliseconds. */
export const cpuOf = (pid: number): number => timesOf(pid).own;

/** CPU time of the server's processes for connections that were closed, milliseconds. */
export const cpuOfClosed = (cluster: Cluster): number => timesOf(cluster.pid()).ended;

/** CPU time of the server's processes for open connections of this kind, milliseconds. */
export const cpuOfOpen = async (cluster: Cluster, kind: 'write' | 'project'): Promise<number> => {
  const processes = await cluster.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'counterfoil ${kind}'`,
  );
  return processes.reduce((sum, { pid }) => sum + timesOf(pid).own, 0);
};
