import { readFileSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activityInWords } from '../../../shared/activity-in-words.ts';
import type { ActivityRow } from '../../../shared/contract/contract.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { addShop, newPayment, shopProfile } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The activity list: real log, real settings file. */

let aheadMs = 0;
const app = useApp({ clock: () => Date.now() + aheadMs });
/** The newest activity of earlier tests. */
let last: string | undefined;

const rows = async (
  filter: { person?: string; group?: 'exports' | 'people' } = {},
): Promise<ActivityRow[]> => {
  const { rows: all } = await app.value('activity.list', filter);
  const at = all.findIndex(({ id }) => id === last);
  return at === -1 ? all : all.slice(0, at);
};
beforeEach(async () => {
  last = undefined;
  last = (await rows())[0]?.id;
});
afterEach(() => app.backToFirst());
const inWords = ({ agent, action, details }: ActivityRow): string =>
  `${agent}: ${inEnglish(activityInWords(action, details))}`;
const list = async (): Promise<string[]> => (await rows()).map(inWords).toReversed();

test('the activity list of a new console is read by person and kind, page by page, and exported in words', async () => {
  const grace = await app.addPerson('Grace', 'administrator');
  await app.value('agents.signIn', { id: grace.id, pin: null });
  await app.value('payments.export', { filter: {}, format: 'jsonl' });
  expect((await rows({ person: 'Grace' })).map(({ action }) => action)).toEqual([
    'exported',
    'signed-in',
    'person-added',
  ]);
  expect((await rows({ person: 'anna' })).map(({ action }) => action)).toEqual(['person-added']);
  expect((await rows({ group: 'exports' })).map(({ action }) => action)).toEqual(['exported']);
  const first = await app.value('activity.list', { limit: 2 });
  const second = await app.value('activity.list', { limit: 2, before: first.earlier });
  expect(first.rows.map(({ action }) => action)).toEqual(['exported', 'signed-in']);
  expect(second).toMatchObject({ rows: [{ action: 'person-added' }], earlier: null });
  await app.request('settings.change', { language: 'de' });
  const { file, written } = await app.value('activity.export', {});
  const lines = readFileSync(file ?? '', 'utf8')
    .trim()
    .split('\r\n');
  expect(written).toBe(3);
  expect(lines[0]).toBe('Zeit,Person,Aktion,Details');
  expect(lines[1]).toMatch(/^20\d\d-.*Z,Grace,exported,0 Zahlungen exportiert \(JSONL\)$/);
  await app.request('settings.change', { language: 'en' });
});

test('the activity list names who changed the people, and never a PIN', async () => {
  const grace = await app.addPerson('Grace', 'supervisor', '246813');
  const id = grace.id;
  await app.value('agents.save', { id, name: 'Grace', role: 'agent', oldPin: '246813' });
  await app.value('agents.save', { id, name: 'Grace H.', pin: null, oldPin: '246813' });
  await app.value('agents.remove', { id, pin: null });
  expect(await list()).toEqual([
    'anna: Added Grace, as Supervisor',
    'anna: Set the PIN of Grace',
    'anna: Changed the role of Grace from Supervisor to Agent',
    'anna: Renamed Grace to Grace H.',
    'anna: Removed the PIN of Grace H.',
    'anna: Removed Grace H.',
  ]);
  expect(JSON.stringify(await rows())).not.toContain('246813');
});

test('the activity list names who signed in and out, and wrong PINs by the person they were tried for', async () => {
  const ada = await app.addPerson('Ada', 'supervisor', '2468');
  await app.request('agents.signIn', { id: ada.id, pin: '1111' });
  await app.value('agents.signIn', { id: ada.id, pin: '2468' });
  await app.request('agents.signOut', {});
  await app.request('agents.signOut', {});
  await app.value('agents.signIn', { id: ada.id, pin: '2468' });
  expect((await list()).slice(2)).toEqual([
    'console: Wrong PIN for Ada',
    'Ada: Signed in',
    'Ada: Locked Counterfoil',
    'Ada: Signed in',
  ]);
});

test('the activity list names a lock that the computer caused', async () => {
  const [anna] = (await app.value('app.lock', {})).agents;
  await app.value('agents.save', { id: anna?.id ?? '', name: 'anna', pin: '2468' });
  app.outside.lockSystem();
  expect(app.notices.at(-1)).toEqual({ name: 'app.lockRequested', notice: { reason: 'system' } });
  await expect.poll(async () => (await app.value('app.lock', {})).locked).toBe(true);
  await app.value('agents.signIn', { id: anna?.id ?? '', pin: '2468' });
  expect((await list()).slice(1)).toEqual(['anna: Locked with the computer', 'anna: Signed in']);
  await app.value('agents.save', { id: anna?.id ?? '', name: 'anna', pin: null, oldPin: '2468' });
});

