import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IntakeHealth } from '../../main/intake/serve/intake-health.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { bundledWorkers } from '../app-harness/bundle-workers.ts';

/** An intake in a separate process, as the package ships it. */

export const program = join(bundledWorkers, 'intake.js');
export const callbackPath = '/0123456789abcdef0123456789abcdef';
export const password = 'correct horse battery';

export type IntakeFolder = ReturnType<typeof intakeFolder>;
export type RunningIntake = Awaited<ReturnType<typeof start>>;

const start = async (file: string, args: readonly string[]) => {
  const child = spawn(process.execPath, [file, 'run', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ports = new Promise<{ port: number; adminPort: number }>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = output.split('\n').find(line => line.includes('The intake is ready.'));
      if (ready !== undefined) resolve(JSON.parse(ready) as { port: number; adminPort: number });
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('exit', () => reject(new Error(`The intake has ended: ${output}`)));
  });
  const { port, adminPort } = await ports;
  const url = `http://127.0.0.1:${port}${callbackPath}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  return {
    child,
    url,
    admin,
    /** Everything it wrote so far. */
    output: (): string => output,
    post: async (body: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
      const all = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
      const answer = await fetch(url, { method: 'POST', body, headers: all });
      await answer.text();
      return answer.status;
    },
    health: async (): Promise<{ status: number; health: IntakeHealth }> => {
      const answer = await fetch(`${admin}/readyz`);
      return { status: answer.status, health: (await answer.json()) as IntakeHealth };
    },
    metrics: async (): Promise<string> => (await fetch(`${admin}/metrics`)).text(),
    /** Sends a signal and resolves to the exit code when the process has ended. */
    end: async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'close');
      }
      return child.exitCode;
    },
  };
};

/**
 * A folder with a configuration. `state`: the folder of the journal; beside the configuration if left out. `file`: of
 * the program.
 */
export const intakeFolder = (state?: string, file = program) => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-intake-'));
  const configFile = join(folder, 'intake.json');
  const stateFolder = state ?? join(folder, 'state');
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(join(folder, 'live.password'), `${password}\n`, { mode: 0o600 });
  const started: RunningIntake[] = [];
  const configure = (changes: Readonly<Record<string, unknown>>): void =>
    writeFileSync(
      configFile,
      JSON.stringify({
        version: 1,
        listen: { port: 0 },
        admin: { port: 0 },
        state: stateFolder,
        drainMs: 0,
        quarantine: 100,
        profiles: [{ id: 'live', name: 'Shop', callbackPath, password: { file: 'live.password' } }],
        ...changes,
      }),
    );
  configure({});
  return {
    folder,
    configFile,
    journal: join(stateFolder, 'payments.db'),
    /** Writes the configuration with these values over the usual ones. */
    configure,
    /** Keeps the password of an account; returns the part of the configuration that joins its shared log. */
    sharing: ({ host, port, database: name, schema, role, password: secret }: SharedLogSettings) => {
      writeFileSync(join(folder, 'database.password'), secret ?? '', { mode: 0o600 });
      return { host, port, name, schema, role, password: { file: 'database.password' } };
    },
    start: async () => {
      const running = await start(file, ['--config', configFile]);
      started.push(running);
      return running;
    },
    /** Runs a command to its end. */
    command: (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
      new Promise(resolve => {
        const all = [file, ...args, '--config', configFile, '--language', 'en'];
        execFile(process.execPath, all, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      }),
    remove: async (): Promise<void> => {
      for (const running of started) await running.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
