import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, deskCall } from './console.ts';
import { drivers } from './harness.ts';
import { openDesk, type OpenDesk } from './open-desk.ts';

/** The window is locked down: each lock is tried from inside, on the real bundles. */

type InvokeHandlers = Map<string, (event: unknown, input: unknown) => Promise<unknown>>;

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('the locked window', () => {
    let desk: OpenDesk;
    let page: Page;

    beforeAll(async () => {
      desk = await openDesk({ driver: name });
      ({ page } = desk);
    });
    afterAll(() => desk?.close());

    test('is created with every safe preference written out', async () => {
      const preferences = await desk.app.evaluate(({ BrowserWindow }) => {
        const window = BrowserWindow.getAllWindows()[0] as unknown as {
          options?: { webPreferences: Record<string, unknown> };
          webContents: { getLastWebPreferences?: () => Record<string, unknown> };
        };
        return window.options?.webPreferences ?? window.webContents.getLastWebPreferences?.() ?? {};
      }, null);
      expect(preferences).toMatchObject({
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
      });
    });

    test('shows a page that knows no Node, and one frozen door', async () => {
      const seen = await page.evaluate(() => {
        const own = globalThis as unknown as Record<string, unknown>;
        const desk = own['desk'] as Record<string, unknown>;
        try {
          desk['call'] = () => 'replaced';
        } catch {
          // Strict mode says so; sloppy mode ignores it.
        }
        return {
          node: ['require', 'process', 'Buffer', 'module', 'global'].filter(word => word in own),
          door: Object.keys(desk).sort(),
          frozen: Object.isFrozen(desk),
          call: String(desk['call']).includes('replaced'),
        };
      });
      expect(seen).toEqual({ node: [], door: ['call', 'subscribe'], frozen: true, call: false });
    });

    test('cannot reach any network: fetch, XMLHttpRequest, WebSocket, beacon, image', async () => {
      const outcome = await page.evaluate(async () => {
        const violations: string[] = [];
        document.addEventListener('securitypolicyviolation', event =>
          violations.push(event.effectiveDirective),
        );
        const refused = async (work: () => Promise<unknown>): Promise<boolean> => {
          try {
            await work();
            return false;
          } catch {
            return true;
          }
        };
        const result = {
          fetch: await refused(() => fetch('https://example.com/')),
          own: await refused(() => fetch('index.html')),
          xhr: await refused(
            () =>
              new Promise((resolve, reject) => {
                const request = new XMLHttpRequest();
                request.onload = resolve;
                request.onerror = reject;
                request.open('GET', 'https://example.com/');
                request.send();
              }),
          ),
          socket: await refused(
            () =>
              new Promise((resolve, reject) => {
                const socket = new WebSocket('wss://example.com/');
                socket.onopen = resolve;
                socket.onerror = reject;
              }),
          ),
          image: await refused(
            () =>
              new Promise((resolve, reject) => {
                const image = new Image();
                image.onload = resolve;
                image.onerror = reject;
                image.src = 'https://example.com/pixel.png';
              }),
          ),
        };
        return { ...result, directives: [...new Set(violations)].sort() };
      });
      expect(outcome).toEqual({
        fetch: true,
        own: true,
        xhr: true,
        socket: true,
        image: true,
        directives: ['connect-src', 'img-src'],
      });
    });

    test('runs no inline script, no evaluated text and no foreign style', async () => {
      const ran = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.inlineRan = true';
        document.head.append(script);
        const style = document.createElement('style');
        style.textContent = 'body { --inline-style: yes }';
        document.head.append(style);
        return {
          inline: 'inlineRan' in globalThis,
          style: getComputedStyle(document.body).getPropertyValue('--inline-style'),
        };
      });
      expect(ran).toEqual({ inline: false, style: '' });
    });

    test('stays where it is when told to navigate, by script, link, form or reload elsewhere', async () => {
      const before = page.url();
      await page.evaluate(() => {
        location.href = 'https://example.com/';
      });
      await page.evaluate(() => {
        const link = document.createElement('a');
        link.href = 'https://example.com/link';
        document.body.append(link);
        link.click();
        link.remove();
      });
      await page.evaluate(() => {
        const form = document.createElement('form');
        form.action = 'https://example.com/form';
        document.body.append(form);
        form.submit();
        form.remove();
      });
      expect(page.url()).toBe(before);
      expect(await box(page, 'new.amount').isVisible()).toBe(true);
    });

    test('opens no second window', async () => {
      await page.evaluate(() => {
        window.open('https://example.com/');
        const link = document.createElement('a');
        link.href = 'https://example.com/';
        link.target = '_blank';
        document.body.append(link);
        link.click();
        link.remove();
      });
      await expect.poll(() => page.context().pages().length).toBe(1);
      expect(await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)).toBe(
        1,
      );
    });

    test('embeds no other page', async () => {
      const blocked = await page.evaluate(
        () =>
          new Promise<string>(resolve => {
            document.addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective), {
              once: true,
            });
            const frame = document.createElement('iframe');
            frame.src = 'https://example.com/';
            document.body.append(frame);
          }),
      );
      expect(blocked).toBe('frame-src');
      expect(
        await page.evaluate(
          () =>
            document.createElement('webview') instanceof HTMLUnknownElement ||
            !('src' in document.createElement('webview')),
        ),
      ).toBe(true);
    });

    test('is granted no permission but writing text to the clipboard', async () => {
      const states = await page.evaluate(async () => {
        const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi'] as PermissionName[];
        const found: string[] = [];
        for (const permission of names)
          found.push((await navigator.permissions.query({ name: permission })).state);
        return found;
      });
      expect(states).not.toContain('granted');
    });

    test('is answered outside its own folder with nothing', async () => {
      const statuses = await page.evaluate(() =>
        Promise.all(
          [
            '../main/index.js',
            '%2e%2e/main/index.js',
            '..%2f..%2fpackage.json',
            'no-such-file.js',
            'index.html%00.js',
          ].map(
            path =>
              new Promise<string>(resolve => {
                const script = document.createElement('script');
                script.type = 'module';
                script.src = path;
                script.addEventListener('load', () => resolve(`loaded ${path}`));
                script.addEventListener('error', () => resolve('refused'));
                document.head.append(script);
              }),
          ),
        ),
      );
      expect(new Set(statuses)).toEqual(new Set(['refused']));
    });

    test('has a door that knows the names of the contract and nothing else', async () => {
      expect(await deskCall(page, 'no.such.call' as 'desk.read', {})).toMatchObject({
        ok: false,
        error: { code: 'message.refused' },
      });
      expect(await deskCall(page, '__proto__' as 'desk.read', {})).toMatchObject({ ok: false });
    });

    test.each([
      ['nothing', undefined],
      ['a text', 'profileId'],
      ['wrong fields', { profileId: 7, orderNumber: null }],
      ['an over-long text', { profileId: 'sandbox', orderNumber: 'x'.repeat(300) }],
    ])('refuses a message that holds %s, naming what is wrong', async (_, input) => {
      expect(await deskCall(page, 'payments.read', input as never)).toMatchObject({
        ok: false,
        error: { code: 'input.invalid' },
      });
    });

    test('is the only one that is listened to: no frame, no other page, no other window', async () => {
      const answers = await desk.app.evaluate(async ({ BrowserWindow, ipcMain }) => {
        const handler = (ipcMain as unknown as { _invokeHandlers: InvokeHandlers })._invokeHandlers.get(
          'call:desk.read',
        );
        const sender = BrowserWindow.getAllWindows()[0]?.webContents;
        const foreign = [
          { sender, senderFrame: null },
          { sender, senderFrame: { url: 'app://counterfoil/index.html' } },
          { sender: { id: 999_999, mainFrame: sender?.mainFrame }, senderFrame: sender?.mainFrame },
        ];
        const results: unknown[] = [];
        for (const event of foreign) results.push(await handler?.(event, {}));
        return results;
      }, null);
      for (const answer of answers) {
        expect(answer).toMatchObject({ ok: false, error: { code: 'message.refused' } });
      }
    });

    test('hands nothing but web, mail and message addresses to the system, and only links of its own log', async () => {
      const result = await deskCall(page, 'payments.handOver', {
        profileId: 'sandbox',
        orderNumber: 'file:///etc/passwd',
        channel: 'opened',
      });
      expect(result).toMatchObject({ ok: false, error: { code: 'payment.missing' } });
    });

    test('never shows a link, an order or a name in its title bar', async () => {
      const title = await desk.app.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle(),
        null,
      );
      expect(title).toBe('Counterfoil');
    });
  });
});
