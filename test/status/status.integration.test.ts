import { execFile } from 'node:child_process';
import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { statusFactsSchema } from '../../main/status/status-facts.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { addShop, newPayment, startTestApp, type TestApp } from '../../tools/app-harness/running-app.ts';

/** `counterfoil --status` in a second process, next to a running console and without one. */

const child = join(import.meta.dirname, 'status-child.ts');
type Status = {
  state: string;
  console: { state: string; uptimeSeconds: number | null };
  checks: { name: string; profileId?: string; state: string }[];
  paymentLog: { problem: string | null; bytes: number | null; payments: number | null };
  profiles: { id: string; password: string }[];
  policy: { state: string; problems: string[] };
  verification: { problems: number } | null;
  encryption: { disk: string; isRequired: boolean };
};

let app: TestApp;
let folder: string;
let policy: string;
beforeEach(async () => {
  app = await startTestApp();
  ({ folder, policyFile: policy } = app);
});
afterEach(() => app.remove());

const status = (of = folder): Promise<{ status: Status; text: string; exitCode: number }> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [child, of, policy], (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr));
      else
        resolve({
          status: JSON.parse(stdout) as Status,
          text: stdout,
          exitCode: typeof error?.code === 'number' ? error.code : 0,
        });
    });
  });
const file = () => join(folder, 'status.json');
const isWritten = () => expect.poll(() => existsSync(file())).toBe(true);
const stateOf = ({ checks }: Status, name: string) => checks.find(one => one.name === name)?.state;
const listing = (of: string): string[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(({ parentPath, name }) => `${name} ${statSync(join(parentPath, name)).mtimeMs}`)
    .sort();

test('the status of a running console is healthy with exit code 0, and contains no name, order number, address or secret', async () => {
  const shop = await addShop(app);
  await app.value('payments.create', newPayment({ orderNumber: 'SECRET-ORDER-1' }));
  await app.value('agents.save', { id: null, name: 'Grace Hopper' });
  await app.daily();
  await isWritten();
  await expect.poll(async () => (await status()).status.paymentLog.payments).toBe(1);
  const { status: found, text, exitCode } = await status();
  expect(found.console).toMatchObject({ state: 'running' });
  expect(found.console.uptimeSeconds).toBeGreaterThanOrEqual(0);
  expect(found).toMatchObject({ paymentLog: { problem: null }, verification: { problems: 0 } });
  expect(found.profiles.map(({ id }) => id)).toEqual([shop]);
  // Without a keychain the password is lost at the end: attention, not more.
  expect(found.checks.filter(({ state }) => state === 'broken')).toEqual([]);
  expect(exitCode).toBe(found.state === 'healthy' ? 0 : 1);
  for (const secret of [
    'SECRET-ORDER',
    'Grace',
    'anna',
    'Shop',
    'pay.example.com',
    'shop-key',
    'correct horse',
  ])
    expect(text).not.toContain(secret);
});

test('a disk that the policy wants encrypted needs attention, unless it is; without a policy its state is only said', async () => {
  const { encryption } = (await status()).status;
  expect(encryption).toMatchObject({ isRequired: false });
  const isEncrypted = encryption.disk === 'on';
  expect(stateOf((await status()).status, 'disk-encryption')).toBe(isEncrypted ? 'good' : 'unknown');
  await app.close();
  writeFileSync(policy, JSON.stringify({ version: 1, requireDiskEncryption: true }));
  app = await startTestApp(folder);
  const checks = (await app.value('health.read', {})).checks;
  const found = checks.find(({ name }) => name === 'disk-encryption');
  expect(found?.state).toBe(isEncrypted ? 'good' : 'attention');
  expect((await status()).status.encryption).toEqual({ disk: encryption.disk, isRequired: true });
});

test('the status of a running console needs attention, exit code 1, when the receiver or the policy does', async () => {
  await app.close();
  writeFileSync(policy, JSON.stringify({ version: 1, settings: { retentionDays: 30 } }));
  await (await startTestApp(folder)).close();
  writeFileSync(policy, '{');
  app = await startTestApp(folder);
  await app.daily();
  rmSync(file(), { force: true });
  await app.value('settings.change', { theme: 'dark' });
  await isWritten();
  const { status: found, exitCode } = await status();
  expect(found.policy).toMatchObject({ state: 'remembered', problems: [''] });
  expect(stateOf(found, 'policy')).toBe('attention');
  expect([found.state, exitCode]).toEqual(['attention', 1]);
});

test('a console that no longer writes is not responding, and one that was killed has ended unexpectedly: exit code 2', async () => {
  await isWritten();
  const facts = statusFactsSchema.parse(JSON.parse(readFileSync(file(), 'utf8')));
  const other = newFolder('status');
  const write = (change: Partial<typeof facts>): void =>
    writeFileSync(join(other, 'status.json'), JSON.stringify({ ...facts, ...change }));
  write({ at: Date.now() - 600_000 });
  expect(await status(other)).toMatchObject({
    status: { console: { state: 'not-responding' } },
    exitCode: 2,
  });
  write({ pid: 2 ** 22 + 1 });
  expect(await status(other)).toMatchObject({
    status: { console: { state: 'ended-unexpectedly' } },
    exitCode: 2,
  });
});

test('the status of a console that does not run is not-running, exit code 2, from the files, which stay as they are', async () => {
  await addShop(app);
  await app.value('payments.create', newPayment());
  await app.daily();
  await app.close();
  const before = listing(folder);
  const { status: found, exitCode } = await status();
  expect([found.state, found.console, exitCode]).toEqual([
    'not-running',
    { state: 'not-running', uptimeSeconds: null },
    2,
  ]);
  expect(stateOf(found, 'payment-log')).toBe('good');
  expect(stateOf(found, 'backup')).toBe('good');
  // The last verification of the console is known from its last run.
  expect(found.verification).toMatchObject({ problems: 0 });
  expect(listing(folder)).toEqual(before);
});

test('the status of a new computer is not-running, and creates nothing', async () => {
  const empty = newFolder('status');
  const { status: found, exitCode } = await status(empty);
  expect([found.state, exitCode]).toEqual(['not-running', 2]);
  expect(readdirSync(empty)).toEqual([]);
});

test('the status names a damaged, foreign or missing payment log and unreadable settings as broken', async () => {
  await app.value('payments.create', newPayment());
  await app.close();
  const log = join(folder, 'payments.db');
  const problem = async () => {
    const { status: found, exitCode } = await status();
    expect([found.state, exitCode]).toEqual(['broken', 2]);
    return found.paymentLog.problem;
  };
  truncateSync(log, statSync(log).size - 4096);
  expect(await problem()).toBe('damaged');
  writeFileSync(log, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(200)]));
  expect(await problem()).toBe('foreign');
  rmSync(log);
  expect(await problem()).toBe('missing');
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ version: 99 }));
  const { status: found } = await status();
  expect(stateOf(found, 'settings')).toBe('broken');
});
