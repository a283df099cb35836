import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFirstPin } from '../../../main/credentials/pin.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** A policy in the running application. */

const shop = {
  id: 'hotel',
  name: 'Hotel',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'hotel-key',
  successUrl: 'https://hotel.example/thanks',
  cancelUrl: 'https://hotel.example/cancelled',
};
const first = await newFirstPin();
const policy = {
  version: 1,
  settings: { retentionDays: 30, language: 'de', receiver: { port: 8443 }, startAtLogin: true },
  profiles: [shop],
  people: [
    { name: 'Anna', role: 'administrator', firstPin: first.text },
    { name: 'Ben', role: 'agent' },
  ],
};
const managed = { ok: false, error: { code: 'policy.managed' } };

/** A console that was used without a policy, closed. Its Maria takes a name of a policy with a PIN. */
let used: TestApp;
let usedShop = '';
let app: TestApp | undefined;
beforeAll(async () => {
  used = await startTestApp();
  usedShop = await addShop(used);
  await used.value('settings.change', { retentionDays: 90, idleLock: 30, activeProfileId: usedShop });
  await used.addPerson('Maria', 'administrator', '1111');
  await used.close();
});
afterAll(async () => {
  await app?.remove();
  await used.remove();
});

/** Starts a copy of the used console, whose settings file was edited. */
const startWith = async (content: unknown, edit = (text: string): string => text): Promise<TestApp> => {
  await app?.remove();
  const folder = newFolder('policy');
  cpSync(used.folder, folder, { recursive: true });
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, edit(readFileSync(settings, 'utf8')));
  return start(folder, content);
};
const start = async (folder: string, content: unknown): Promise<TestApp> => {
  const policyFile = `${folder}-policy.json`;
  if (content === null) rmSync(policyFile, { force: true });
  else writeFileSync(policyFile, typeof content === 'string' ? content : JSON.stringify(content));
  const started = await startTestApp(folder);
  app = started;
  // The administrator of most of these policies, unless another person has to sign in.
  const { locked, agents } = await started.value('app.lock', {});
  const anna = agents.find(({ name }) => name === 'Anna');
  if (locked && anna) await started.value('agents.signIn', { id: anna.id, pin: first.pin });
  return started;
};
const restartWith = async ({ folder, close }: TestApp, content: unknown): Promise<TestApp> => {
  await close();
  return start(folder, content);
};
/** What the policy manages, as the console shows it. */
const managedState = async (console: TestApp) => {
  const { settings, agents, profiles } = await console.state();
  const ben = agents.find(({ name }) => name === 'Ben');
  const found = profiles.find(({ id }) => id === 'hotel');
  if (!ben || !found) throw new Error('missing');
  const { id, password: _password, ...profile } = found;
  return { settings, ben, hotel: { id, profile, password: 'correct horse' } };
};
const fileOf = ({ folder }: TestApp) =>
  JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    settings: { retentionDays: number; theme: string; receiver: { port: number; quarantine: number } };
    profiles: { id: string }[];
    agents: { name: string; role: string; pin: unknown }[];
  };

test('a policy wins over the settings, and leaves the settings file underneath as it is', async () => {
  const console = await startWith({ ...policy, otherProfiles: false });
  const { settings, profiles, agents, policy: shown } = await console.state();
  expect(settings).toMatchObject({ ...policy.settings, idleLock: 30, activeProfileId: 'hotel' });
  expect(profiles.map(({ id }) => id)).toEqual(['sandbox', 'hotel']);
  expect(await console.refusal('payments.suggestOrder', { profileId: usedShop })).toBe('profile.missing');
  expect(agents).toMatchObject(policy.people.map(({ name, role }) => ({ name, role })));
  expect(shown).toMatchObject({ state: 'applied', managed: { people: true, profiles: ['hotel'] } });
  expect(console.outside.startsAtLogin).toBe(true);
  await console.value('settings.change', { theme: 'dark' });
  expect(fileOf(console)).toMatchObject({
    settings: { retentionDays: 90, theme: 'dark', receiver: { port: 0 } },
    profiles: [{ id: 'sandbox' }, { id: usedShop }],
  });
});

test('a policy cannot be changed by any request, not even by an administrator', async () => {
  if (!app) throw new Error('no console');
  const { settings, ben, hotel } = await managedState(app);
  const moved = { ...hotel.profile, baseUrl: 'https://other.example' };
  for (const answer of [
    await app.request('settings.change', { retentionDays: 0 }),
    await app.request('settings.change', { theme: 'light', language: 'en' }),
    await app.request('settings.change', { receiver: { ...settings.receiver, port: 1 } }),
    await app.request('profiles.save', { ...hotel, profile: moved }),
    await app.request('profiles.remove', { id: 'hotel' }),
    await app.request('agents.save', { id: null, name: 'Mallory', role: 'administrator' }),
    await app.request('agents.save', { id: ben.id, name: 'Ben', role: 'administrator' }),
    await app.request('agents.remove', { id: ben.id, pin: null }),
  ])
    expect(answer).toMatchObject(managed);
  expect((await app.state()).settings).toMatchObject({ retentionDays: 30, theme: 'dark', language: 'de' });
});

