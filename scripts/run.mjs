// Runs one of the project's scripts: `node scripts/run.mjs FILE [arguments]`. Works on Node 20 with nothing
// installed: sets up first, then starts the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  ensureMessageTypes,
  ensurePackages,
  ensureSystem,
  root,
  scriptEnvironment,
  scriptNode,
} from './setup.mjs';

const [file = '', ...rest] = process.argv.slice(2);
const script = join(root, file);
const name = basename(file, '.ts');
if (!file.endsWith('.ts') || !existsSync(script)) {
  process.stderr.write(`There is no script "${file}". See package.json for their names.\n`);
  process.exit(2);
}

/** System packages that a script always needs; `start` and `dev` request them once they know their host. */
const needs = {
  tour: ['browser', 'keyring'],
  pictures: ['browser', 'keyring'],
  test: rest.join(' ').includes('--project unit') ? [] : ['browser', 'keyring'],
  bench: ['browser'],
  soak: ['browser', 'keyring'],
};

await ensurePackages();
ensureSystem(needs[name] ?? []);
const node = scriptNode();
// The second: see vitest.config.ts.
const flags = ['--disable-warning=ExperimentalWarning', '--wasm-wrapper-tiering-budget=1000000000'];
// A file of 200,000 lines does not need the memory that would make it a tenth faster.
if (name === 'agree') flags.push('--max-semi-space-size=2', '--optimize-for-size');
ensureMessageTypes(node);
const child = spawn(node, [...flags, script, ...rest], {
  stdio: 'inherit',
  env: scriptEnvironment(node),
});
// On Windows a signal sent by a program ends the child at once, and Ctrl+C reaches it without us.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => process.platform === 'win32' || child.kill(signal));
// On a signal npm ends only the shell between us: an orphan has to stop on its own.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 200).unref();
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
