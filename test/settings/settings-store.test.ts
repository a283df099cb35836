import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomic } from '../../main/files/replace-file.ts';
import { failing, settingsFolder } from './settings-folder.ts';

/** Reading and writing the settings file. */

const { folder, file, start, fillIn, edit } = settingsFolder();

test('settings of a newer version are refused and not changed', async () => {
  await fillIn();
  edit(json => {
    json['version'] = 2;
  });
  const newer = readFileSync(file, 'utf8');
  const copy = readFileSync(`${file}.copy`, 'utf8');
  const store = start();
  expect(store.blocked).toMatchObject({ code: 'settings.newer' });
  expect(store.read().settings.theme).toBe('dark');
  expect(store.read().profiles).toEqual([]);
  store.change(stored => ({ ...stored, settings: { ...stored.settings, theme: 'light' } }));
  await store.close();
  expect(readFileSync(file, 'utf8')).toBe(newer);
  expect(readFileSync(`${file}.copy`, 'utf8')).toBe(copy);
});

test.each(['EBUSY', 'EACCES', 'EPERM', 'EIO'])('a read that fails with %s is tried again', async code => {
  const before = await fillIn();
  let failures = 3;
  const read = (path: string): Buffer => {
    failures -= 1;
    if (failures >= 0) throw failing(code);
    return readFileSync(path);
  };
  expect(start({ read }).read()).toEqual(before);
});

test('a file that cannot be read at all is an error, never a reset', async () => {
  await fillIn();
  const whole = readFileSync(file, 'utf8');
  const store = start({
    read: () => {
      throw failing('EACCES');
    },
  });
  expect(store.blocked).toMatchObject({ code: 'settings.unreadable' });
  store.callbackPath('one');
  await store.close();
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('on a full disk the settings open, changes take effect, and the error is reported until they are written', async () => {
  let isFull = true;
  const emitted: (string | null)[] = [];
  const store = start({
    write: async (path, text) => {
      if (isFull) throw failing('ENOSPC');
      await writeFileAtomic(path, text);
    },
  });
  store.onProblem(() => emitted.push(store.problem()?.code ?? null));
  const path = store.callbackPath('one');
  await store.flush();
  expect(store.problem()).toMatchObject({ code: 'settings.unwritable', details: { cause: 'ENOSPC' } });
  expect(store.callbackPath('one')).toBe(path);
  expect(existsSync(file)).toBe(false);
  isFull = false;
  store.change(stored => ({ ...stored, settings: { ...stored.settings, theme: 'dark' } }));
  await store.flush();
  expect(emitted).toEqual(['settings.unwritable', null]);
  expect(start().read()).toMatchObject({ callbackPaths: { one: path }, settings: { theme: 'dark' } });
});

test('changes of settings in sequence are written in order, and the last one stays', async () => {
  const store = start();
  for (let port = 1; port <= 50; port += 1) {
    store.change(stored => ({
      ...stored,
      settings: { ...stored.settings, receiver: { ...stored.settings.receiver, port } },
    }));
    if (port % 7 === 0) await store.flush();
  }
  await store.flush();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(store.read());
  expect(readFileSync(`${file}.copy`, 'utf8')).toBe(readFileSync(file, 'utf8'));
});

test('a change without an effect writes nothing', async () => {
  await fillIn();
  let writes = 0;
  const store = start({
    write: async () => {
      writes += 1;
    },
  });
  store.change(stored => ({ ...stored, settings: { ...stored.settings, theme: 'dark' } }));
  await store.close();
  expect(writes).toBe(0);
});

test('a link prepared under a temporary name is not followed, and no temporary file is left', async () => {
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'precious');
  for (const name of ['settings.json.next', 'settings.json.part']) symlinkSync(victim, join(folder, name));
  const store = start();
  store.callbackPath('one');
  await store.close();
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(readdirSync(folder).filter(name => /[0-9a-f]{12}\.part$/.test(name))).toEqual([]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});
