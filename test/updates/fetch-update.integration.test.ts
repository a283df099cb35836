import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { NsisUpdater } from 'electron-updater';
import { beforeEach, expect, test } from 'vitest';
import { createInstaller } from '../../main/updates/create-installer.ts';
import type { Channel } from '../../main/updates/channel.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { realUpdater, type RealUpdater } from '../../tools/update-harness/real-updater.ts';
import {
  channelOf,
  packageBytes,
  packageName,
  signed,
  signingKey,
  startUpdateServer,
} from '../../tools/update-harness/update-server.ts';

/** electron-updater itself, without Electron, with a server on this computer. */

const { key, pinned } = signingKey();

let folder: string;
let server: Awaited<ReturnType<typeof startUpdateServer>>;
let real: RealUpdater;

beforeEach(async () => {
  folder = newFolder('updates');
  server = await startUpdateServer({
    '/counterfoil/latest.yml': { body: signed(channelOf(), key) },
    [`/counterfoil/${packageName}`]: { body: packageBytes },
  });
  real = realUpdater('win32', folder);
});

const signedAt = Date.parse('2026-07-02T00:00:00Z');
const none = { channelMs: 20_000, idleMs: 20_000, packageMs: 20_000 };
const check = (from = server.folder, newestSignedAt: number | null = null, limits = none) =>
  createInstaller(
    real.updater,
    {
      fileName: 'latest.yml',
      keys: [pinned],
      get: (url, signal) => fetch(url, { redirect: 'manual', signal }),
      limits,
    },
    { close: async () => undefined },
  ).check(from, {
    version: '0.1.0',
    sharedLog: null,
    newestSignedAt,
    now: Date.parse('2026-08-01T00:00:00Z'),
  });
const serve = (different: Partial<Channel>): void => {
  server.files['/counterfoil/latest.yml'] = { body: signed(channelOf(different), key) };
};
const pending = (): string => join(folder, 'counterfoil-updater', 'pending');
const downloaded = (): string[] =>
  existsSync(pending()) ? readdirSync(pending()).filter(name => name.endsWith('.exe')) : [];
const asked = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

const refused = async (reason: string, version = '0.2.0'): Promise<void> => {
  expect(await check()).toMatchObject({ error: { code: 'update.refused', details: { reason, version } } });
  expect(downloaded()).toEqual([]);
  expect(real.quitHandlers).toEqual([]);
};

test('a check at a server downloads a signed newer version, which is installed on quit', async () => {
  const files = [join(pending(), packageName)];
  expect(await check()).toEqual({ ok: true, value: { found: 'ready', version: '0.2.0', signedAt, files } });
  expect(downloaded()).toEqual([packageName]);
  expect(readFileSync(join(pending(), packageName))).toEqual(packageBytes);
  expect(real.quitHandlers).toHaveLength(1);
});

test('a check at a server sends two GETs and nothing that names the installation', async () => {
  await check();
  expect(asked()).toEqual(['GET /counterfoil/latest.yml', `GET /counterfoil/${packageName}`]);
  const names = server.requests.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter(name => /staging|cookie|authorization|^x-/.test(name))).toEqual([]);
});

test('a check at a server downloads nothing again that is there', async () => {
  await check();
  await check(`${server.folder}/`);
  expect(asked().filter(line => line.endsWith('.exe'))).toHaveLength(1);
});

const endless = (response: ServerResponse): void => {
  const more = (): void => {
    if (!response.destroyed) response.write(Buffer.alloc(64 * 1024, 1), () => setImmediate(more));
  };
  more();
};
const slowly = (response: ServerResponse): void => {
  const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x')), 5);
};
const announced = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': packageBytes.length + 1_000_000_000 });
  endless(response);
};
const late = { code: 'update.unreachable', details: { cause: 'TIMEOUT' } };
const refusal = { code: 'update.refused' };
const short = { ...none, idleMs: 30, packageMs: 60 };
test.each<[string, (response: ServerResponse) => void, object, typeof none]>([
  ['never answers', () => undefined, late, short],
  ['sends one byte', response => void response.write('x'), late, short],
  ['sends a byte now and then', slowly, late, short],
  ['sends without length and end', endless, refusal, none],
  ['announces another length', announced, refusal, none],
])('a check at a server ends if it %s, and keeps nothing', async (_name, send, error, limits) => {
  const files = { ...server.files };
  server.files['/counterfoil/latest.yml'] = { send };
  const ofChannel = { ...limits, channelMs: limits.packageMs };
  expect(await check(server.folder, null, ofChannel)).toMatchObject({ error });
  Object.assign(server.files, files, { [`/counterfoil/${packageName}`]: { send } });
  expect(await check(server.folder, null, limits)).toMatchObject({ error });
  expect(existsSync(pending()) ? readdirSync(pending()) : []).toEqual([]);
  Object.assign(server.files, files);
  expect(await check()).toMatchObject({ value: { found: 'ready' } });
});

test('a check at a server refuses a file that Windows does not accept as the publisher’s', async () => {
  writeFileSync(
    join(folder, 'app-update.yml'),
    'provider: generic\nupdaterCacheDirName: counterfoil-updater\npublisherName: [Counterfoil]\n',
  );
  (real.updater as NsisUpdater).verifyUpdateCodeSignature = () => Promise.resolve('not signed');
  await refused('publisher');
});

test('a check at a server refuses a file that one signed later has replaced, and so a version that was withdrawn', async () => {
  expect(await check(server.folder, signedAt + 1)).toMatchObject({
    error: { code: 'update.refused', details: { reason: 'replaced', version: '0.2.0' } },
  });
  expect(asked()).toEqual(['GET /counterfoil/latest.yml']);
  expect(await check(server.folder, signedAt)).toMatchObject({ value: { found: 'ready' } });
});

test('a check at a server follows no redirect, neither of the channel file nor of a package', async () => {
  const elsewhere = await startUpdateServer({
    '/latest.yml': { body: signed(channelOf(), key) },
    '/file.exe': { body: packageBytes },
  });
  const { origin } = new URL(elsewhere.folder);
  server.files['/counterfoil/latest.yml'] = { status: 302, headers: { location: `${origin}/latest.yml` } };
  await refused('redirected', '');
  serve({});
  server.files[`/counterfoil/${packageName}`] = {
    status: 302,
    headers: { location: `${origin}/file.exe` },
  };
  await refused('redirected');
  expect(elsewhere.requests).toEqual([]);
});

test('a check at a server reports a server that is down, lacks the files or sends too much', async () => {
  server.files['/counterfoil/latest.yml'] = { body: Buffer.alloc(1_000_000, 32) };
  await refused('unsigned', '');
  serve({});
  delete server.files[`/counterfoil/${packageName}`];
  expect(await check()).toMatchObject({ error: { code: 'update.unreachable' } });
  delete server.files['/counterfoil/latest.yml'];
  expect(await check()).toMatchObject({
    error: { code: 'update.unreachable', details: { cause: 'HTTP 404' } },
  });
  const closed = await startUpdateServer({});
  await closed.close();
  expect(await check(closed.folder)).toMatchObject({
    error: { code: 'update.unreachable', details: { cause: 'ECONNREFUSED' } },
  });
});
