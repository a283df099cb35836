import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openSettings, type SettingsStore } from '../../main/settings/settings-store.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

const profile = (id: string, changes: Partial<Profile> = {}): Profile => ({
  ...profileDefaults,
  id,
  name: `Shop ${id}`,
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: `key-${id}`,
  ...changes,
});

const ada = '11111111-1111-4111-8111-111111111111';
const bob = '22222222-2222-4222-8222-222222222222';
const pin = { salt: 'aa'.repeat(16), hash: 'bb'.repeat(32) };

export type Json = Record<string, unknown>;
type SettingsJson = Json & { settings: Json; profiles: Json[]; agents: Json[] };

/** An error of the file system. */
export const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A settings file for the tests of one test file; the folder is empty before each test. */
export const settingsFolder = () => {
  const folder = newFolder('settings');
  const file = join(folder, 'settings.json');
  const open: SettingsStore[] = [];
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });

  const start = (options: Parameters<typeof openSettings>[2] = {}): SettingsStore => {
    const store = openSettings(file, 'anna', options);
    open.push(store);
    return store;
  };

  /** A file as the console itself writes it, with two entries of every kind. */
  const fillIn = async (): Promise<ReturnType<SettingsStore['read']>> => {
    const store = start();
    store.change(stored => ({
      ...stored,
      settings: {
        ...stored.settings,
        agent: 'Ada',
        theme: 'dark',
        activeProfileId: 'one',
        receiver: { ...stored.settings.receiver, enabled: true, port: 8443 },
        views: [{ id: ada, name: 'Today', words: 'today', columns: null, owner: null }],
      },
      agents: [
        { id: ada, name: 'Ada', role: 'administrator', pin, wrong: 0, waitMs: 0 },
        { id: bob, name: 'Bob', role: 'agent', pin, wrong: 1, waitMs: 5 },
      ],
      profiles: [profile('one', { digest: 'sha256' }), profile('two')],
      templates: [
        {
          id: bob,
          profileId: 'one',
          name: 'Night',
          amount: '80.00',
          currency: 'EUR',
          description: '',
          methods: [],
        },
      ],
    }));
    store.callbackPath('one');
    store.callbackPath('two');
    await store.close();
    return store.read();
  };

  const edit = (change: (json: SettingsJson) => void): void => {
    const json = JSON.parse(readFileSync(file, 'utf8')) as SettingsJson;
    change(json);
    writeFileSync(file, JSON.stringify(json, null, 2));
  };
  const withoutCopy = (): void => rmSync(`${file}.copy`);
  const storedFiles = (): string[] => readdirSync(folder).filter(name => name.includes('.unreadable-'));
  return { folder, file, start, fillIn, edit, withoutCopy, storedFiles };
};