test('the activity list names which settings and which fields of a profile were changed, and no value of them', async () => {
  await app.request('settings.change', { theme: 'dark', retentionDays: 90 });
  await app.request('settings.change', { theme: 'light' });
  const id = await addShop(app);
  const profile = {
    ...shopProfile,
    merchantKey: 'another-key',
    timeouts: { ...shopProfile.timeouts, connect: 9_000 },
  };
  await app.value('profiles.save', { id, profile, password: 'battery staple', thisRunOnly: true });
  await app.value('profiles.remove', { id });
  expect(await list()).toEqual([
    'anna: Changed settings: “Erase customer details after”',
    'anna: Added the profile Shop',
    'anna: Changed the profile Shop: “Merchant key”, “Timeouts (connect)”, “Merchant password”',
    'anna: Removed the profile Shop',
  ]);
  const text = JSON.stringify(await rows());
  for (const secret of ['another-key', 'battery', 'correct horse', '9000'])
    expect(text).not.toContain(secret);
});

test('the activity list names who exported and erased what; a cancelled export is not recorded', async () => {
  await app.request('payments.create', newPayment({ orderNumber: 'A-1', customer: { name: 'Zoë Quill' } }));
  await app.value('payments.export', { filter: { words: 'quill' }, format: 'csv' });
  app.willSave(null);
  await app.value('payments.export', { filter: { words: 'quill' }, format: 'csv' });
  await app.value('payments.dossier', { profileId: 'sandbox', orderNumber: 'A-1' });
  await app.value('log.erase', { profileId: 'sandbox', orderNumber: 'A-1' });
  await app.value('log.backUp', {});
  expect(await list()).toEqual([
    'anna: Exported 1 payment (CSV)',
    'anna: Exported evidence for A-1',
    'anna: Erased the customer details of A-1',
    'anna: Saved a backup of the payment log',
  ]);
});

test('an activity is in the hash chain, is no payment, and adds nothing to one', async () => {
  await app.request('payments.create', newPayment({ orderNumber: 'A-3' }));
  const before = await app.value('payments.list', { filter: {} });
  await app.value('log.erase', { profileId: 'sandbox', orderNumber: 'A-3' });
  await app.value('payments.dossier', { profileId: 'sandbox', orderNumber: 'A-3' });
  const after = await app.value('payments.list', { filter: {} });
  const numbers = after.rows.map(({ orderNumber }) => orderNumber);
  expect(numbers).toContain('A-3');
  expect(numbers).toEqual(before.rows.map(({ orderNumber }) => orderNumber));
  const { events } = await app.read('A-3');
  expect(events.map(({ kind }) => kind)).not.toContain('activity.recorded');
  const report = await app.value('log.verify', {});
  expect(report.problems).toEqual([]);
  expect(report.events).toBeGreaterThan(events.length);
});

test('while the payment log cannot be opened, activities wait in the settings file, and are in the log once it works again', async () => {
  await app.value('settings.change', { retentionDays: 30 });
  await app.restart(() => renameSync(app.logFile, `${app.logFile}.away`));
  expect((await app.request('activity.list', {})).ok).toBe(false);
  await app.value('settings.change', { retentionDays: 90 });
  await app.addPerson('Grace');
  renameSync(`${app.logFile}.away`, app.logFile);
  await app.value('log.reopen', {});
  await expect
    .poll(list)
    .toEqual([
      'anna: Changed settings: “Erase customer details after”',
      'anna: Changed settings: “Erase customer details after”',
      'anna: Added Grace, as Agent',
    ]);
  expect((await app.value('activity.list', {})).waiting).toBe(0);
  const pending = (): unknown =>
    (JSON.parse(readFileSync(`${app.folder}/settings.json`, 'utf8')) as { pendingActivities: unknown })
      .pendingActivities;
  await expect.poll(pending).toEqual([]);
});

test('the activity list names the automatic erasure after the retention period, once', async () => {
  const day = 86_400_000;
  await app.request('payments.create', newPayment({ orderNumber: 'A-2', customer: { name: 'Zoë Quill' } }));
  const quills = async () => (await app.value('payments.list', { filter: { words: 'quill' } })).rows.length;
  await app.value('settings.change', { retentionDays: 30 });
  await app.daily();
  aheadMs = 31 * day;
  await app.restart();
  // A clock that has jumped may be wrong: nothing is erased before the next day.
  await app.daily();
  await app.value('settings.change', { retentionDays: 60 });
  aheadMs += day;
  await app.daily();
  expect([(await list()).length, await quills()]).toEqual([2, 1]);
  await app.value('settings.change', { retentionDays: 30 });
  aheadMs += day;
  await app.daily();
  await app.daily();
  expect((await list()).slice(3)).toEqual([
    expect.stringMatching(
      /^console: Erased the customer details of \d+ payments? after the retention period$/,
    ),
  ]);
  expect(await quills()).toBe(0);
});
