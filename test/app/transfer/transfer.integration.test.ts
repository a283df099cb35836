import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ImportPreview } from '../../../shared/administration/settings-transfer.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Settings and profiles from one computer to another: two running applications, a real file. */

const from = useApp();
const to = useApp();
/** Without profiles, and with the settings of a new console. */
beforeEach(async () => {
  for (const app of [from, to]) {
    const { profiles, settings } = await app.state();
    for (const { id, kind } of profiles) if (kind !== 'sandbox') await app.value('profiles.remove', { id });
    const receiver = { ...settings.receiver, enabled: false, host: '127.0.0.1', quarantine: 10_000 };
    await app.value('settings.change', {
      retentionDays: 0,
      idleLock: null,
      lookUpAutomatically: true,
      receiver,
    });
  }
});
const fileOf = (): string => join(from.saved, 'settings.json');

const exportAll = async (): Promise<Record<string, unknown>> => {
  from.willSave(fileOf());
  await from.value('settings.export', {});
  return JSON.parse(readFileSync(fileOf(), 'utf8')) as Record<string, unknown>;
};
const preview = async (): Promise<ImportPreview> => {
  to.willOpen(fileOf());
  const { preview } = await to.value('settings.previewImport', {});
  if (preview === null) throw new Error('cancelled');
  return preview;
};

test('an exported settings file contains no password, PIN, callback path, certificate or person', async () => {
  await addShop(from);
  await from.addPerson('Grace Hopper', 'agent', '246824682468');
  const text = JSON.stringify(await exportAll());
  const stored = JSON.parse(readFileSync(join(from.folder, 'settings.json'), 'utf8')) as {
    callbackPaths: Record<string, string>;
    installation: string;
    agents: { pin: { hash: string } | null }[];
  };
  for (const secret of [
    'correct horse',
    '246824682468',
    'Grace',
    stored.installation,
    ...Object.values(stored.callbackPaths),
    ...stored.agents.flatMap(({ pin }) => (pin === null ? [] : [pin.hash])),
  ])
    expect(text).not.toContain(secret);
  expect(text).not.toContain('tls');
});

test('an import of settings shows what would change before anything does, then changes all of it', async () => {
  const id = await addShop(from);
  await from.value('settings.change', { retentionDays: 365, idleLock: 5, lookUpAutomatically: false });
  await exportAll();
  const shown = await preview();
  expect(inWords(shown.settings)).toEqual([
    { path: 'lookUpAutomatically', label: expect.any(String), before: 'on', after: 'off' },
    { path: 'retentionDays', label: 'Erase customer details after', before: '0', after: '365' },
    { path: 'idleLock', label: expect.any(String), before: '–', after: '5' },
  ]);
  expect(shown.profiles).toMatchObject([{ id, name: 'Shop', change: 'added', needsPassword: true }]);
  expect((await to.state()).settings.retentionDays).toBe(0);

  const after = await to.value('settings.import', { id: shown.id });
  expect(after.settings).toMatchObject({ retentionDays: 365, idleLock: 5, lookUpAutomatically: false });
  expect(after.profiles.find(one => one.id === id)?.password).not.toBe('stored');
  const stored = readFileSync(join(to.folder, 'settings.json'), 'utf8');
  expect(JSON.parse(stored)).toMatchObject({ settings: { retentionDays: 365 } });
  const again = await preview();
  expect(again).toMatchObject({ settings: [], profiles: [], skipped: [] });
});

test('an import of settings never leaves a stored password with another server', async () => {
  const id = await addShop(to);
  await addShop(from);
  const content = await exportAll();
  const [shop] = content['profiles'] as { id: string; baseUrl: string }[];
  writeFileSync(
    fileOf(),
    JSON.stringify({ ...content, profiles: [{ ...shop, baseUrl: 'https://evil.example.com' }] }),
  );
  const shown = await preview();
  // The same name is the same profile.
  expect(shown.profiles).toMatchObject([{ id, change: 'changed', needsPassword: true }]);
  const after = await to.value('settings.import', { id: shown.id });
  expect(after.profiles.find(one => one.id === id)).toMatchObject({ baseUrl: 'https://evil.example.com' });
  expect(after.profiles.find(one => one.id === id)?.password).not.toBe('this-run-only');
});

