import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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

/** A console that was used without a policy, closed. */
let used: TestApp;
let app: TestApp;
beforeAll(async () => {
  used = await startTestApp();
  await used.value('settings.change', { retentionDays: 90, idleLock: 30 });
  await used.close();
});
afterEach(() => app.remove());
afterAll(() => used.remove());

/** Starts a copy of the used console. */
const startWith = async (content: unknown): Promise<void> => {
  const folder = newFolder('policy');
  cpSync(used.folder, folder, { recursive: true });
  writePolicy(`${folder}-policy.json`, content);
  app = await startTestApp(folder);
  await signInAnna();
};
/** The administrator of most of these policies, unless another person has to sign in. */
const signInAnna = async (): Promise<void> => {
  const { locked, agents } = await app.value('app.lock', {});
  const anna = agents.find(({ name }) => name === 'Anna');
  if (locked && anna) await app.value('agents.signIn', { id: anna.id, pin: first.pin });
};
const restartWith = async (content: unknown): Promise<void> => {
  await app.close();
  writePolicy(app.policyFile, content);
  app = await startTestApp(app.folder);
  await signInAnna();
};
const writePolicy = (policyFile: string, content: unknown): void => {
  if (content === null) rmSync(policyFile, { force: true });
  else writeFileSync(policyFile, typeof content === 'string' ? content : JSON.stringify(content));
};
/** What the policy manages, as the console shows it. */
const managedState = async () => {
  const { settings, agents, profiles } = await app.state();
  const ben = agents.find(({ name }) => name === 'Ben');
  const found = profiles.find(({ id }) => id === 'hotel');
  if (!ben || !found) throw new Error('missing');
  const { id, password: _password, ...profile } = found;
  return { settings, ben, hotel: { id, profile, password: 'correct horse' } };
};
const file = () =>
  JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
    settings: { retentionDays: number; theme: string; receiver: { port: number; quarantine: number } };
    profiles: { id: string }[];
    agents: { name: string; role: string; pin: unknown }[];
  };

test('a policy wins over the settings, and leaves the settings file underneath as it is', async () => {
  await startWith(policy);
  const { settings, profiles, agents, policy: shown } = await app.state();
  expect(settings).toMatchObject({ ...policy.settings, idleLock: 30 });
  expect(profiles.map(({ id }) => id)).toEqual(['sandbox', 'hotel']);
  expect(agents).toMatchObject(policy.people.map(({ name, role }) => ({ name, role })));
  expect(shown).toMatchObject({ state: 'applied', managed: { people: true, profiles: ['hotel'] } });
  expect(app.outside.startsAtLogin).toBe(true);
  await app.value('settings.change', { theme: 'dark' });
  expect(file()).toMatchObject({
    settings: { retentionDays: 90, theme: 'dark', receiver: { port: 0 } },
    profiles: [{ id: 'sandbox' }],
  });
  await restartWith(null);
  const kept = await app.state();
  expect(kept).toMatchObject({ settings: { retentionDays: 30 }, policy: { state: 'missing' } });
  await restartWith(null);
  expect((await app.state()).settings).toMatchObject({
    retentionDays: 90,
    theme: 'dark',
    receiver: { port: 0 },
  });
});

test('a policy cannot be changed by any request, not even by an administrator', async () => {
  await startWith(policy);
  const { settings, ben, hotel } = await managedState();
  const moved = { ...hotel.profile, baseUrl: 'https://other.example' };
  for (const answer of [
    await app.request('settings.change', { retentionDays: 0 }),
    await app.request('settings.change', { theme: 'dark', language: 'en' }),
    await app.request('settings.change', { receiver: { ...settings.receiver, port: 1 } }),
    await app.request('profiles.save', { ...hotel, profile: moved }),
    await app.request('profiles.remove', { id: 'hotel' }),
    await app.request('agents.save', { id: null, name: 'Mallory', role: 'administrator' }),
    await app.request('agents.save', { id: ben.id, name: 'Ben', role: 'administrator' }),
    await app.request('agents.remove', { id: ben.id, pin: null }),
  ])
    expect(answer).toMatchObject(managed);
  expect((await app.state()).settings).toMatchObject({ retentionDays: 30, theme: 'system', language: 'de' });
});

test('a policy leaves open what it does not contain, passwords and PINs included', async () => {
  await startWith(policy);
  const { settings, ben, hotel } = await managedState();
  await app.value('settings.change', { receiver: { ...settings.receiver, quarantine: 500 } });
  await app.value('settings.change', { ...settings.notifications, idleLock: 5 });
  await app.value('profiles.save', { ...hotel, thisRunOnly: true });
  await app.value('agents.save', { id: ben.id, name: 'Ben', pin: '2468', oldPin: first.pin });
  await restartWith(policy);
  const after = await app.state();
  expect(after.settings).toMatchObject({ idleLock: 5, receiver: { quarantine: 500, port: 8443 } });
  expect(after.agents.find(({ name }) => name === 'Ben')).toEqual({ ...ben, hasPin: true });
  // Without the policy, a person of the policy has the least rights.
  expect(file().agents.find(({ name }) => name === 'Ben')).toMatchObject({ role: 'agent' });
});

