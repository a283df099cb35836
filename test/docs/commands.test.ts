import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { installCommand, removeCommand } from '../../scripts/packaging/installed-program.ts';
import { root } from '../../tools/build/steps.ts';
import { blocks, namedScripts } from './command-blocks.ts';

/** Every command in the documents is run by a test, is one of package.json, or says which system it needs. */

/** Documents whose commands for Linux are all run in a shell, and the test that does so. */
const runBy: Readonly<Record<string, string>> = {
  'docs/build/debugging.md': 'test/docs/documents.integration.test.ts',
  'docs/use/administration.md': 'test/docs/documents.integration.test.ts',
  'docs/use/installation.md': 'test/docs/documents.integration.test.ts',
  'docs/use/intake.md': 'test/intake/documents.integration.test.ts',
  'docs/use/team.md': 'test/app/team/documents.integration.test.ts',
};
/** What a command may need that tests do not have: a system, its administrator, another program. */
const otherNeeds = ['electron', 'macos', 'openssl', 'root', 'sqlite3'];
const scripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
).scripts;

const shellBlocks = blocks.filter(({ language }) => language === 'sh');
const commandStart = /^(counterfoil|npm|npx|node|apt-get|docker|psql|createdb|sudo|curl|systemctl) /;

test('a block with commands names its shell', () => {
  const unnamed = blocks.filter(
    ({ language, lines }) => language === '' && lines.some(line => commandStart.test(line)),
  );
  expect(unnamed).toEqual([]);
});

test.each(Object.entries(runBy))('the commands of %s are run by %s', (document, file) => {
  expect(shellBlocks.some(block => block.file === document)).toBe(true);
  expect(readFileSync(join(root, file), 'utf8')).toContain(document);
});

test('what a block needs is a system or a program that is known', () => {
  expect(new Set(shellBlocks.map(({ needs }) => needs))).toEqual(new Set(['', 'linux', ...otherNeeds]));
  const notRun = shellBlocks.filter(({ file, needs }) => needs === 'linux' && !(file in runBy));
  expect(notRun).toEqual([]);
});

test('the commands for other systems are those with which a release is tried', () => {
  const lines = blocks
    .filter(({ file }) => file === 'docs/use/installation.md')
    .flatMap(({ lines: all }) => all);
  const installed = (name: string, platform: string): string =>
    installCommand('', [name], platform)
      .filter(word => !['sudo', '--reinstall', '/currentuser'].includes(word))
      .join(' ');
  expect(lines).toContain(`${installed('counterfoil-0.1.0-win-x64.exe', 'win32')} /allusers`);
  expect(lines).toContain(installed('counterfoil-0.1.0-mac-arm64.zip', 'darwin'));
  expect(lines).toContain(installed('counterfoil_0.1.0_amd64.deb', 'linux'));
  expect(lines).toContain(removeCommand('', 'darwin').join(' '));
  const [uninstaller = ''] = removeCommand('C:\\Counterfoil.exe', 'win32');
  expect(lines.join('\n')).toContain(`\\${basename(uninstaller)}" /S`);
});

test('every script that a text names exists', () => {
  expect(namedScripts.length).toBeGreaterThan(10);
  expect(namedScripts.filter(({ script }) => !(script in scripts))).toEqual([]);
});

const lines = shellBlocks
  .filter(({ file, needs }) => needs === '' && !(file in runBy && !file.startsWith('docs/build/')))
  .flatMap(({ file, lines }) => lines.map(line => ({ file, line: line.replace(/^[A-Z_]+=\S+ /, '') })));

test.each(lines)('the command for a checkout in $file exists: $line', ({ line }) => {
  const [program, first = '', second = '', third = ''] = line.split(/\s+/);
  if (program === 'node') return expect(existsSync(join(root, first))).toBe(true);
  expect(program).toBe('npm');
  const script = first !== 'run' ? first : second === '-s' ? third : second;
  expect(script === 'ci' || script in scripts).toBe(true);
});
