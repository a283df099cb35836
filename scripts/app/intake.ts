import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildIntake } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';

/**
 * Builds the intake and starts one for trying, with its files in `.intake/`: `npm run intake`. It ships to a PostgreSQL
 * that the command starts, where that is installed. Arguments are a command of `counterfoil-intake`; `run` if there is
 * none.
 */

const folder = join(root, '.intake');
const program = join(root, 'out', 'intake', 'index.js');
const configFile = join(folder, 'intake.json');
const trialFile = join(folder, 'trial.json');
const databasePassword = join(folder, 'database.password');

/** What stays the same from run to run; the sandbox gateway reads the first two as its credentials. */
const trialSchema = z.object({
  merchant_key: z.string(),
  merchant_password: z.string(),
  callbackPath: z.string(),
});
type Trial = z.infer<typeof trialSchema>;

const readTrial = (): Trial => {
  if (existsSync(trialFile)) return trialSchema.parse(JSON.parse(readFileSync(trialFile, 'utf8')));
  const trial = {
    merchant_key: 'trial',
    merchant_password: randomBytes(16).toString('hex'),
    callbackPath: `/${randomBytes(16).toString('hex')}`,
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(trialFile, JSON.stringify(trial, null, 2), { mode: 0o600 });
  writeFileSync(join(folder, 'trial.password'), `${trial.merchant_password}\n`, { mode: 0o600 });
  return trial;
};

const writeConfig = (trial: Trial, database: object | null): void => {
  const config = {
    version: 1,
    listen: { port: 8420 },
    admin: { port: 9464 },
    database,
    state: 'state',
    profiles: [
      {
        id: 'trial',
        name: 'Trial',
        callbackPath: trial.callbackPath,
        password: { file: 'trial.password' },
      },
    ],
    drainMs: 0,
  };
  writeFileSync(configFile, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
};

/** Creates the shared log in a new server, with the commands of an administrator. */
const createSharedLog = async (trial: Trial): Promise<Cluster> => {
  const cluster = await startCluster();
  await cluster.sql('CREATE DATABASE counterfoil');
  const database = { host: '127.0.0.1', port: cluster.port, name: 'counterfoil' };
  writeConfig(trial, { ...database, role: 'unknown' });
  const asAdministrator = (...args: string[]): string =>
    execFileSync(
      process.execPath,
      [program, ...args, '--config', configFile, '--host', cluster.folder, '--language', 'en'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
  asAdministrator('init');
  const [role = '', , password = ''] = asAdministrator('add-intake', 'Trial').trim().split('\n');
  writeFileSync(databasePassword, password, { mode: 0o600 });
  writeConfig(trial, {
    ...database,
    role: role.replace('Role: ', ''),
    password: { file: 'database.password' },
  });
  return cluster;
};

const explain = ({ callbackPath }: Trial, cluster: Cluster | null): void => {
  const callback = `http://127.0.0.1:8420${callbackPath}`;
  process.stderr.write(
    [
      `Configuration: ${configFile}`,
      `Callbacks:     ${callback}`,
      'Health:        http://127.0.0.1:9464/readyz and /metrics',
      cluster === null
        ? 'Database:      none, because PostgreSQL is not installed: callbacks are kept in the journal alone'
        : `Database:      a new PostgreSQL until the end of this command: psql -h ${cluster.folder} -p ${cluster.port} -U ${cluster.superuser} counterfoil`,
      'Send callbacks from a second terminal, and pay in the dashboard that it prints:',
      `  npm run -s sandbox -- --callback-url ${callback} --credentials-file ${trialFile}`,
      '',
    ].join('\n'),
  );
};

const args = process.argv.slice(2);
const [command = 'run', ...rest] = args;
if (!(await buildIntake())) process.exit(1);
const trial = readTrial();
const cluster = command === 'run' && !isPostgresMissing ? await createSharedLog(trial) : null;
if (cluster === null && (command === 'run' || !existsSync(configFile))) writeConfig(trial, null);
if (command === 'run') explain(trial, cluster);
const child = spawn(process.execPath, [program, command, ...rest, '--config', configFile], {
  stdio: 'inherit',
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('close', code => {
  process.exitCode = code ?? 1;
  void cluster?.remove();
});
