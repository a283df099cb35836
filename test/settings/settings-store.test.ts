import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFileAtomic } from '../../main/files/replace-file.ts';
import { openSettings, type SettingsStore } from '../../main/settings/settings-store.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';

let folder: string;
let file: string;
const open: SettingsStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-settings-'));
  file = join(folder, 'settings.json');
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (options: Parameters<typeof openSettings>[2] = {}): SettingsStore => {
  const store = openSettings(file, 'anna', options);
  open.push(store);
  return store;
};

const profile = (id: string, changes: Partial<Profile> = {}): Profile => ({
  ...profileDefaults,
  id,
  name: `Shop ${id}`,
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: `key-${id}`,
  ...changes,
});

const ada = '11111111-1111-4111-8111-111111111111';
const bob = '22222222-2222-4222-8222-222222222222';
const pin = { salt: 'aa'.repeat(16), hash: 'bb'.repeat(32) };

/** A file as the console itself writes it, with two entries of every kind. */
const fillIn = async (): Promise<ReturnType<SettingsStore['read']>> => {
  const store = start();
  store.change(stored => ({
    ...stored,
    settings: {
      ...stored.settings,
      agent: 'Ada',
      theme: 'dark',
      activeProfileId: 'one',
      receiver: { ...stored.settings.receiver, enabled: true, port: 8443 },
      views: [{ id: ada, name: 'Today', words: 'today' }],
    },
    agents: [
      { id: ada, name: 'Ada', role: 'administrator', pin, wrong: 0, waitMs: 0 },
      { id: bob, name: 'Bob', role: 'agent', pin, wrong: 1, waitMs: 5 },
    ],
    profiles: [profile('one', { digest: 'sha256' }), profile('two')],
    templates: [
      {
        id: bob,
        profileId: 'one',
        name: 'Night',
        amount: '80.00',
        currency: 'EUR',
        description: '',
        methods: [],
      },
    ],
  }));
  store.callbackPath('one');
  store.callbackPath('two');
  await store.close();
  return store.read();
};

type Json = Record<string, unknown>;
const edit = (change: (json: Json & { settings: Json; profiles: Json[]; agents: Json[] }) => void): void => {
  const json = JSON.parse(readFileSync(file, 'utf8')) as Json & {
    settings: Json;
    profiles: Json[];
    agents: Json[];
  };
  change(json);
  writeFileSync(file, JSON.stringify(json, null, 2));
};
const withoutCopy = (): void => rmSync(`${file}.copy`);
const storedFiles = (): string[] => readdirSync(folder).filter(name => name.includes('.unreadable-'));

test('one bad field affects nothing else, is reported, and the unchanged file is archived', async () => {
  const before = await fillIn();
  withoutCopy();
  edit(json => {
    json.settings['theme'] = 'blue';
  });
  const damaged = readFileSync(file, 'utf8');
  const store = start();
  const { recovery, ...after } = store.read();
  expect(after).toEqual({
    ...before,
    settings: { ...before.settings, theme: 'system' },
    recovery: undefined,
  });
  expect(recovery?.problems).toEqual([{ section: 'settings', name: 'theme', outcome: 'default' }]);
  await store.flush();
  expect(readFileSync(recovery?.keptFile ?? '', 'utf8')).toBe(damaged);
  expect(statSync(recovery?.keptFile ?? '').mode & 0o777).toBe(0o600);
});

test('a bad profile, agent or template does not change the others', async () => {
  const before = await fillIn();
  withoutCopy();
  edit(json => {
    Object.assign(json.profiles[0] ?? {}, { kind: 'lorry' });
    Object.assign(json.agents[1] ?? {}, { id: 'not an id' });
    json['templates'] = 'none';
  });
  const after = start().read();
  expect(after.profiles).toEqual([before.profiles[1]]);
  expect(after.agents).toEqual([before.agents[0]]);
  expect(after.callbackPaths).toEqual(before.callbackPaths);
  expect(after.installation).toBe(before.installation);
  expect(after.recovery?.problems).toEqual([
    { section: 'agents', name: 'Bob', outcome: 'missing' },
    { section: 'profiles', name: 'Shop one', outcome: 'missing' },
    { section: 'templates', name: '', outcome: 'missing' },
  ]);
});

test('what is bad only in the file is restored from its copy', async () => {
  const before = await fillIn();
  edit(json => {
    Object.assign(json.profiles[0] ?? {}, { kind: 'lorry' });
    Object.assign(json.agents[0] ?? {}, { pin: 'none' });
    delete json['installation'];
  });
  const { recovery, ...after } = start().read();
  expect(recovery?.problems.every(({ outcome }) => outcome === 'restored')).toBe(true);
  const profiles = after.profiles.toSorted((one, two) => one.id.localeCompare(two.id));
  expect({ ...after, profiles, recovery: null }).toEqual(before);
});