test('a policy leaves open what it does not contain, passwords and PINs included, and applies for one start after it is gone', async () => {
  if (!app) throw new Error('no console');
  const { settings, ben, hotel } = await managedState(app);
  await app.value('settings.change', { receiver: { ...settings.receiver, quarantine: 500 } });
  await app.value('settings.change', { ...settings.notifications, idleLock: 5 });
  await app.value('profiles.save', { ...hotel, thisRunOnly: true });
  await app.value('agents.save', { id: ben.id, name: 'Ben', pin: '2468', oldPin: first.pin });
  const again = await restartWith(app, policy);
  const after = await again.state();
  expect(after.settings).toMatchObject({ idleLock: 5, receiver: { quarantine: 500, port: 8443 } });
  expect(after.agents.find(({ name }) => name === 'Ben')).toEqual({ ...ben, hasPin: true });
  // Without the policy, a person of the policy has the least rights.
  expect(fileOf(again).agents.find(({ name }) => name === 'Ben')).toMatchObject({ role: 'agent' });
  const missing = await restartWith(again, null);
  expect(await missing.state()).toMatchObject({
    settings: { retentionDays: 30 },
    policy: { state: 'missing' },
  });
  const without = await restartWith(missing, null);
  expect((await without.state()).settings).toMatchObject({
    retentionDays: 90,
    theme: 'dark',
    receiver: { port: 0 },
    activeProfileId: usedShop,
  });
});

test('a policy gives no role above agent without its first PIN, which the person then replaces', async () => {
  const maria = { name: 'Maria', role: 'supervisor', firstPin: first.text };
  const people = [{ name: 'IT', role: 'administrator' }, maria, { name: 'Ben', role: 'agent' }];
  let console = await startWith({ version: 1, people });
  const signIn = async (name: string, pin: string | null) => {
    const { agents } = await console.value('app.lock', {});
    const id = agents.find(one => one.name === name)?.id ?? '';
    return console.request('agents.signIn', { id, pin });
  };
  const wrong = { error: { code: 'agent.wrong-pin' } };
  for (const pin of [null, '1111', first.pin])
    expect(await signIn('IT', pin)).toMatchObject({ error: { code: 'agent.not-allowed' } });
  for (const pin of [null, '1111']) expect(await signIn('Maria', pin)).toMatchObject(wrong);
  value(await signIn('Ben', null));
  const check = async () =>
    (await console.value('health.read', {})).checks.find(({ name }) => name === 'policy');
  expect(await check()).toMatchObject({
    state: 'attention',
    finding: { key: 'health.policy.no-first-pin' },
  });

  const { resume, appState } = value(await signIn('Maria', first.pin));
  expect(resume).toEqual({ address: '#/settings/people' });
  const self = appState.agents.find(({ name }) => name === 'Maria');
  expect(self).toMatchObject({ role: 'supervisor', hasFirstPin: true });
  const own = { id: self?.id ?? '', name: 'Maria', pin: '2468', oldPin: first.pin };
  expect(await console.value('agents.save', own)).not.toHaveProperty('hasFirstPin');

  console = await restartWith(console, { version: 1, people });
  expect(await signIn('Maria', first.pin)).toMatchObject(wrong);
  expect(value(await signIn('Maria', '2468')).resume).toBeNull();
  // Another first PIN is a new beginning: the way back for a person who forgot theirs.
  const next = await newFirstPin();
  const renewed = [people[0], { ...maria, firstPin: next.text }, people[2]];
  console = await restartWith(console, { version: 1, people: renewed });
  expect(await signIn('Maria', '2468')).toMatchObject(wrong);
  value(await signIn('Maria', next.pin));
});

test('a policy never signs in a person with more rights than before', async () => {
  const people = policy.people.map(one => (one.name === 'Anna' ? { ...one, name: 'IT' } : one));
  const console = await startWith({ version: 1, people });
  expect((await console.state()).settings.agent).toBe('Ben');
});

test('a faulty policy opens nothing on a computer that never saw a valid one', async () => {
  const console = await startWith('{', text => text.replace('"enabled": false', '"enabled": true'));
  const { settings, agents, receiver, policy: shown } = await console.state();
  expect(shown).toMatchObject({ state: 'restricted', problems: [{ path: '' }] });
  expect(settings.receiver.enabled).toBe(false);
  expect(receiver.listening).toBe(false);
  expect(agents.map(({ role }) => role)).toEqual(['agent', 'agent']);
  const notifications = { enabled: false, quietHours: null, showDetails: false };
  for (const change of [{ language: 'de' as const }, { notifications }])
    expect(await console.request('settings.change', change)).toMatchObject(managed);
  // Roles come first: the answer names whom to ask.
  expect(await console.request('profiles.remove', { id: 'sandbox' })).toMatchObject({ ok: false });
  await console.value('settings.change', { theme: 'dark' });
  const without = await restartWith(console, null);
  expect(await without.state()).toMatchObject({
    settings: { receiver: { enabled: true } },
    agents: [{ role: 'administrator' }, { role: 'administrator' }],
  });
});
