import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installCommand, programOfLink, removeCommand } from '../../scripts/packaging/installed-program.ts';
import { lintProblems, ownRuleProblems, workflowProblems } from '../../scripts/check/workflows.ts';

/** The rules for workflows, and the commands that they run on an installed application. */

const pinned = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1';

test('the workflows follow the rules', async () => expect(await workflowProblems()).toEqual([]));

test('a workflow may do nothing by default', () => {
  expect(ownRuleProblems('permissions: {}\n', '')).toEqual([]);
  expect(ownRuleProblems('permissions:\n  contents: read\n', '')).toEqual([
    'lacks "permissions: {}" at the top',
  ]);
});

test('an action is pinned to a commit', () => {
  const using = (action: string): string[] => ownRuleProblems(`permissions: {}\n  - uses: ${action}\n`, '');
  expect(using(pinned)).toEqual([]);
  expect(using('./.github/workflows/check.yml')).toEqual([]);
  expect(using('actions/checkout@v7')).toEqual(['actions/checkout@v7 is not pinned to a commit']);
  expect(using('actions/checkout@3d3c42e')).toHaveLength(1);
});

test('a runner and a permission are ones that exist', async () => {
  const workflow = (runner: string, permission: string): string =>
    `on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ${runner}\n    permissions:\n      ${permission}: write\n    steps:\n      - run: 'true'\n`;
  expect(await lintProblems(workflow('windows-2025', 'attestations'), 'a.yml')).toEqual([]);
  expect(await lintProblems(workflow('windows-2052', 'contents'), 'a.yml')).toEqual([
    expect.stringContaining('windows-2052'),
  ]);
  expect(await lintProblems(workflow('macos-15', 'atestations'), 'a.yml')).toEqual([
    expect.stringContaining('atestations'),
  ]);
});

test('a secret is described', () => {
  const text = 'permissions: {}\nenv: ${{ secrets.SIGNING_KEY }}\n';
  expect(ownRuleProblems(text, '| `SIGNING_KEY` |')).toEqual([]);
  expect(ownRuleProblems(text, 'SIGNING_KEYS')).toHaveLength(1);
});

test('a workflow fetches Electron’s runtime after the set-up, which alone installs packages', () => {
  const steps = (...lines: string[]): string[] =>
    ownRuleProblems(`permissions: {}\n${lines.map(line => `      - run: ${line}\n`).join('')}`, '');
  const [setUp, fetched] = ['node scripts/setup.mjs', 'node node_modules/electron/install.js'];
  expect(steps(setUp, fetched)).toEqual([]);
  expect(steps(fetched, setUp)).toEqual(['fetches Electron’s runtime before the set-up']);
  expect(steps('npm ci --ignore-scripts', setUp)).toHaveLength(1);
});

test('an application is installed and removed without a question', () => {
  expect(installCommand('packages', ['a-win-x64.exe', 'a.exe.blockmap'], 'win32')).toEqual([
    expect.stringMatching(/a-win-x64\.exe$/),
    '/S',
    '/currentuser',
  ]);
  expect(installCommand('packages', ['a.deb'], 'linux').at(-1)).toBe(`./${join('packages', 'a.deb')}`);
  expect(() => installCommand('packages', ['a.deb', 'b.deb'], 'linux')).toThrow('Not one package');
  expect(removeCommand('/opt/a', 'linux')).toContain('remove');
});

test('the program of a counterfoil: link is read from the registry', () => {
  expect(
    programOfLink('\r\n    (Default)    REG_SZ    "C:\\Users\\Jane Doe\\Counterfoil.exe" "%1"\r\n'),
  ).toBe('C:\\Users\\Jane Doe\\Counterfoil.exe');
  expect(programOfLink('')).toBe(null);
});