test('an import of settings adds no second profile of an account, names the first, and imports the rest', async () => {
  const id = await addShop(to);
  await addShop(from);
  const content = await exportAll();
  const [shop] = content['profiles'] as { id: string; merchantKey: string }[];
  const second = { ...shop, name: 'Second' };
  const third = { ...shop, id: 'third', name: 'Third', merchantKey: 'third' };
  writeFileSync(fileOf(), JSON.stringify({ ...content, profiles: [second, third] }));
  const shown = await preview();
  expect(shown.profiles).toMatchObject([{ id: 'third', change: 'added' }]);
  expect(inWords(shown.skipped)).toMatchObject([
    { label: 'Second (the same account as Shop)', reason: 'account' },
  ]);
  const after = await to.value('settings.import', { id: shown.id });
  expect(after.profiles.map(one => one.id)).toEqual(['sandbox', id, 'third']);
});

test('an import of settings never opens the receiver to other computers', async () => {
  const { receiver } = (await from.state()).settings;
  await from.value('settings.change', {
    receiver: { ...receiver, enabled: true, host: '0.0.0.0', port: 0, quarantine: 500 },
    confirmedHost: '0.0.0.0',
  });
  await exportAll();
  const shown = await preview();
  expect(shown.settings).toEqual([]);
  expect(shown.skipped.map(({ reason }) => reason)).toEqual(['receiver', 'receiver', 'receiver', 'receiver']);
  const after = await to.value('settings.import', { id: shown.id });
  expect(after.settings.receiver).toMatchObject({ enabled: false, host: '127.0.0.1' });
});

test('an import of settings refuses a file of another kind with a clear message, and changes nothing', async () => {
  const content = await exportAll();
  const before = await to.state();
  for (const [changed, key] of [
    ['settings', 'transfer.not-json'],
    [{ a: 1 }, 'transfer.other-format'],
    [{ ...content, version: 2 }, 'transfer.newer'],
    [{ ...content, version: 'one' }, 'transfer.unknown-version'],
    [{ ...content, people: [] }, 'transfer.faulty'],
    [{ ...content, settings: { retentionDays: 'x' } }, 'transfer.faulty'],
  ] as const) {
    writeFileSync(fileOf(), typeof changed === 'string' ? changed : JSON.stringify(changed));
    to.willOpen(fileOf());
    expect(await to.request('settings.previewImport', {})).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', message: { key } },
    });
  }
  expect(await to.state()).toEqual(before);
});

test('an import of settings applies only what was shown: not after another change, and once', async () => {
  await from.value('settings.change', { retentionDays: 365 });
  await exportAll();
  const shown = await preview();
  await to.value('settings.change', { retentionDays: 90 });
  const stale = { ok: false, error: { message: { key: 'transfer.stale' } } };
  expect(await to.request('settings.import', { id: shown.id })).toMatchObject(stale);
  const next = await preview();
  await to.value('settings.import', { id: next.id });
  expect(await to.request('settings.import', { id: next.id })).toMatchObject(stale);
  expect(await to.request('settings.import', { id: crypto.randomUUID() })).toMatchObject(stale);
});

test('an import of settings leaves the person signed in who signs in while it runs', async () => {
  const { id } = await to.addPerson('Grace', 'agent');
  await exportAll();
  const shown = await preview();
  const [imported] = await Promise.all([
    to.request('settings.import', { id: shown.id }),
    to.request('agents.signIn', { id, pin: null }),
  ]);
  expect(imported).toMatchObject({ ok: true });
  expect((await to.state()).agentId).toBe(id);
  await to.backToFirst();
});

test('an import of settings changes nothing that the policy of this computer fixes', async () => {
  await addShop(from);
  await from.value('settings.change', { retentionDays: 365, lookUpAutomatically: false });
  await exportAll();
  const policy = { version: 1, settings: { retentionDays: 30 }, otherProfiles: false };
  await to.restart(() => writeFileSync(to.policyFile, JSON.stringify(policy)));
  const shown = await preview();
  expect(inWords(shown.skipped)).toEqual([
    { label: 'Erase customer details after', reason: 'managed' },
    { label: 'Shop', reason: 'managed' },
  ]);
  const after = await to.value('settings.import', { id: shown.id });
  expect(after.settings).toMatchObject({ retentionDays: 30, lookUpAutomatically: false });
  expect(after.profiles.map(({ id }) => id)).toEqual(['sandbox']);
});
