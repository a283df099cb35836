import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  replaceFile,
  replaceFileSync,
  writeFileAtomic,
  writeFileAtomicSync,
} from '../../main/files/replace-file.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'counterfoil-files-'));
const refused = (code: string): Error => Object.assign(new Error(code), { code });

for (const [form, write] of [
  ['blocking', writeFileAtomicSync],
  ['without blocking', writeFileAtomic],
] as const) {
  test(`A file is replaced as a whole, readable only by its owner, ${form}`, async () => {
    const file = join(folder(), 'settings.json');
    writeFileSync(file, 'a longer text than the next one', { mode: 0o644 });
    await write(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['settings.json']);
  });

  test(`A file that cannot be replaced stays, and no temporary file is left, ${form}`, async () => {
    const place = folder();
    const file = join(place, 'settings.json');
    mkdirSync(join(file, 'in the way'), { recursive: true });
    await expect((async () => write(file, 'new'))()).rejects.toThrow();
    expect(readdirSync(place)).toEqual(['settings.json']);
  });
}

test.skipIf(process.platform === 'win32')('A link under the old temporary name is not followed', () => {
  const place = folder();
  const victim = join(place, 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, join(place, 'settings.json.next'));
  writeFileAtomicSync(join(place, 'settings.json'), 'new');
  expect(readFileSync(victim, 'utf8')).toBe('precious');
});

test('On Windows a file that another program holds briefly is replaced once it is released', async () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    let attempts = 0;
    const rename = (): void => {
      attempts += 1;
      if (attempts < 4) throw refused(code);
    };
    const to = join(folder(), 'to');
    replaceFileSync('from', to, { platform: 'win32', rename });
    expect(attempts).toBe(4);
    attempts = 0;
    await replaceFile('from', to, { platform: 'win32', rename: async () => rename() });
    expect(attempts).toBe(4);
  }
});

test('On other systems, and for other errors, a rename that fails is not tried again', () => {
  for (const [platform, code] of [
    ['linux', 'EPERM'],
    ['win32', 'ENOSPC'],
  ] as const) {
    let attempts = 0;
    const rename = (): void => {
      attempts += 1;
      throw refused(code);
    };
    expect(() => replaceFileSync('from', join(folder(), 'to'), { platform, rename })).toThrow(code);
    expect(attempts).toBe(1);
  }
});
