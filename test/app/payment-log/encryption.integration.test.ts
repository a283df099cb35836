import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { copyFolder } from '../../../main/payment-log/sqlite/files/log-files.ts';
import { logFileKind } from '../../../main/payment-log/sqlite/key/log-key.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** The keychain is the real one of this session. */

const apps: TestApp[] = [];
const folders: string[] = [];
const start = async (folder?: string): Promise<TestApp> => {
  const app = await startTestApp(folder);
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.splice(0)) await app.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const kindOf = (app: TestApp): string => logFileKind(app.logFile).kind;
const orders = async (app: TestApp): Promise<(string | null)[]> =>
  value(await app.request('payments.list', { filter: {}, cursor: null, limit: 50 })).rows.map(
    ({ orderNumber }) => orderNumber,
  );

/** Encrypts the log as a person does; resolves with the recovery phrase. */
const encrypt = async (app: TestApp): Promise<string[]> => {
  const { words, asked } = value(await app.request('log.beginEncryption', {}));
  value(await app.request('log.encrypt', { answers: asked.map(position => words[position - 1] ?? '') }));
  return words;
};

/** The files of the data folder that contain one of these texts. */
const filesWith = (app: TestApp, ...texts: string[]): string[] =>
  readdirSync(app.folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => texts.some(text => readFileSync(file, 'utf8').includes(text)));

describe('encrypting the payment log', () => {
  test('encrypting the payment log needs the words of the new phrase, keeps every payment, and leaves no customer or order in a file', async () => {
    const app = await start();
    const order = value(
      await app.request(
        'payments.create',
        newPayment({ orderNumber: 'SECRET-1', customer: { name: 'Wilhelmina Featherstone' } }),
      ),
    ).payment.orderNumber;
    await app.daily();
    expect(await app.request('log.encrypt', { answers: [] })).toMatchObject({ ok: false });
    const { words, asked } = value(await app.request('log.beginEncryption', {}));
    expect(words).toHaveLength(24);
    const answers = asked.map(position => words[position - 1] ?? '');
    const wrong = await app.request('log.encrypt', { answers: answers.with(1, 'zebra') });
    expect(wrong).toMatchObject({ error: { fields: [{ path: 'answers.1' }] } });
    expect(kindOf(app)).toBe('plain');
    const [done, meanwhile] = await Promise.all([
      app.request('log.encrypt', { answers }),
      app.request('payments.create', newPayment({ orderNumber: 'SECRET-2' })),
    ]);
    expect(done).toMatchObject({ ok: true, value: { plainFiles: 0 } });
    expect(meanwhile.ok || meanwhile.error.code === 'log.unavailable').toBe(true);
    expect(kindOf(app)).toBe('encrypted');
    expect(value(await app.request('app.read', {})).log).toMatchObject({ isEncrypted: true, problem: null });
    expect(await orders(app)).toContain(order);
    expect(value(await app.request('log.verify', {})).problems).toEqual([]);
    // Also not in the copy of today, which was made again, and the words are in no file.
    expect(readdirSync(copyFolder(app.logFile))).toHaveLength(1);
    await expect
      .poll(() => filesWith(app, 'SECRET-1', 'Featherstone', words.slice(0, 3).join(' ')))
      .toEqual([]);
    expect(value(await app.request('log.readPhrase', { pin: null })).words).toEqual(words);
    expect(await app.appLog()).not.toContain(words[0]);
    const actions = value(await app.request('activity.list', {})).rows.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['log-encrypted', 'phrase-shown']));
  });

  test('encrypting the payment log shows the phrase later only to a person who confirms it with their PIN, and records both', async () => {
    const app = await start();
    const words = await encrypt(app);
    const [self] = value(await app.request('app.read', {})).agents;
    if (!self) throw new Error('missing');
    const { id, name, role } = self;
    value(await app.request('agents.save', { id, name, role, pin: '4711' }));
    for (const pin of [null, '4712'])
      expect(await app.request('log.readPhrase', { pin })).toMatchObject({
        error: { code: 'agent.wrong-pin', fields: [{ path: 'pin' }] },
      });
    expect(value(await app.request('log.readPhrase', { pin: '4711' })).words).toEqual(words);
    const actions = value(await app.request('activity.list', {})).rows.map(({ action }) => action);
    expect(actions.filter(action => /^(?:wrong-pin|phrase-shown)$/.test(action))).toEqual([
      'phrase-shown',
      'wrong-pin',
      'wrong-pin',
    ]);
  });

  test('encrypting the payment log is undone without a loss; the console opens both kinds after a restart', async () => {
    const app = await start();
    value(await app.request('payments.create', newPayment({ orderNumber: 'A-1' })));
    await encrypt(app);
    await app.close();
    const again = await startTestApp(app.folder);
    apps.push(again);
    expect(await orders(again)).toEqual(['A-1']);
    value(await again.request('log.decrypt', {}));
    expect(kindOf(again)).toBe('plain');
    expect(await again.request('log.decrypt', {})).toMatchObject({ ok: false });
    expect(await orders(again)).toEqual(['A-1']);
    expect(value(await again.request('log.verify', {})).problems).toEqual([]);
  });

  test('encrypting the payment log names older copies without encryption, and deletes them on request', async () => {
    const app = await start();
    value(await app.request('payments.create', newPayment({ orderNumber: 'A-1' })));
    await app.daily();
    const [today = ''] = readdirSync(copyFolder(app.logFile));
    const older = join(copyFolder(app.logFile), 'payments-2026-01-01.db');
    cpSync(join(copyFolder(app.logFile), today), older);
    expect(value(await app.request('log.copies', {})).plainFiles).toBe(0);
    await encrypt(app);
    expect(value(await app.request('log.copies', {})).plainFiles).toBe(1);
    expect(value(await app.request('log.removePlainFiles', {}))).toEqual({ removed: 1 });
    expect(existsSync(older)).toBe(false);
    expect(readdirSync(copyFolder(app.logFile))).toEqual([today]);
  });
});

