import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildIntake } from './build.ts';
import { root } from './steps.ts';

/**
 * Builds the intake and starts one for trying, with its files in `.intake/`: `npm run intake`. Arguments are a command
 * of `counterfoil-intake`; `run` if there is none.
 */

const folder = join(root, '.intake');
const configFile = join(folder, 'intake.json');
const credentialsFile = join(folder, 'credentials.json');

const configSchema = z.looseObject({
  listen: z.object({ port: z.int() }),
  admin: z.object({ port: z.int() }),
  profiles: z.array(z.object({ callbackPath: z.string() })).min(1),
});

/** Writes a configuration with one profile, unless there is one from an earlier run. */
const prepare = (): void => {
  if (existsSync(configFile)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'trial.password'), `${password}\n`, { mode: 0o600 });
  writeFileSync(
    credentialsFile,
    JSON.stringify({ merchant_key: 'trial', merchant_password: password }, null, 2),
    { mode: 0o600 },
  );
  const config = {
    version: 1,
    listen: { port: 8420 },
    admin: { port: 9464 },
    state: join(folder, 'state'),
    profiles: [
      {
        id: 'trial',
        name: 'Trial',
        callbackPath: `/${randomBytes(16).toString('hex')}`,
        password: { file: 'trial.password' },
      },
    ],
    drainMs: 0,
  };
  writeFileSync(configFile, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
};

const explain = (): void => {
  const { listen, admin, profiles } = configSchema.parse(JSON.parse(readFileSync(configFile, 'utf8')));
  const callback = `http://127.0.0.1:${listen.port}${profiles[0]?.callbackPath ?? ''}`;
  process.stderr.write(
    [
      `Configuration: ${configFile}`,
      `Callbacks:     ${callback}`,
      `Health:        http://127.0.0.1:${admin.port}/readyz and /metrics`,
      'Database:      none, so callbacks are kept in the journal alone',
      'Send callbacks from a second terminal, and pay in the dashboard that it prints:',
      `  npm run -s sandbox -- --callback-url ${callback} --credentials-file ${credentialsFile}`,
      '',
    ].join('\n'),
  );
};

const args = process.argv.slice(2);
const command = args.length === 0 ? ['run'] : args;
prepare();
if (!(await buildIntake())) process.exit(1);
if (command[0] === 'run') explain();
const child = spawn(
  process.execPath,
  [join(root, 'out', 'intake', 'index.js'), ...command, '--config', configFile],
  { stdio: 'inherit' },
);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('close', code => {
  process.exitCode = code ?? 1;
});
