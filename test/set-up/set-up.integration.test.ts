import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { bareMachine, workingNpm, type BareMachine } from './bare-machine.ts';

/** From a fresh clone to the first script, on machines without one thing or another. */

let machine: BareMachine;
beforeEach(() => {
  machine = bareMachine();
});
afterEach(() => machine.remove());

const npm = workingNpm;
const everything = { npm, chromium: '', 'gnome-keyring-daemon': '', 'dbus-run-session': '' };

describe.skipIf(process.platform !== 'linux')('the set-up', () => {
  test('installs the packages once, and again when the lockfile has changed', () => {
    const first = machine.run({ programs: { npm } }, 'probe');
    expect(first.ran).toEqual([expect.stringMatching(/^npm ci .*--strict-allow-scripts/)]);
    expect(machine.run({ programs: { npm } }, 'probe').ran).toEqual([]);
    writeFileSync(join(machine.folder, 'package-lock.json'), '{ "changed": true }');
    expect(machine.run({ programs: { npm } }, 'probe').ran).toHaveLength(1);
  });

  test('leaves standard output to the script, and prints to standard error', () => {
    const { out, err } = machine.run({ programs: { npm: `${npm}\necho added` } }, 'probe', '0', '--flag');
    expect(JSON.parse(out)).toMatchObject({ args: ['0', '--flag'] });
    expect(err).toContain('Installing packages');
    expect(err).toContain('added');
  });

  test('starts the script with its tools first on the path, and returns its exit code', () => {
    const { out, code } = machine.run({ programs: { npm } }, 'probe', '7');
    expect(code).toBe(7);
    const { path } = JSON.parse(out) as { path: string };
    expect(path.startsWith(join(machine.folder, 'node_modules', '.bin'))).toBe(true);
  });

  test('a failed installation stops it, and is tried again the next time', () => {
    const failing = machine.run({ programs: { npm: 'exit 1' } }, 'probe');
    expect(failing).toMatchObject({ code: 1, out: '' });
    expect(failing.err).toContain('could not be installed');
    expect(machine.run({ programs: { npm } }, 'probe')).toMatchObject({ code: 0, ran: [expect.any(String)] });
  });

  test('requests the right Node if this one is too old and none is packaged', () => {
    const { code, err } = machine.run(
      { programs: { npm: 'mkdir -p node_modules' }, nodeVersion: '20.20.2' },
      'probe',
    );
    expect(code).toBe(1);
    expect(err).toContain('need Node 22.19 or newer, and this is v20.20.2');
    expect(err).toContain('install Node 24');
  });

  test('uses a Node that is new enough if none is packaged', () => {
    const { code } = machine.run(
      { programs: { npm: 'mkdir -p node_modules' }, nodeVersion: '22.19.0' },
      'probe',
    );
    expect(code).toBe(0);
  });

  test('a missing script is reported, before anything is installed', () => {
    expect(machine.run({ programs: { npm } }, 'tell')).toMatchObject({ code: 2, ran: [] });
    expect(machine.run({ programs: { npm } }, '../probe')).toMatchObject({ code: 2, ran: [] });
  });
});

describe.skipIf(process.platform !== 'linux')('system packages', () => {
  test('that are installed are not installed again', () => {
    expect(machine.run({ programs: { ...everything, 'apt-get': '' } }, 'tour').ran).toHaveLength(1);
  });

  test('that are missing are installed for root, and only those', () => {
    const { ran, code } = machine.run({ programs: { npm, chromium: '', 'apt-get': '' } }, 'tour');
    expect(code).toBe(0);
    expect(ran.slice(1)).toEqual([
      'apt-get update',
      'apt-get install -y --no-install-recommends gnome-keyring dbus',
    ]);
  });

  test('are installed through sudo if it needs no password', () => {
    const sudo = '[ "$2" = true ] && exit 0; shift; exec "$@"';
    const { ran, code } = machine.run({ programs: { npm, 'apt-get': '', sudo }, user: 'someone' }, 'tour');
    expect(code).toBe(0);
    expect(ran).toContain(
      'apt-get install -y --no-install-recommends chromium fonts-liberation fonts-noto-color-emoji gnome-keyring dbus',
    );
  });

  test('are listed with the exact command for a user who may not install them', () => {
    const programs = { npm, 'apt-get': '', sudo: 'exit 1' };
    const { ran, code, err, out } = machine.run({ programs, user: 'someone' }, 'tour');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium');
    expect(ran.filter(line => line.startsWith('apt-get'))).toEqual([]);
  });

  test('are listed if the installation fails, and on systems other than Debian', () => {
    const failing = machine.run({ programs: { npm, 'apt-get': 'exit 100' } }, 'tour');
    expect(failing.code).toBe(1);
    expect(failing.err).toContain('sudo apt-get install');
    const elsewhere = machine.run({ programs: { npm } }, 'tour');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.err).toContain("your system's package manager");
  });

  test('are not requested for a script that needs none', () => {
    expect(machine.run({ programs: { npm, 'apt-get': '' } }, 'probe').ran).toHaveLength(1);
  });
});

test('every command of package.json that starts a script starts an existing one', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const names = Object.values(scripts).flatMap(
    line => /^node scripts\/run\.mjs ([\w-]+)/.exec(line)?.[1] ?? [],
  );
  expect(names).toContain('start');
  expect(names.filter(name => !existsSync(join(root, 'scripts', `${name}.ts`)))).toEqual([]);
});
