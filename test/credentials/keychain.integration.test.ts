import { join } from 'node:path';
import { AsyncEntry } from '@napi-rs/keyring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCredentialStore } from '../../main/credentials/keychain.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import {
  keyringHome,
  runUnderKeyring,
  type KeyringHome,
  type KeyringState,
} from '../../tools/keyring/keyring-session.ts';

/** The keychain for real: gnome-keyring on a separate D-Bus. */

const secret = 'pä55 wörd "quoted"';
const child = join(import.meta.dirname, 'keychain-child.ts');

let home: KeyringHome;
beforeAll(() => {
  home = keyringHome();
});
afterAll(() => home.remove());

const step = async (state: KeyringState, ...args: string[]): Promise<unknown> => {
  const { output } = await runUnderKeyring(home, state, [process.execPath, child, ...args]);
  return JSON.parse(output);
};

describe.skipIf(process.platform !== 'linux')('the keychain', () => {
  test('a password is stored in the keychain itself', async () => {
    const service = `Counterfoil test ${crypto.randomUUID()}`;
    const store = openCredentialStore({ service });
    expect(await store.set('live', secret, 'keychain')).toMatchObject({ ok: true });
    const entry = new AsyncEntry(service, 'live', { linux: { store: 'secret-service' } });
    expect(await entry.getPassword()).toBe(secret);
    expect(await store.remove('live')).toMatchObject({ ok: true });
  });

  test('a password survives restarts of the program and the keyring, and can be removed', async () => {
    expect(await step('unlocked', 'state')).toBe('missing');
    expect(await step('unlocked', 'keep', secret)).toEqual({ ok: true });
    expect(await step('unlocked', 'read')).toEqual({ ok: true, value: secret });
    expect(await step('unlocked', 'state')).toBe('stored');
    expect(await step('unlocked', 'forget')).toEqual({ ok: true });
    expect(await step('unlocked', 'read')).toMatchObject({
      ok: false,
      error: { code: 'profile.password-missing' },
    });
  });

  test('a password can be read any number of times: no reading leaves a connection open', async () => {
    await step('unlocked', 'keep', secret);
    expect(await step('unlocked', 'read-often')).toBeLessThan(10);
  });

  test('a password can be read and stored after a restart of the keyring while the program runs', async () => {
    await step('unlocked', 'keep', secret);
    const read = { ok: true, value: secret };
    expect(await step('unlocked', 'restart-keyring', secret)).toEqual([read, read, { ok: true }]);
  });

  test('a locked keyring is reported as locked, with a hint at a waiting prompt', async () => {
    await step('unlocked', 'keep', secret);
    const refused = await step('locked', 'read');
    expect(refused).toMatchObject({ ok: false, error: { code: 'keychain.locked' } });
    expect(JSON.stringify(inWords(refused))).toContain('prompt may be behind');
    expect(await step('locked', 'keep', secret)).toMatchObject({
      ok: false,
      error: { code: 'keychain.locked' },
    });
    expect(await step('locked', 'state')).toBe('keychain-unavailable');
  });

  test('while a call of the keychain waits for its prompt, every further one is refused at once', async () => {
    await step('unlocked', 'keep', secret);
    expect(await step('prompting', 'read-twice')).toEqual(['waited, keychain.locked, busy']);
  });

  test.each(['no-bus', 'no-service'] as const)(
    'there is no keychain with %s, and no other storage is used silently',
    async state => {
      expect(await step(state, 'keep', secret)).toMatchObject({
        ok: false,
        error: { code: 'keychain.unavailable' },
      });
      expect(await step(state, 'read')).toMatchObject({ ok: false, error: { code: 'keychain.unavailable' } });
    },
  );

  test('a keychain that denies access is reported', async () => {
    expect(await step('denied', 'read')).toMatchObject({ ok: false, error: { code: 'keychain.denied' } });
  });

  test('a binding that does not load is a clear error, not a crash', async () => {
    const hook =
      'import { registerHooks } from "node:module"; registerHooks({ resolve: (name, context, next) => { if (name === "@napi-rs/keyring") throw new Error("no binding"); return next(name, context); } });';
    const { output } = await runUnderKeyring(home, 'no-bus', [
      process.execPath,
      `--import=data:text/javascript,${encodeURIComponent(hook)}`,
      child,
      'read',
    ]);
    expect(JSON.parse(output)).toMatchObject({
      ok: false,
      error: { code: 'keychain.unavailable', message: { key: 'keychain.part-missing' } },
    });
  });

  test('a password without a keychain can be used until the program ends', async () => {
    expect(await step('no-bus', 'this-run', secret)).toEqual({
      state: 'this-run-only',
      read: { ok: true, value: secret },
    });
    expect(await step('no-bus', 'read')).toMatchObject({ ok: false });
  });

  test('no error contains the password', async () => {
    for (const state of ['locked', 'no-bus', 'no-service', 'denied'] as const)
      expect(JSON.stringify(await step(state, 'keep', 'unmistakable-5ecret'))).not.toContain('unmistakable');
  });
});
