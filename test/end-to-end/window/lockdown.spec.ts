import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ipcRequest, raiseLink } from '../../../tools/browser-harness/console.ts';

/** What a page in the window cannot reach or open, tested from inside with the real bundles. */

type Navigation = { url: string; prevented: boolean };

onEachDriver('the protected window', name => {
  const app = useConsole({ driver: name, browser: 'own' });
  const { page } = app;

  test('the protected window cannot reach any network: fetch, XMLHttpRequest, WebSocket, beacon, image', async () => {
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

  test('the protected window runs no inline script, no evaluated text and no style from elsewhere', async () => {
    const ran = await page.evaluate(() => {
      const refusals = [
        () => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.inlineRan = true';
          document.head.append(script);
        },
        () => void (document.createElement('p').innerHTML = '<b>bold</b>'),
        () => void window.trustedTypes.createPolicy('own', {}),
        () => void window.trustedTypes.createPolicy('default', {}),
      ].map(attempt => {
        try {
          attempt();
          return 'done';
        } catch {
          return 'refused';
        }
      });
      const style = document.createElement('style');
      style.textContent = 'body { --inline-style: yes }';
      document.head.append(style);
      return {
        refusals,
        inline: 'inlineRan' in globalThis,
        style: getComputedStyle(document.body).getPropertyValue('--inline-style'),
      };
    });
    expect(ran).toEqual({ refusals: ['refused', 'refused', 'refused', 'refused'], inline: false, style: '' });
  });

  test('the protected window opens no second window', async () => {
    const openers = [
      `window.open('https://example.com/')`,
      `(() => {
          const link = document.createElement('a');
          link.href = 'https://example.com/';
          link.target = '_blank';
          document.body.append(link);
          link.click();
          link.remove();
        })()`,
    ];
    // Windows that the fake Electron's Chromium requested, and the application's answers.
    const popups = (): Promise<{ url: string; allowed: boolean }[]> =>
      app.app.evaluate(
        electron => (electron as unknown as { recorded?: { popups: never[] } }).recorded?.popups ?? [],
        null,
      );
    const cdp = await page.context().newCDPSession(page);
    for (const expression of openers) {
      const asked = (await popups()).length;
      // With a user gesture: without one Chromium opens no window anyway.
      await cdp.send('Runtime.evaluate', { expression, userGesture: true });
      if (name === 'stand-in') await expect.poll(async () => (await popups()).length).toBeGreaterThan(asked);
      expect((await popups()).filter(({ allowed }) => allowed)).toEqual([]);
      await expect.poll(() => page.context().pages().length).toBe(1);
      const windows = await app.app.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows().length,
        null,
      );
      expect(windows).toBe(1);
    }
    await cdp.detach();
  });

  test('the protected window sends nothing by WebRTC, neither over UDP nor over TCP', async () => {
    const udp = createSocket('udp4');
    const tcp = createServer(socket => socket.destroy());
    let packets = 0;
    let connections = 0;
    udp.on('message', () => (packets += 1));
    tcp.on('connection', () => (connections += 1));
    udp.bind(0, '127.0.0.1');
    tcp.listen(0, '127.0.0.1');
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    const ports = { udp: udp.address().port, tcp: (tcp.address() as AddressInfo).port };
    try {
      const candidates = await page.evaluate(async ({ udp, tcp }) => {
        const connection = new RTCPeerConnection({
          iceServers: [
            { urls: `stun:127.0.0.1:${udp}` },
            { urls: `turn:127.0.0.1:${udp}?transport=udp`, username: 'merchant-key', credential: 'x' },
            { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, username: 'merchant-key', credential: 'x' },
          ],
        });
        const found: string[] = [];
        const gathered = new Promise<void>(resolve => {
          connection.addEventListener('icecandidate', ({ candidate }) => {
            if (candidate) found.push(candidate.candidate);
          });
          connection.addEventListener('icegatheringstatechange', () => {
            if (connection.iceGatheringState === 'complete') resolve();
          });
        });
        connection.createDataChannel('out');
        await connection.setLocalDescription(await connection.createOffer());
        await gathered;
        connection.close();
        return found;
      }, ports);
      expect({ candidates, packets, connections }).toEqual({ candidates: [], packets: 0, connections: 0 });
    } finally {
      udp.close();
      tcp.close();
    }
  });

  test('the protected window has a separate session, whose proxy never answers; the gateway client keeps the system’s', async () => {
    const found = await app.app.evaluate(async ({ BrowserWindow, session }) => {
      const own = BrowserWindow.getAllWindows()[0]?.webContents.session;
      return {
        isDefault: own === session.defaultSession,
        proxy:
          (own as unknown as { proxy?: unknown })?.proxy ?? (await own?.resolveProxy('https://example.com/')),
      };
    }, null);
    expect(found.isDefault).toBe(false);
    expect(JSON.stringify(found.proxy)).toContain('127.0.0.1:1');
  });

  test('the protected window embeds no other page', async () => {
    const blocked = await page.evaluate(
      () =>
        new Promise<string>(resolve => {
          // An earlier test's violation may be reported late.
          document.addEventListener('securitypolicyviolation', event => {
            if (event.blockedURI.startsWith('https://example.com')) resolve(event.effectiveDirective);
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

  test('the protected window is granted no permission but writing text to the clipboard', async () => {
    const states = await page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi'] as PermissionName[];
      const found: string[] = [];
      for (const permission of names)
        found.push((await navigator.permissions.query({ name: permission })).state);
      return found;
    });
    expect(states).not.toContain('granted');
  });

  test('the protected window gets no answer for files outside its own folder', async () => {
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
              const link = document.createElement('link');
              link.rel = 'modulepreload';
              link.href = path;
              link.addEventListener('load', () => resolve(`loaded ${path}`));
              link.addEventListener('error', () => resolve('refused'));
              document.head.append(link);
            }),
        ),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set(['refused']));
  });

  test('the protected window lets the system open only a payment’s own link and a message about it', async () => {
    await app.app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = url => {
        opened.push(url);
        return Promise.resolve();
      };
    }, null);
    const { link, orderNumber } = await raiseLink(page, {
      amount: '12',
      description: 'Tickets',
      name: 'Maria Huber',
      email: 'maria@example.com',
    });
    const shareLink = (order: string, channel: 'opened' | 'email') =>
      ipcRequest(page, 'payments.shareLink', { profileId: 'sandbox', orderNumber: order, channel });
    expect(await shareLink(orderNumber, 'opened')).toMatchObject({ ok: true });
    expect(await shareLink(orderNumber, 'email')).toMatchObject({ ok: true });
    expect(await shareLink('file:///etc/passwd', 'opened')).toMatchObject({
      ok: false,
      error: { code: 'payment.missing' },
    });
    const opened = await app.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened, null);
    expect(opened).toEqual([link, expect.stringMatching(/^mailto:maria/)]);
  });

  // The last test: after a refused navigation the page takes no clicks from the fake Electron's second
  // client.
  test('the protected window does not navigate by script, link, form or reload elsewhere', async () => {
    const before = page.url();
    // Listens after the product, so it gets the product's decision.
    await app.app.evaluate(({ BrowserWindow }) => {
      const seen: Navigation[] = [];
      Object.assign(globalThis, { navigations: seen });
      BrowserWindow.getAllWindows()[0]?.webContents.on('will-navigate', event =>
        seen.push({ url: event.url, prevented: event.defaultPrevented }),
      );
    }, null);
    const navigations = () =>
      app.app.evaluate(() => (globalThis as unknown as { navigations: Navigation[] }).navigations, null);
    await page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await expect.poll(async () => (await navigations()).length).toBe(1);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'https://example.com/link';
      document.body.append(link);
      link.click();
      link.remove();
    });
    await expect.poll(async () => (await navigations()).length).toBe(2);
    // The content policy refuses the form before it becomes a navigation.
    await page.evaluate(
      () =>
        new Promise<void>(resolve => {
          // A violation of an earlier test may be reported late.
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
            if (effectiveDirective === 'form-action' && blockedURI.startsWith('https://example.com'))
              resolve();
          });
          const form = document.createElement('form');
          form.action = 'https://example.com/form';
          document.body.append(form);
          form.submit();
          form.remove();
        }),
    );
    expect(await navigations()).toEqual([
      { url: 'https://example.com/', prevented: true },
      { url: 'https://example.com/link', prevented: true },
    ]);
    expect(page.url()).toBe(before);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });
});
