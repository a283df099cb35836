import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAppEvents } from '../../main/app/common/app-context.ts';
import { createUpdates } from '../../main/app/updates/updates.ts';
import { openAppLog } from '../../main/app-log/app-log.ts';
import { openSettings } from '../../main/settings/settings-store.ts';
import type { Channel } from '../../main/updates/channel.ts';
import { createInstaller } from '../../main/updates/create-installer.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import {
  channelNames,
  packageNameOf,
  realUpdater,
  updaterKinds,
  type RealUpdater,
  type UpdaterKind,
} from '../../tools/update-harness/real-updater.ts';
import {
  channelOf,
  sha512,
  signed,
  signingKey,
  startUpdateServer,
} from '../../tools/update-harness/update-server.ts';

/** The application's updates joined with electron-updater itself: what it calls ready is what is installed. */

const { key, pinned } = signingKey();
const minute = 60_000;
const now = Date.now();
/** A package that can be run, as the AppImage's updater does. */
const contentOf = (version: string): string => `#!/bin/sh\n# version ${version}\n`;

let folder: string;
let server: Awaited<ReturnType<typeof startUpdateServer>>;
let signedAt: number;

beforeEach(async () => {
  folder = newFolder('orders');
  server = await startUpdateServer({});
  signedAt = now - 100 * minute;
});

/** What the server offers, by the word for it; each is signed after the one before. */
const offer = (kind: UpdaterKind, what: string): void => {
  signedAt += minute;
  const version = /[\d.]+$/.exec(what)?.[0] ?? '0.2.0';
  const url = packageNameOf(kind, version);
  const bytes = Buffer.from(contentOf(version));
  const different: Partial<Channel> = {
    current: { version: '0.1.0' },
    later: { stagingPercentage: 0 },
    expired: { expires: new Date(now - minute).toISOString() },
    'of the future': { signedAt: new Date(now + 3 * 24 * 60 * minute).toISOString() },
    'for another payment log': { paymentLog: { reads: 900, writes: 900 } },
  }[what] ?? { version };
  const channel = channelOf({
    files: [{ url, sha512: sha512(bytes), size: bytes.length }],
    signedAt: new Date(signedAt).toISOString(),
    expires: new Date(now + 1_000 * minute).toISOString(),
    ...different,
  });
  const keys = what === 'of another publisher' ? signingKey().key : key;
  server.files[`/counterfoil/${channelNames[kind]}`] = { body: signed(channel, keys, channelNames[kind]) };
  server.files[`/counterfoil/${url}`] = what.startsWith('damaged')
    ? { body: Buffer.alloc(bytes.length) }
    : { body: bytes };
  if (what.startsWith('cut off'))
    server.files[`/counterfoil/${url}`] = {
      send: response => void response.write('#!', () => response.destroy()),
    };
  if (what === 'away') server.files[`/counterfoil/${channelNames[kind]}`] = { status: 503 };
};

/** A console of version 0.1.0, or of the one that replaced it, with these settings. */
const start = async (kind: UpdaterKind, version = '0.1.0') => {
  const settings = openSettings(join(folder, 'settings.json'), 'anna');
  settings.change(stored => ({ ...stored, settings: { ...stored.settings, updateServer: server.folder } }));
  const real: RealUpdater = realUpdater(kind, folder);
  const installer = createInstaller(
    real.updater,
    {
      fileName: channelNames[kind],
      keys: [pinned],
      get: (url, signal) => fetch(url, { redirect: 'manual', signal }),
    },
    { close: async () => end(), squirrel: real.squirrel },
  );
  const activities: { action: string }[] = [];
  const updates = createUpdates(
    {
      settings,
      team: { shared: () => null } as never,
      version,
      clock: () => now,
      appLog: openAppLog(join(folder, 'app.log')),
      updates: { obstacle: null, load: async () => installer },
    },
    { record: async (records: { action: string }[]) => void activities.push(...records) } as never,
    createAppEvents(),
    { isBusy: () => false, publish: async () => ({}) as never },
  );
  await updates.start?.();
  const end = async (): Promise<void> => {
    await updates.stop?.();
    await settings.close();
    await updates.atQuit();
  };
  return {
    updates,
    activities: () => activities.map(({ action }) => action),
    check: async (what: string) => {
      offer(kind, what);
      await updates.handlers['updates.check']({});
      await expect.poll(() => updates.state().phase, { interval: 5 }).not.toBe('checking');
      return updates.state();
    },
    /** The console closes and the program ends: the installed package. */
    quit: async (): Promise<string | null> => {
      await end();
      return real.quit();
    },
  };
};

