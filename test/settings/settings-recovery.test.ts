import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSettings } from '../../main/settings/settings-store.ts';
import { failing, settingsFolder, type Json } from './settings-folder.ts';

/** Settings of which a part is damaged or missing. */

const { file, start, fillIn, edit, withoutCopy, storedFiles } = settingsFolder();

test('one bad field of the settings affects nothing else, is reported, and the unchanged file is archived', async () => {
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
  if (process.platform !== 'win32') expect(statSync(recovery?.keptFile ?? '').mode & 0o777).toBe(0o600);
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

test('what is bad only in the settings file is restored from its copy', async () => {
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

test.each([
  ['alerts', [], 'missing'],
  ['update', 'none', 'default'],
  ['retention', 7, 'default'],
] as const)('%s that is no object at all is reported', async (section, damage, outcome) => {
  await fillIn();
  withoutCopy();
  edit(json => {
    json[section] = damage;
  });
  const { recovery } = start().read();
  expect(recovery?.problems).toContainEqual(expect.objectContaining({ section, outcome }));
});

const sharedLog = {
  host: 'db',
  port: 5432,
  database: 'team',
  tls: { mode: 'off' },
  role: 'console',
  hasPassword: true,
  logId: 'no id',
};
test.each([
  ['sharedLog', sharedLog],
  ['chain', 'no id'],
] as const)(
  'a console whose %s cannot be read writes nothing and leaves no team until a person agrees',
  async (part, damage) => {
    await fillIn();
    withoutCopy();
    edit(json => {
      json[part] = damage;
    });
    const damaged = readFileSync(file, 'utf8');
    const store = start();
    expect(store.blocked).toMatchObject({ code: 'settings.team-lost' });
    store.change(stored => ({ ...stored, callbackPaths: {} }));
    await store.flush();
    expect(readFileSync(file, 'utf8')).toBe(damaged);
    await store.continueWithoutTeam();
    const after = start();
    expect(after.blocked).toBeNull();
    expect(after.read()).toMatchObject({ sharedLog: null, chain: null, profiles: [{}, {}] });
    expect(after.read().recovery?.problems).toEqual([{ section: part, name: '', outcome: 'default' }]);
  },
);

test('a damaged connection to the team is restored from the copy without a question', async () => {
  const id = '4c1bd0a5-0b0c-4a8e-9f2e-6d1a9b0f7c11';
  await fillIn();
  edit(json => {
    json['chain'] = id;
  });
  writeFileSync(`${file}.copy`, readFileSync(file));
  edit(json => {
    json['chain'] = 'no id';
  });
  const store = start();
  expect(store.blocked).toBeNull();
  expect(store.read().chain).toBe(id);
});

test.each(['templates', 'callbackPaths'] as const)(
  '%s with a damaged name is restored from the copy, and reported',
  async section => {
    const before = await fillIn();
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace(`"${section}"`, `"#${section.slice(1)}"`));
    writeFileSync(`${file}.copy`, whole);
    const after = start().read();
    expect(after[section]).toEqual(before[section]);
    expect(after.recovery?.problems).toContainEqual(
      expect.objectContaining({ section, outcome: 'restored' }),
    );
  },
);

test('if any byte of the settings file is damaged, its other entries and the installation stay', async () => {
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
        // A damaged profile id is one more name.
        expect(Object.keys(after.callbackPaths).length).toBeGreaterThanOrEqual(2);
      } else {
        const same = (list: keyof typeof after): number =>
          (before[list] as unknown[]).filter(one =>
            (after[list] as unknown[]).some(other => fc.stringify(other) === fc.stringify(one)),
          ).length;
        const lost = 2 - same('agents') + (2 - same('profiles')) + (1 - same('templates'));
        // Between two lists, the last entry of one and both of the other.
        expect(lost).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: 300, examples: [[1845, 0, false]] },
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

test('unreadable parts of the settings are reported at every start until dismissed', async () => {
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