test('a file of a version before a field was added is read completely, and not rewritten', async () => {
  const before = await fillIn();
  edit(json => {
    delete json.settings['notifications'];
    delete json.settings['guide'];
    delete (json.settings['receiver'] as Json)['quarantine'];
    for (const one of json.profiles)
      for (const name of ['timeouts', 'merchant', 'timeZone']) delete one[name];
    delete json['templates'];
  });
  const older = readFileSync(file, 'utf8');
  const store = start();
  expect(store.read()).toEqual({ ...before, templates: [] });
  await store.flush();
  expect(readFileSync(file, 'utf8')).toBe(older);
  expect(storedFiles()).toEqual([]);
});

test('a section with a damaged name is restored from the copy, and reported', async () => {
  const before = await fillIn();
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.replace('"templates"', '"#emplates"'));
  writeFileSync(`${file}.copy`, whole);
  const after = start().read();
  expect(after.templates).toEqual(before.templates);
  expect(after.recovery?.problems).toContainEqual(
    expect.objectContaining({ section: 'templates', outcome: 'restored' }),
  );
});

test('if any byte of the file is damaged, the other entries and the installation stay', async () => {
  const before = await fillIn();
  const whole = readFileSync(file);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, hasCopy) => {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      writeFileSync(file, bytes);
      if (hasCopy) writeFileSync(`${file}.copy`, whole);
      else rmSync(`${file}.copy`, { force: true });
      const store = openSettings(file, 'anna', {
        write: async () => undefined,
        writeNew: async () => undefined,
      });
      const after = store.read();
      if (store.blocked) return;
      const isIdHit = Math.abs(at - whole.indexOf(before.installation) - 18) <= 36;
      if (hasCopy || !isIdHit) expect(after.installation).toHaveLength(36);
      if (!isIdHit) expect(after.installation).toBe(before.installation);
      if (hasCopy) {
        expect(after.agents).toHaveLength(2);
        expect(after.profiles).toHaveLength(2);
        expect(after.templates).toHaveLength(1);
        expect(Object.keys(after.callbackPaths)).toHaveLength(2);
      } else {
        const same = (list: keyof typeof after): number =>
          (before[list] as unknown[]).filter(one =>
            (after[list] as unknown[]).some(other => fc.stringify(other) === fc.stringify(one)),
          ).length;
        const lost = 2 - same('agents') + (2 - same('profiles')) + (1 - same('templates'));
        expect(lost).toBeLessThanOrEqual(2);
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['empty', ''],
  ['noise', '\u0000'.repeat(4000)],
  ['a list', '[]'],
  ['torn after the installation', null],
])('a file that is %s never changes the installation’s id', async (_what, text) => {
  const before = await fillIn();
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, text ?? whole.slice(0, whole.indexOf('"settings"')));
  const store = start();
  const { recovery, ...after } = store.read();
  expect({ ...after, recovery: null }).toEqual(before);
  expect(recovery?.problems.length).toBeGreaterThan(0);
  await store.close();
  if (text === null) {
    writeFileSync(file, whole.slice(0, whole.indexOf('"settings"')));
    withoutCopy();
    expect(start().read().installation).toBe(before.installation);
  }
});

test('a missing settings file is restored from its copy, and that is reported', async () => {
  const before = await fillIn();
  rmSync(file);
  const store = start();
  expect(store.read()).toMatchObject({
    installation: before.installation,
    profiles: before.profiles,
    agents: before.agents,
    recovery: { keptFile: null, problems: [{ section: 'file', name: '', outcome: 'restored' }] },
  });
  await store.flush();
  expect(existsSync(file)).toBe(true);
});

test('unreadable parts are reported at every start until dismissed', async () => {
  await fillIn();
  edit(json => {
    json.settings['density'] = 7;
  });
  await start().close();
  const again = start();
  expect(again.read().recovery?.problems).toHaveLength(1);
  expect(storedFiles()).toHaveLength(1);
  again.change(stored => ({ ...stored, recovery: null }));
  await again.close();
  expect(start().read().recovery).toBeNull();
});

test('a receiver whose address or certificate could not be read stays off', async () => {
  await fillIn();
  withoutCopy();
  edit(json => {
    (json.settings['receiver'] as Json)['tls'] = 'yes';
  });
  expect(start().read().settings.receiver).toMatchObject({ enabled: false, port: 8443 });
});

test('an unknown agent signs in no agent without a PIN', async () => {
  await fillIn();
  withoutCopy();
  edit(json => {
    json.settings['agent'] = 'Mallory';
  });
  const { settings, agents } = start().read();
  expect(settings.agent).toBe('Ada');
  expect(agents).toHaveLength(2);
});

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

const failing = (code: string): Error => Object.assign(new Error(code), { code });

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

test('a damaged file is not replaced before it could be archived', async () => {
  await fillIn();
  edit(json => {
    json.settings['theme'] = 'blue';
  });
  const damaged = readFileSync(file, 'utf8');
  const store = start({
    writeNew: async () => {
      throw failing('ENOSPC');
    },
  });
  store.callbackPath('three');
  await store.flush();
  expect(readFileSync(file, 'utf8')).toBe(damaged);
  expect(store.problem()).toMatchObject({ code: 'settings.unwritable' });
});

test('changes in sequence are written in order, and the last one stays', async () => {
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
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
