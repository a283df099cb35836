import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { gather, markOf, releaseFiles } from '../../scripts/packaging/draft.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** A draft has exactly the packages of a release, and names what a person must know of them. */

let folder: string;
beforeEach(() => {
  folder = newFolder('draft');
});

const targets = ['win-x64', 'win-arm64', 'mac-x64', 'mac-arm64', 'linux-x64', 'linux-arm64'];
const put = (target: string, name: string, content = ''): void => {
  const artifact = join(folder, 'downloaded', `packages-${target}`);
  mkdirSync(artifact, { recursive: true });
  writeFileSync(join(artifact, name), content);
};
/** What the jobs upload, without one of the files. */
const upload = (left = '', environment: NodeJS.ProcessEnv = {}): void => {
  for (const name of releaseFiles('1.2.3')) {
    const channelOf = /^packed-(.+)\.yml$/.exec(name)?.[1];
    if (name !== left) put(channelOf ?? 'all', channelOf ? 'latest.yml' : name);
  }
  for (const target of targets)
    put(target, `mark-${target}.json`, JSON.stringify(markOf(target, environment)));
};
const draft = (email = 'security@counterfoil.org'): string =>
  gather(join(folder, 'downloaded'), join(folder, 'packages'), { version: '1.2.3', author: { email } });

test('a draft has every package with its hash, and says which are unsigned and which never update', () => {
  upload();
  const notes = draft();
  expect(notes).toMatch(/^\*\*Not signed\*\*: mac-arm64, mac-x64, win-arm64, win-x64\./);
  expect(notes).toMatch(/^\*\*Without an update key\*\*: linux-arm64, .*win-x64\./m);
  const sums = readFileSync(join(folder, 'packages', 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n');
  expect(sums).toHaveLength(releaseFiles('1.2.3').length);
});

test('a draft of signed packages with a key has nothing to say', () => {
  upload('', { SIGNS_WINDOWS: 'true', SIGNS_MAC: 'false', COUNTERFOIL_UPDATE_KEYS: 'KEY' });
  expect(draft().trim()).toBe('See CHANGELOG.md.');
});

test('a draft says if no mail reaches the address for reports', () => {
  upload();
  expect(draft('contributors@counterfoil.example')).toContain(
    '**No mail reaches contributors@counterfoil.example**',
  );
});

test.each(releaseFiles('1.2.3'))('a draft without %s is refused', name => {
  upload(name);
  expect(() => draft()).toThrow(`Missing: ${name}.`);
});

test.each(['counterfoil-1.2.2-win-x64.exe', 'counterfoil-1.2.3-win-x64.exe.blockmap', 'notes.txt'])(
  'a draft with %s is refused',
  name => {
    upload();
    put('win-x64', name);
    expect(() => draft()).toThrow(`Not part of a release: ${name}.`);
  },
);
