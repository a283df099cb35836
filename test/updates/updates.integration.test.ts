import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok, type Result } from '../../shared/errors.ts';
import type { RefusalReason } from '../../shared/updates/refusal-reasons.ts';
import type { Checked, Installer } from '../../main/updates/installer.ts';
import { refuseUpdate, updateUnreachable } from '../../main/updates/update-failure.ts';
import { newPayment, startTestApp, value } from '../../tools/app-harness/running-app.ts';

/** Updates in the application: settings, policy, state, activities. The installer is a fake. */

type TestApp = Awaited<ReturnType<typeof startTestApp>>;

const address = 'https://it.example.com/counterfoil/';
let app: TestApp;
let answer: Result<Checked>;
let restarts: number;
let servers: string[];
let newest: (number | null)[];
let downloaded: string;

const loadInstaller = async (): Promise<Installer> => ({
  check: async (server, { newestSignedAt }) => {
    servers.push(server);
    newest.push(newestSignedAt);
    return answer;
  },
  installOnQuit: () => undefined,
  atQuit: async () => undefined,
  restart: async () => {
    restarts += 1;
  },
});

beforeEach(async () => {
  answer = ok({ found: 'current', signedAt: 1 });
  restarts = 0;
  servers = [];
  newest = [];
  app = await startTestApp(undefined, { loadInstaller, version: '0.1.0' });
  downloaded = join(app.folder, 'counterfoil-0.2.0.exe');
});
afterEach(() => app.close());

const ready = (): Result<Checked> => {
  writeFileSync(downloaded, 'the installer');
  return ok({ found: 'ready', version: '0.2.0', signedAt: 2, files: [downloaded] });
};
const state = async () => (await app.state()).updates;
/** Waits for the end of a check. */
const checked = async () => {
  await expect.poll(async () => (await state()).phase).not.toBe('checking');
  return state();
};
const check = async () => {
  await app.value('updates.check', {});
  return checked();
};
const turnOn = async () => {
  await app.value('settings.change', { updateServer: address });
  return checked();
};
const activities = async () =>
  (await app.value('activity.list', { group: 'updates' })).rows.map(({ agent, action, details }) => ({
    agent,
    action,
    ...details,
  }));
const refuse = (reason: RefusalReason): void => {
  answer = refuseUpdate(reason, '0.2.0');
};

const restart = () => app.request('updates.restart', {});
const busy = { error: { code: 'update.busy' } };

test('updates are off until a server with TLS is set; what is ready restarts the program, unless they are turned off', async () => {
  expect(await check()).toMatchObject({ phase: 'idle', checkedAt: null });
  await expect(app.request('settings.change', { updateServer: 'http://it.example.com/' })).rejects.toThrow(
    'https address',
  );
  expect(servers).toEqual([]);
  await turnOn();
  expect(servers).toEqual([address]);
  expect((await state()).checkedAt).not.toBeNull();
  expect(await restart()).toMatchObject(busy);
  answer = ready();
  await check();
  value(await restart());
  expect(restarts).toBe(1);
  await app.value('settings.change', { updateServer: null });
  expect(await state()).toMatchObject({ phase: 'idle', version: null });
  expect(existsSync(downloaded)).toBe(false);
  expect(await restart()).toMatchObject(busy);
});

test('updates ask for nothing older than the newest file, also after a restart and at another server', async () => {
  answer = ok({ found: 'current', signedAt: 7 });
  await turnOn();
  await check();
  const { folder } = app;
  await app.close();
  app = await startTestApp(folder, { loadInstaller, version: '0.1.0' });
  await check();
  await app.value('settings.change', { updateServer: 'https://other.example.com/' });
  await checked();
  expect(newest).toEqual([null, 7, 7, 7]);
});

test('updates that are refused are recorded once, each; a server that is down is a problem alone', async () => {
  answer = updateUnreachable('ECONNREFUSED');
  expect(await turnOn()).toMatchObject({ checkedAt: null, problem: { code: 'update.unreachable' } });
  answer = ok({ found: 'current', signedAt: 1 });
  expect(await check()).toMatchObject({ problem: null });
  expect(await activities()).toEqual([]);
  refuse('damaged');
  const problem = { code: 'update.refused', details: { reason: 'damaged' } };
  expect(await check()).toMatchObject({ phase: 'idle', version: null, problem });
  await check();
  refuse('expired');
  await check();
  expect(await activities()).toEqual([
    { agent: 'console', action: 'update-refused', refusal: 'expired', version: '0.2.0' },
    { agent: 'console', action: 'update-refused', refusal: 'damaged', version: '0.2.0' },
  ]);
});

test('updates do not restart while a payment request is in flight, or until a look-up of many payments is over', async () => {
  answer = ready();
  await turnOn();
  await app.value('sandbox.faults', { faults: ['delay'] });
  const payment = newPayment();
  const paying = app.request('payments.create', payment);
  expect(await restart()).toMatchObject(busy);
  await app.value('payments.cancelWait', { requestId: payment.idempotencyKey });
  await paying;
  const payments = ['A-1', 'A-2'].map(orderNumber => ({ profileId: 'sandbox', orderNumber }));
  await app.value('lookUps.start', { payments });
  expect(await restart()).toMatchObject(busy);
  await app.value('lookUps.control', { to: 'pause' });
  expect(await restart()).toMatchObject(busy);
  await app.value('lookUps.control', { to: 'stop' });
  value(await restart());
  expect(restarts).toBe(1);
});

test('updates are configured by an administrator alone, and by a policy before them', async () => {
  const policyFile = `${app.folder}-policy.json`;
  await app.close();
  writeFileSync(policyFile, JSON.stringify({ version: 1, settings: { updateServer: null } }), {
    mode: 0o644,
  });
  app = await startTestApp(app.folder, { loadInstaller, policyFile });
  expect(await app.request('settings.change', { updateServer: address })).toMatchObject({
    error: { code: 'policy.managed', fields: [{ path: 'updateServer' }] },
  });
  expect(existsSync(policyFile)).toBe(true);
  expect(servers).toEqual([]);
});

test('a program that cannot update itself asks no server', async () => {
  const other = await startTestApp();
  await other.value('settings.change', { updateServer: address });
  await other.value('updates.check', {});
  expect((await other.state()).updates).toMatchObject({
    obstacle: 'not-installed',
    phase: 'idle',
    problem: null,
  });
  await other.close();
});