test('a policy can exclude every other profile', async () => {
  await startWith(null);
  const id = await addShop(app);
  await app.value('settings.change', { activeProfileId: id });
  await restartWith({ ...policy, otherProfiles: false });
  const { profiles, settings } = await app.state();
  expect(profiles.map(one => one.id)).toEqual(['sandbox', 'hotel']);
  expect(settings.activeProfileId).toBe('hotel');
  expect(await app.refusal('payments.suggestOrder', { profileId: id })).toBe('profile.missing');
  await restartWith(null);
  await restartWith(null);
  expect((await app.state()).settings.activeProfileId).toBe(id);
});

test('a policy gives no role above agent without its first PIN, which the person then replaces', async () => {
  await startWith(null);
  // A person was here before, and took a name of the policy with a PIN.
  await app.addPerson('Maria', 'administrator', '1111');
  const maria = { name: 'Maria', role: 'supervisor', firstPin: first.text };
  const people = [{ name: 'IT', role: 'administrator' }, maria, { name: 'Ben', role: 'agent' }];
  await restartWith({ version: 1, people });
  const signIn = async (name: string, pin: string | null) => {
    const { agents } = await app.value('app.lock', {});
    const id = agents.find(one => one.name === name)?.id ?? '';
    return app.request('agents.signIn', { id, pin });
  };
  const wrong = { error: { code: 'agent.wrong-pin' } };
  for (const pin of [null, '1111', first.pin])
    expect(await signIn('IT', pin)).toMatchObject({ error: { code: 'agent.not-allowed' } });
  for (const pin of [null, '1111']) expect(await signIn('Maria', pin)).toMatchObject(wrong);
  value(await signIn('Ben', null));
  const check = async () => (await app.value('health.read', {})).checks.find(({ name }) => name === 'policy');
  expect(await check()).toMatchObject({
    state: 'attention',
    finding: { key: 'health.policy.no-first-pin' },
  });

  const { resume, appState } = value(await signIn('Maria', first.pin));
  expect(resume).toEqual({ address: '#/settings/people' });
  const self = appState.agents.find(({ name }) => name === 'Maria');
  expect(self).toMatchObject({ role: 'supervisor', hasFirstPin: true });
  const own = { id: self?.id ?? '', name: 'Maria', pin: '2468', oldPin: first.pin };
  expect(await app.value('agents.save', own)).not.toHaveProperty('hasFirstPin');

  await restartWith({ version: 1, people });
  expect(await signIn('Maria', first.pin)).toMatchObject(wrong);
  expect(value(await signIn('Maria', '2468')).resume).toBeNull();
  // Another first PIN is a new beginning: the way back for a person who forgot theirs.
  const next = await newFirstPin();
  await restartWith({ version: 1, people: [people[0], { ...maria, firstPin: next.text }, people[2]] });
  expect(await signIn('Maria', '2468')).toMatchObject(wrong);
  value(await signIn('Maria', next.pin));
});

test('a policy never signs in a person with more rights than before', async () => {
  const people = policy.people.map(one => (one.name === 'Anna' ? { ...one, name: 'IT' } : one));
  await startWith({ version: 1, people });
  expect((await app.state()).settings.agent).toBe('Ben');
});

test('a faulty policy opens nothing on a computer that never saw a valid one', async () => {
  await startWith(null);
  const enabled = { enabled: true, host: '127.0.0.1', port: 0, tls: null, quarantine: 10_000 };
  await app.value('settings.change', { receiver: enabled });
  await restartWith('{');
  const { settings, agents, receiver, policy: shown } = await app.state();
  expect(shown).toMatchObject({ state: 'restricted', problems: [{ path: '' }] });
  expect(settings.receiver.enabled).toBe(false);
  expect(receiver.listening).toBe(false);
  expect(agents.map(({ role }) => role)).toEqual(['agent']);
  const notifications = { enabled: false, quietHours: null, showDetails: false };
  for (const change of [{ language: 'de' as const }, { notifications }])
    expect(await app.request('settings.change', change)).toMatchObject(managed);
  // Roles come first: the answer names whom to ask.
  expect(await app.request('profiles.remove', { id: 'sandbox' })).toMatchObject({ ok: false });
  await app.value('settings.change', { theme: 'dark' });
  await restartWith(null);
  expect(await app.state()).toMatchObject({
    settings: { receiver: { enabled: true } },
    agents: [{ role: 'administrator' }],
  });
});
