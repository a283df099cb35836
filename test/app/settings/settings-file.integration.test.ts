import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { fillDisk, mayMount, mountDisk, unmountDisk } from '../../../tools/app-harness/small-disk.ts';
import { addShop, newPayment, startTestApp } from '../../../tools/app-harness/running-app.ts';

let folder: string;
const fileOf = (): string => join(folder, 'settings.json');

beforeEach(() => {
  folder = newFolder('settings-file');
});

const edit = (
  change: (json: Record<string, unknown> & { settings: Record<string, unknown> }) => void,
): void => {
  const json = JSON.parse(readFileSync(fileOf(), 'utf8')) as Record<string, unknown> & {
    settings: Record<string, unknown>;
  };
  change(json);
  writeFileSync(fileOf(), JSON.stringify(json, null, 2));
};

test('a change of the settings is answered when it is on disk; the name of an exported file has the day in the zone of the merchant', async () => {
  const app = await startTestApp(folder, { clock: () => Date.UTC(2026, 10, 3, 20) });
  const activeProfileId = await addShop(app, { timeZone: 'Pacific/Auckland' });
  expect(openSettings(fileOf(), 'anna').profile(activeProfileId)).toMatchObject({ name: 'Shop' });
  await app.value('settings.change', { activeProfileId });
  expect(openSettings(fileOf(), 'anna').read().settings).toMatchObject({ activeProfileId });
  const files = [
    (await app.value('activity.export', {})).file,
    (await app.value('log.backUp', {})).file,
    (await app.value('settings.export', {})).file,
  ];
  expect(files.map(file => basename(file ?? ''))).toEqual([
    'activity-2026-11-04.csv',
    'counterfoil-payments-2026-11-04.db',
    'counterfoil-settings-2026-11-04.json',
  ]);
  await app.close();
});

test('with settings of a newer version, the window reports it, and no request is accepted and nothing written', async () => {
  const first = await startTestApp(folder);
  await first.close();
  edit(json => {
    json['version'] = 9;
  });
  const files = () =>
    readdirSync(folder)
      .filter(name => name !== 'logs')
      .map(name => [name, readFileSync(join(folder, name), 'base64')]);
  const before = files();
  const app = await startTestApp(folder);
  expect(await app.state()).toMatchObject({
    settingsFile: { problem: { code: 'settings.newer' } },
    sandbox: { listening: false },
    receiver: { listening: false },
    profiles: [],
  });
  expect(await app.refusal('settings.change', { theme: 'dark' })).toBe('settings.newer');
  expect(await app.refusal('payments.create', newPayment())).toBe('settings.newer');
  expect(await app.refusal('log.createNew', {})).toBe('settings.newer');
  await app.close();
  expect(files()).toEqual(before);
});

test('a console that lost its team from the settings asks, and starts again without it once a person agreed', async () => {
  const first = await startTestApp(folder);
  await first.close();
  rmSync(`${fileOf()}.copy`, { force: true });
  edit(json => {
    json['sharedLog'] = { host: 'db' };
  });
  const app = await startTestApp(folder);
  expect((await app.state()).settingsFile.problem).toMatchObject({
    code: 'settings.team-lost',
  });
  expect(await app.refusal('settings.change', { theme: 'dark' })).toBe('settings.team-lost');
  await app.value('settings.continueWithoutTeam', {});
  expect(app.outside.restarts).toBe(1);
  await app.close();
  const again = await startTestApp(folder);
  const { settingsFile } = await again.state();
  expect(settingsFile).toMatchObject({
    problem: null,
    recovery: { problems: [{ section: 'sharedLog', name: '', outcome: 'default' }] },
  });
  await again.close();
});

test('a folder in the place of the settings file is reported, and no payment log is created', async () => {
  mkdirSync(fileOf());
  const app = await startTestApp(folder);
  expect((await app.state()).settingsFile.problem).toMatchObject({
    code: 'settings.unreadable',
    details: { cause: 'EISDIR' },
  });
  await app.close();
  expect(existsSync(app.logFile)).toBe(false);
});

test.skipIf(!mayMount)(
  'on a full disk the console starts, reports that changes are not saved, and saves them once there is room',
  async () => {
    mountDisk(folder, 'size=8m');
    try {
      const first = await startTestApp(folder);
      await first.value('payments.create', newPayment({ orderNumber: 'FULL-1' }));
      await first.close();
      const before = readFileSync(fileOf(), 'utf8');
      const filler = join(folder, 'filler');
      fillDisk(filler);
      const app = await startTestApp(folder);
      const changed = await app.value('settings.change', { theme: 'dark' });
      expect(changed).toMatchObject({
        settings: { theme: 'dark' },
        settingsFile: {
          problem: { code: 'settings.unwritable', details: { cause: 'ENOSPC' } },
          recovery: null,
        },
      });
      expect(readFileSync(fileOf(), 'utf8')).toBe(before);
      rmSync(filler);
      await app.value('settings.change', { density: 'compact' });
      expect((await app.state()).settingsFile.problem).toBeNull();
      await app.close();
      expect(openSettings(fileOf(), 'anna').read().settings).toMatchObject({
        theme: 'dark',
        density: 'compact',
      });
    } finally {
      unmountDisk(folder);
    }
  },
);
