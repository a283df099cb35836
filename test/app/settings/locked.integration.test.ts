import { beforeAll, expect, test } from 'vitest';
import {
  requestNames,
  lockSchema,
  ipcEventNames,
  type RequestName,
  type IpcEventName,
  type Resume,
} from '../../../shared/contract/contract.ts';
import { suppressWhileLocked } from '../../../main/app/desktop/change-broadcaster.ts';
import { addShop, inState, newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { callSample, sampleId } from '../../../tools/app-harness/sample-inputs.ts';

/**
 * Every request and every IPC event of the contract, while Counterfoil is locked and contains confidential
 * data.
 */

const orderNumber = 'HIDDEN-1';
const payment = { profileId: 'sandbox', orderNumber };

/** The lock screen needs these: signing in, and reporting its own errors. */
const allowed: readonly RequestName[] = ['app.lock', 'agents.signIn', 'agents.signOut', 'app.reportError'];

const app = useApp();
let link = '';
let secrets: string[] = [];
let lockedAt = 0;
/** The IPC events to the window since Counterfoil was locked. */
const sent = (): { name: IpcEventName; notice: unknown }[] => app.notices.slice(lockedAt);
const resume: Resume = { address: `#/payment/sandbox/${orderNumber}` };
const graceId = async (): Promise<string> =>
  (await app.value('app.lock', {})).agents.find(({ name }) => name === 'Grace')?.id ?? '';

beforeAll(async () => {
  await addShop(app);
  const grace = await app.addPerson('Grace', 'agent', '2468');
  await app.request('agents.signIn', { id: grace.id, pin: '2468' });
  await app.request('settings.change', {
    views: [{ id: sampleId, name: 'Anna Secret’s orders', words: 'anna@secret.example' }],
  });
  const customer = { name: 'Anna Secret', email: 'anna@secret.example' };
  const raised = await app.value('payments.create', newPayment({ orderNumber, customer }));
  link = raised.payment.link?.url ?? '';
  const read = await app.state();
  secrets = [
    orderNumber,
    'Secret',
    'secret.example',
    link,
    app.logFile,
    'pay.example.com',
    ...read.profiles.map(({ merchantKey }) => merchantKey),
    ...read.receiver.addresses.map(({ url }) => url),
  ];
  await app.request('agents.signOut', { resume });
  lockedAt = app.notices.findIndex(({ name }) => name === 'app.locked');
});

const revealed = (seen: unknown): string[] =>
  secrets.filter(secret => JSON.stringify(seen)?.includes(secret));

test('a console with payments has confidential data to protect while it is locked', () => {
  expect(secrets.filter(secret => secret.length < 4)).toEqual([]);
  expect(lockedAt).toBeGreaterThan(-1);
});

test('no request returns confidential data while Counterfoil is locked', async () => {
  for (const name of requestNames) {
    const answer = await callSample(app, name, orderNumber);
    expect(revealed(answer), name).toEqual([]);
    if (!allowed.includes(name)) expect(answer, name).toMatchObject({ error: { code: 'app.locked' } });
  }
});

test('the lock screen gets the agents, the appearance and how many links are open, nothing about them', async () => {
  const lock = lockSchema.parse(await app.value('app.lock', {}));
  expect(lock).toMatchObject({ locked: true, openLinks: 1, settings: { theme: 'system' } });
  expect(lock.agents.map(({ name }) => name)).toEqual(['anna', 'Grace']);
});

test('the page of a locked console is reloaded, and receives no event of any kind', async () => {
  expect(app.outside.reloads).toBe(1);
  await fetch(link, { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });
  await expect.poll(() => app.outside.notifications.length).toBe(1);
  app.openAddress(`counterfoil://payment/sandbox/${orderNumber}`);
  await app.daily();
  expect([...new Set(sent().map(({ name }) => name))]).toEqual(['app.locked']);
  expect(revealed(sent())).toEqual([]);
  expect(revealed(app.outside.notifications)).toEqual([]);
});

test('no IPC event but the lock itself is sent while Counterfoil is locked', () => {
  const emitted: IpcEventName[] = [];
  let isLocked = true;
  const notify = suppressWhileLocked(
    one => emitted.push(one),
    () => isLocked,
  );
  const names = ipcEventNames.filter(name => name !== 'app.locked');
  for (const name of names) notify(name, { payments: [payment] });
  expect(emitted).toEqual([]);
  isLocked = false;
  for (const name of names) notify(name, { payments: [payment] });
  expect(emitted).toEqual(names);
});

test('after Counterfoil is unlocked, the window reloads everything, and its agent gets the previous screen back, once', async () => {
  const before = app.notices.length;
  const chosen = await app.value('agents.signIn', { id: await graceId(), pin: '2468' });
  expect(chosen.resume).toEqual(resume);
  const reload = { name: 'payments.changed', notice: { payments: null } };
  expect(app.notices.slice(before)).toContainEqual(reload);
  const file = await app.until(orderNumber, inState('paid-unconfirmed', 'paid-confirmed'));
  expect(file.payment.customer).toMatchObject({ name: 'Anna Secret' });
  expect((await app.value('agents.signIn', { id: await graceId(), pin: '2468' })).resume).toBeNull();
});

test('another agent who unlocks it does not see the previous screen', async () => {
  await app.request('agents.signOut', { resume });
  const lock = await app.value('app.lock', {});
  const other = lock.agents.find(({ name }) => name === 'anna')?.id ?? '';
  expect((await app.value('agents.signIn', { id: other, pin: null })).resume).toBeNull();
  expect((await app.value('agents.signIn', { id: await graceId(), pin: '2468' })).resume).toBeNull();
});

test('the answer to an earlier request is withheld once Counterfoil is locked', async () => {
  const asked = app.request('payments.read', payment);
  await app.request('agents.signOut', {});
  expect(await asked).toMatchObject({ ok: false, error: { code: 'app.locked' } });
});
