import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';

/** Breaks each import rule on purpose: the project's lint configuration must report it. */

const breaking = [
  ['shared', "import { dirname, join } from 'node:path';\nexport const path = join('a', 'b');"],
  ['shared', "import { sign } from '../main/signatures/signature.ts';\nexport const signing = sign;"],
  ['shared', 'export const width = window.innerWidth;'],
  ['renderer', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;"],
  ['renderer', "import { sign } from '../main/signatures/signature.ts';\nexport const signing = sign;"],
  ['renderer', "import { ipcRenderer } from 'electron';\nexport const ipc = ipcRenderer;"],
  ['renderer', "import { request } from 'undici';\nexport const ask = request;"],
  ['preload', "import { sign } from '../main/signatures/signature.ts';\nexport const signing = sign;"],
  ['preload', "import * as z from 'zod';\nexport const text = z.string();"],
  ['main/app', 'export const read = (): number => later;\nconst later = 1;'],
  ['main/app', "import { app } from 'electron';\nexport const application = app;"],
  ['main/app', "import { go } from '../../renderer/stores/route-store.ts';\nexport const navigate = go;"],
  ['main/gateway', "export { startDesk } from '../../tools/app-harness/running-app.ts';"],
  ['main/gateway', "export { clear } from '../../test/end-to-end/focus.ts';"],
  ['main/app', "import { openPage } from '../electron/open-external.ts';\nexport const open = openPage;"],
  ['main/app/payments', "import type { Ipc } from '../../electron/ipc.ts';\nexport type Wire = Ipc;"],
  ['main/gateway', "import { createApp } from '../app/create-app.ts';\nexport const app = createApp;"],
  [
    'main/payment-log/sqlite',
    "import type { AppOptions } from '../../app/common/app-context.ts';\nexport type Given = AppOptions;",
  ],
  [
    'main/callbacks',
    "import { openPage } from '../electron/open-external.ts';\nexport const open = openPage;",
  ],
  [
    'shared/contract',
    "import type { AppOptions } from '../../main/app/common/app-context.ts';\nexport type Given = AppOptions;",
  ],
  ['main/payment-log/postgres', "import type { App } from 'electron';\nexport type Application = App;"],
  ['main/team', "import Database from 'better-sqlite3';\nexport const database = Database;"],
  ['shared/contract', "import { Client } from 'pg';\nexport const client = Client;"],
  ['shared/contract', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;"],
  ['shared/money', "import { app } from 'electron';\nexport const application = app;"],
  ['shared/money', 'export const title = document.title;'],
] as const;
const permitted = [
  'main/app',
  "import type { App } from 'electron';\nexport type Application = App;",
] as const;

/** What the linter reports for the line, alone in a file of the folder. */
const reports = new Map<string, string>();

// One run for all files, in a folder with the same names: other checks read the sources at the same time.
beforeAll(async () => {
  const home = newFolder('lint');
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as { options: object };
  // The rules about imports need no types, which are those of the whole project.
  writeFileSync(
    join(home, '.oxlintrc.json'),
    JSON.stringify({ ...config, options: { ...config.options, typeAware: false } }),
  );
  const files = [...breaking, permitted].map(([folder, line], index) => ({
    line: `${folder}: ${line}`,
    file: `${folder}/breaks-a-rule-${index}.ts`,
    folder,
    content: `${line}\n`,
  }));
  for (const { folder, file, content } of files) {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, file), content);
  }
  const report = await lint(home);
  for (const { line, file } of files)
    reports.set(
      line,
      report
        .split('\n')
        .filter(one => one.replaceAll('\\', '/').startsWith(`${file}:`))
        .join('\n'),
    );
});

const lint = async (folder: string): Promise<string> => {
  // Not .bin: on Windows it holds command files, which need a shell.
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [oxlint, '--format=unix'], {
      cwd: folder,
    });
    return stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
};

test.each(breaking)('the lint rules report in %s: %s', (folder, line) => {
  expect(reports.get(`${folder}: ${line}`)).toMatch(/no-restricted-(imports|globals)|no-use-before-define/);
});

test('the lint rules let permitted imports pass', () => {
  const [folder, line] = permitted;
  expect(reports.get(`${folder}: ${line}`)).toBeDefined();
  expect(reports.get(`${folder}: ${line}`)).not.toMatch(/no-restricted/);
});

test('only one file of main opens something through the shell', () => {
  const users = readdirSync(join(root, 'main'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .filter(file => /shell\s*\.\s*openExternal/.test(readFileSync(join(root, 'main', file), 'utf8')));
  expect(users).toEqual([join('electron', 'open-external.ts')]);
});

/** All modules that a file loads, directly and indirectly, by path or by name. */
const loadedBy = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, from = ''] of source.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^']+)'/gm))
    if (from.startsWith('.')) loadedBy(join(dirname(file), from), seen);
    else seen.add(from);
  return seen;
};

test('the workers of the payment log load no schemas: three of them start with the console, and more to verify', () => {
  for (const worker of ['sqlite/worker/worker.ts', 'list/list-worker.ts']) {
    const loaded = loadedBy(join(root, 'main', 'payment-log', worker));
    expect(loaded).toContain('better-sqlite3');
    expect(loaded).toContain(join(root, 'shared', 'payment-reducer', 'reduce.ts'));
    expect(loaded).not.toContain('zod');
  }
});
