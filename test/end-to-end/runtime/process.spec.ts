import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, ipcRequest, raiseLink } from '../../../tools/browser-harness/console.ts';
import { launch, type Application } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';

/** What the runtime itself guarantees: origin, sandbox, copies of values, one instance, keychain, fuses. */

type Api = { request(name: string, input: unknown): Promise<{ ok: boolean; error?: { code: string } }> };

onEachDriver('the runtime', name => {
  const isReal = name === 'electron';
  let app: StartedApp;
  let page: Page;
  let again: Application | null = null;

  beforeAll(async () => {
    app = await startApp({ driver: name });
    ({ page } = app);
  });
  afterAll(async () => {
    await again?.close();
    await app?.close();
  });

  test('the runtime shows the page at its own origin, which is secure and stores nothing', async () => {
    const seen = await page.evaluate(() => ({
      origin: location.origin,
      isSecure: isSecureContext,
      cookies: document.cookie,
    }));
    expect(seen).toMatchObject({ isSecure: true, cookies: '' });
    if (isReal) expect(seen.origin).toBe('app://counterfoil');
  });

  if (isReal)
    test('the runtime serves files of the page alone by its scheme', async () => {
      const answers = await app.app.evaluate(
        async ({ BrowserWindow }, paths) => {
          const own = BrowserWindow.getAllWindows()[0]?.webContents.session;
          return Promise.all(paths.map(async path => (await own?.fetch(path))?.status));
        },
        [
          'app://counterfoil/index.html',
          'app://counterfoil/../main/index.js',
          'app://counterfoil/%2e%2e/main/index.js',
          'app://elsewhere/index.html',
        ],
      );
      expect(answers).toEqual([200, 404, 404, 404]);
    });

  if (isReal)
    test('the runtime runs the page in the operating system’s sandbox, except as root', async () => {
      const sandboxed = await app.app.evaluate(
        ({ app }) => app.getAppMetrics().find(({ type }) => type === 'Tab')?.sandboxed ?? null,
        null,
      );
      // Only Windows and macOS report it.
      if (process.getuid?.() !== 0) expect(sandboxed).not.toBe(false);
    });

  test('the runtime copies values between page and main: a change of an answer reaches no later one', async () => {
    const versions = await page.evaluate(async () => {
      const { api } = globalThis as unknown as { api: Api };
      const first = (await api.request('app.read', {})) as unknown as { value: { version: string } };
      first.value.version = 'changed';
      const second = (await api.request('app.read', {})) as unknown as { value: { version: string } };
      return { first: first.value.version, second: second.value.version };
    });
    expect(versions.first).toBe('changed');
    expect(versions.second).not.toBe('changed');
  });

  test('the runtime passes undefined inside an object, which the contract allows', async () => {
    const answer = await page.evaluate(() =>
      (globalThis as unknown as { api: Api }).api.request('payments.read', {
        profileId: 'sandbox',
        orderNumber: 'none',
        more: undefined,
      }),
    );
    expect(answer.error?.code).toBe('payment.missing');
  });

  if (isReal)
    test('the runtime keeps a date a date, which the contract refuses', async () => {
      const answer = await page.evaluate(() =>
        (globalThis as unknown as { api: Api }).api.request('payments.read', {
          profileId: new Date(),
          orderNumber: 'none',
        }),
      );
      expect(answer.error?.code).toBe('input.invalid');
    });

  if (isReal)
    test('the runtime refuses what cannot be copied, such as a function', async () => {
      const outcome = await page.evaluate(async () => {
        const { api } = globalThis as unknown as { api: Api };
        try {
          return (await api.request('payments.read', { profileId: () => 'sandbox', orderNumber: 'x' })).ok;
        } catch {
          return 'refused';
        }
      });
      expect(outcome).not.toBe(true);
    });

  test('the runtime is the only instance on this data folder', async () => {
    expect(await app.app.evaluate(({ app }) => app.hasSingleInstanceLock(), null)).toBe(true);
  });

  test('the runtime keeps passwords in the keychain over a restart, and the payment log', async () => {
    const before = await raiseLink(page, { amount: '12', description: 'Tickets' });
    await app.app.close();
    again = await launch({ driver: name, browser: 'shared', userData: app.userData });
    page = await again.firstWindow();
    await box(page, 'new.amount').waitFor();
    // The request is signed with the password.
    const after = await raiseLink(page, { amount: '13', description: 'Tickets' });
    expect(after.orderNumber).not.toBe(before.orderNumber);
    const { orderNumber } = before;
    expect(await ipcRequest(page, 'payments.read', { profileId: 'sandbox', orderNumber })).toMatchObject({
      ok: true,
    });
  });

  test('the runtime closes the payment log when the session of the computer ends', async () => {
    const child = again?.process();
    const ended = new Promise(resolve => child?.once('exit', resolve));
    // The answer may be lost with the process.
    await again
      ?.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.emit('session-end', {});
      }, null)
      .catch(() => undefined);
    await ended;
    again = null;
    expect(existsSync(join(app.userData, 'payments.db'))).toBe(true);
    expect(existsSync(join(app.userData, 'payments.db-wal'))).toBe(false);
  });
});

/** The path of an installed program; its fuses forbid what is tried here. */
const program = process.env['COUNTERFOIL_PROGRAM'];

describe.skipIf(program === undefined)('an installed program', () => {
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(program ?? '', args, { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 30_000 });

  test('an installed program is no Node interpreter', () => {
    const { stdout } = run(['-e', 'console.log("ran")', '--status'], { ELECTRON_RUN_AS_NODE: '1' });
    expect(stdout).not.toContain('ran');
  });

  test('an installed program reads no options from the environment', () => {
    const { stdout } = run(['--status'], { NODE_OPTIONS: '--print-bytecode --version' });
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  test('an installed program opens no debugger', () => {
    expect(run(['--status', '--inspect=127.0.0.1:0']).stderr).not.toContain('Debugger listening');
  });
});