type Order = [checks: string[], installed: string | null];

/** What each of electron-updater's updaters does with the packages that it keeps. */
const ofEachUpdater: Order[] = [
  [['ready'], '0.2.0'],
  [['damaged 0.2.0', 'ready'], '0.2.0'],
  [['ready', 'later', 'ready'], '0.2.0'],
  [['ready', 'ready 0.3.0'], '0.3.0'],
  [['ready', 'damaged 0.3.0', 'ready'], '0.2.0'],
  [['ready', 'later'], null],
  [['ready', 'cut off 0.3.0'], null],
];
/** What is decided before a package is asked for. */
const ofChannelFiles: Order[] = [
  [['current', 'ready'], '0.2.0'],
  [['later', 'ready'], '0.2.0'],
  [['away', 'ready'], '0.2.0'],
  [['of another publisher', 'ready'], '0.2.0'],
  [['cut off 0.2.0', 'ready'], '0.2.0'],
  [['ready', 'ready'], '0.2.0'],
  [['ready', 'away'], '0.2.0'],
  [['of the future', 'ready'], '0.2.0'],
  [['ready', 'current'], null],
  [['ready', 'expired'], null],
  [['ready', 'of another publisher'], null],
  [['ready', 'for another payment log'], null],
  [['ready', 'damaged 0.3.0'], null],
  [['current', 'later', 'away'], null],
];

describe.skipIf(process.platform === 'win32').each(updaterKinds)('updates of %s, joined', kind => {
  test.each([...ofEachUpdater, ...(kind === 'win32' ? ofChannelFiles : [])])(
    'updates that are %s: ready is what is installed at the end: %s',
    async (checks, installed) => {
      const app = await start(kind);
      let state = app.updates.state();
      for (const what of checks) state = await app.check(what);
      expect(state).toMatchObject({ phase: installed === null ? 'idle' : 'ready', version: installed });
      expect(await app.quit()).toBe(installed === null ? null : contentOf(installed));
      const next = await start(kind, installed ?? '0.1.0');
      expect(next.activities()).toEqual(installed === null ? [] : ['update-installed']);
      expect(next.updates.state().problem).toBeNull();
      await next.quit();
    },
  );

  test('updates that are held when the system shuts down are not installed, and nothing is reported as failed', async () => {
    const app = await start(kind);
    await app.check('ready');
    app.updates.hold();
    expect(await app.check('ready')).toMatchObject({ phase: 'ready' });
    expect(await app.quit()).toBeNull();
    const next = await start(kind);
    expect(next.updates.state().problem).toBeNull();
    await next.quit();
  });

  test('updates that were not installed are reported, with the address of the package, until another is offered', async () => {
    const app = await start(kind);
    await app.check('ready');
    await app.quit();
    // The version before starts again.
    const next = await start(kind);
    const failed = { code: 'update.failed', details: { version: '0.2.0', address: `${server.folder}/` } };
    expect(next.updates.state()).toMatchObject({ problem: failed });
    expect(next.activities()).toEqual(['update-failed']);
    const address = `${server.folder}/${packageNameOf(kind, '0.2.0')}`;
    expect(await next.check('ready')).toMatchObject({ phase: 'ready', problem: { details: { address } } });
    expect(await next.check('ready 0.3.0')).toMatchObject({ phase: 'ready', problem: null });
    await next.quit();
  });
});

test('a file that was refused, or came from another address, is not replaced by an older one', async () => {
  const app = await start('win32');
  expect(await app.check('for another payment log')).toMatchObject({
    problem: { details: { reason: 'payment-log' } },
  });
  signedAt -= 10 * minute;
  expect(await app.check('ready')).toMatchObject({ problem: { details: { reason: 'replaced' } } });
  await app.quit();
  await server.close();
  server = await startUpdateServer({});
  const moved = await start('win32');
  expect(await moved.check('ready')).toMatchObject({ problem: { details: { reason: 'replaced' } } });
  await moved.quit();
  expect(readdirSync(folder)).not.toContain('counterfoil-updater');
});