test('a payment log that cannot be read at all is a problem that the window names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-unreadable-'));
  folders.push(folder);
  mkdirSync(join(folder, 'payments.db'));
  const app = await start(folder);
  expect(value(await app.request('app.read', {})).log.problem).not.toBeNull();
});

describe('an encrypted log on another PC', () => {
  /** A folder with the log of this console, but without its settings: another installation, without its keys. */
  const moved = async (app: TestApp): Promise<TestApp> => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-moved-'));
    folders.push(folder);
    cpSync(app.logFile, join(folder, 'payments.db'));
    return start(folder);
  };

  test('an encrypted log on another PC asks for the recovery phrase, says what is wrong with it, and opens with it from then on', async () => {
    const app = await start();
    value(await app.request('payments.create', newPayment({ orderNumber: 'A-1' })));
    const words = await encrypt(app);
    await app.close();
    const other = await moved(app);
    const { log } = value(await other.request('app.read', {}));
    expect(log).toMatchObject({ isEncrypted: true, problem: { code: 'log.locked' } });
    const unlock = async (phrase: string): Promise<unknown> => {
      const result = await other.request('log.unlock', { phrase });
      return result.ok ? result.value.log.problem : result.error.message.key;
    };
    expect(await unlock(words.slice(1).join(' '))).toBe('phrase.count');
    expect(await unlock(words.with(4, 'qqqq').join(' '))).toBe('phrase.unknown-word');
    const stranger = await start();
    expect(await unlock(value(await stranger.request('log.beginEncryption', {})).words.join(' '))).toBe(
      'phrase.other',
    );
    expect(kindOf(other)).toBe('encrypted');
    expect(await unlock(words.join('  ').toUpperCase())).toBeNull();
    expect(await orders(other)).toEqual(['A-1']);
    await other.close();
    const again = await start(other.folder);
    expect(await orders(again)).toEqual(['A-1']);
  });

  test('an encrypted log on another PC is restored from a copy, which stays encrypted; a plain copy is encrypted when it is restored', async () => {
    const app = await start();
    value(await app.request('payments.create', newPayment({ orderNumber: 'A-1' })));
    const plainCopy = join(app.saved, 'plain.db');
    app.willSave(plainCopy, join(app.saved, 'encrypted.db'));
    value(await app.request('log.backUp', {}));
    const words = await encrypt(app);
    value(await app.request('log.backUp', {}));
    expect(logFileKind(join(app.saved, 'encrypted.db')).kind).toBe('encrypted');
    const restore = async (into: TestApp, file: string): Promise<void> => {
      into.willOpen(file);
      const { candidate } = value(await into.request('log.checkCopy', { name: null }));
      value(await into.request('log.restore', { token: candidate?.token ?? '' }));
    };
    await restore(app, plainCopy);
    expect(kindOf(app)).toBe('encrypted');
    expect(await orders(app)).toEqual(['A-1']);
    const other = await start();
    mkdirSync(dirname(other.logFile), { recursive: true });
    other.willOpen(join(app.saved, 'encrypted.db'));
    expect(await other.request('log.checkCopy', { name: null })).toMatchObject({
      error: { code: 'log.locked' },
    });
    value(await other.request('log.unlock', { phrase: words.join(' ') }));
    await restore(other, join(app.saved, 'encrypted.db'));
    expect(kindOf(other)).toBe('encrypted');
    expect(await orders(other)).toEqual(['A-1']);
    expect(value(await other.request('log.readPhrase', { pin: null })).words).toEqual(words);
  });
});
