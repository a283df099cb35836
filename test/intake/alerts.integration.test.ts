import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import {
  mailPassword,
  startMailReceiver,
  startWebReceiver,
  type MailReceiver,
  type Posted,
  type WebReceiver,
} from '../../tools/intake-harness/alert-receivers.ts';
import { hasOpenssl, selfSigned } from '../gateway/gateway-server.ts';
import { intakeFolder, password, type IntakeFolder } from '../../tools/intake-harness/running-intake.ts';

/** An intake as a process that alerts a real HTTP server and a real mail server. */

type Message = { id: string; alerts: { id: string; kind: string; order: string }[]; more: number };

const secret = 'a secret of the receiver';
let intake: IntakeFolder;
let closing: (() => Promise<void>)[];
beforeEach(() => {
  intake = intakeFolder();
  writeFileSync(join(intake.folder, 'alerts.secret'), `${secret}\n`, { mode: 0o600 });
  writeFileSync(join(intake.folder, 'mail.password'), `${mailPassword}\n`, { mode: 0o600 });
  closing = [];
});
afterEach(async () => {
  await intake.remove();
  for (const close of closing) await close();
});

/** A web server that refuses its first messages. */
const startWebServer = async (refused = 0): Promise<WebReceiver> => {
  const web = await startWebReceiver((response, count) =>
    response.writeHead(count <= refused ? 503 : 204).end(),
  );
  closing.push(web.close);
  return web;
};
const startMailServer = async (...given: Parameters<typeof startMailReceiver>): Promise<MailReceiver> => {
  const mail = await startMailReceiver(...given);
  closing.push(mail.close);
  return mail;
};

const messageOf = ({ body }: Posted): Message => JSON.parse(body) as Message;
const waiting = { timeout: 15_000, interval: 50 };

describe.skipIf(process.platform === 'win32')('an intake that alerts', () => {
  test('an intake posts a signed message about what was paid: once, for many callbacks, without names and amounts', async () => {
    const { url, received } = await startWebServer();
    const alerts = { kinds: ['paid'], everySeconds: 2, webhook: { url, secret: { file: 'alerts.secret' } } };
    intake.configure({ alerts });
    const running = await intake.start();
    const next = signedCallbacks(password);
    const bodies = [next(), next(), next()];
    // The intake looks at what follows its first run.
    await expect.poll(() => running.post(bodies[0] ?? '')).toBe(200);
    for (const body of [...bodies, ...bodies]) expect(await running.post(body)).toBe(200);
    const orders = bodies.map(body => new URLSearchParams(body).get('order_number') ?? '');
    await expect
      .poll(
        () => received.flatMap(one => messageOf(one).alerts.map(({ order }) => order)).toSorted(),
        waiting,
      )
      .toEqual(orders.toSorted());
    const [first] = received;
    const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(first?.signature ?? '') ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${first?.body}`).digest('hex')).toBe(signature);
    for (const one of received) {
      expect(one.body).not.toMatch(/amount|customer|http/);
      expect(messageOf(one).alerts.every(({ kind }) => kind === 'paid')).toBe(true);
    }
    expect(running.output()).not.toContain(secret);
    expect(orders.some(order => running.output().includes(order))).toBe(false);
  });

  test('an alert that was not accepted is sent again after a restart, as the same message', async () => {
    const { url, received } = await startWebServer(1);
    intake.configure({
      alerts: {
        kinds: ['paid'],
        everySeconds: 1,
        showAmounts: true,
        webhook: { url, secret: { file: 'alerts.secret' } },
      },
    });
    const first = await intake.start();
    expect(await first.post(signedCallbacks(password)())).toBe(200);
    await expect.poll(() => received.length, waiting).toBe(1);
    await first.end('SIGKILL');
    await intake.start();
    await expect.poll(() => received.length, waiting).toBe(2);
    const [refused, accepted] = received.map(messageOf);
    expect(accepted).toEqual(refused);
    expect(accepted?.alerts).toMatchObject([
      { kind: 'paid', amount: expect.stringMatching(/^\d/) as string },
    ]);
  });

  test('a callback that arrived just before the intake was killed is still an alert', async () => {
    const { url, received } = await startWebServer();
    const alerts = { kinds: ['paid'], everySeconds: 1, webhook: { url, secret: { file: 'alerts.secret' } } };
    intake.configure({ alerts });
    const first = await intake.start();
    const next = signedCallbacks(password);
    expect(await first.post(next())).toBe(200);
    await expect.poll(() => received.length, waiting).toBe(1);
    expect(await first.post(next())).toBe(200);
    await first.end('SIGKILL');
    await intake.start();
    await expect
      .poll(() => received.flatMap(one => messageOf(one).alerts.map(({ id }) => id)), waiting)
      .toHaveLength(2);
  });

  test('an intake sends an e-mail to each recipient, with the password of its account', async () => {
    const { port, mails } = await startMailServer();
    intake.configure({
      alerts: {
        kinds: ['paid'],
        everySeconds: 1,
        language: 'de',
        email: {
          host: '127.0.0.1',
          port,
          tls: 'off',
          user: 'counterfoil',
          password: { file: 'mail.password' },
          from: 'counterfoil@example.com',
          to: ['anna@example.com', 'ben@example.com'],
        },
      },
    });
    const running = await intake.start();
    const body = signedCallbacks(password)();
    expect(await running.post(body)).toBe(200);
    await expect.poll(() => mails.length, waiting).toBe(1);
    expect(mails[0]?.to).toEqual(['anna@example.com', 'ben@example.com']);
    expect(mails[0]?.text).toMatch(/^Subject: Counterfoil: Bezahlt\r?$/m);
    expect(mails[0]?.text).toContain(new URLSearchParams(body).get('order_number') ?? '');
    expect(running.output()).not.toContain(mailPassword);
  });

  const alertByMail = (email: Record<string, unknown>): void =>
    intake.configure({
      alerts: {
        kinds: ['paid'],
        everySeconds: 1,
        email: {
          host: 'localhost',
          user: 'counterfoil',
          password: { file: 'mail.password' },
          from: 'counterfoil@example.com',
          to: ['anna@example.com', 'ben@example.com'],
          ...email,
        },
      },
    });
  /** The messages that the intake will send again. */
  const kept = (): { attempts: number }[] => {
    const text = readFileSync(join(intake.folder, 'state', 'alerts.json'), 'utf8');
    return (JSON.parse(text) as { messages: { attempts: number }[] }).messages;
  };

  test('a recipient whom the mail server refuses costs the other recipient no second e-mail', async () => {
    const { port, mails } = await startMailServer(undefined, ['anna@example.com']);
    alertByMail({ host: '127.0.0.1', port, tls: 'off' });
    const running = await intake.start();
    expect(await running.post(signedCallbacks(password)())).toBe(200);
    await expect.poll(() => kept()[0]?.attempts ?? 0, waiting).toBeGreaterThan(1);
    expect(mails.map(({ to }) => to)).toEqual([['ben@example.com']]);
  });

  describe.skipIf(!hasOpenssl)('over TLS', () => {
    const { key, cert } = hasOpenssl ? selfSigned('localhost', 2) : { key: '', cert: '' };
    afterEach(() => {
      delete process.env['NODE_EXTRA_CA_CERTS'];
    });

    test.each([
      ['starttls', {}],
      ['implicit', { secure: true }],
    ])(
      'a mail server with TLS (%s) gets password and mail once its certificate is trusted; until then neither, and the alert stays',
      async (tls, options) => {
        const { port, mails, passwords } = await startMailServer({ key, cert, ...options });
        alertByMail({ port, tls });
        const untrusting = await intake.start();
        expect(await untrusting.post(signedCallbacks(password)())).toBe(200);
        await expect
          .poll(() => untrusting.output(), waiting)
          .toMatch(/"reason":"[^"]*self-signed certificate/);
        await untrusting.end('SIGTERM');
        expect([mails, passwords, kept().length]).toEqual([[], [], 1]);
        const file = join(intake.folder, 'authority.pem');
        writeFileSync(file, cert);
        process.env['NODE_EXTRA_CA_CERTS'] = file;
        await intake.start();
        await expect.poll(() => mails.length, waiting).toBe(1);
        expect(passwords).toEqual([mailPassword]);
        await expect.poll(() => kept().length, waiting).toBe(0);
      },
    );

    test('a mail server that offers no TLS where it is required gets no password and no mail', async () => {
      const { port, mails, passwords } = await startMailServer({ disabledCommands: ['STARTTLS'] });
      alertByMail({ port });
      const running = await intake.start();
      expect(await running.post(signedCallbacks(password)())).toBe(200);
      await expect.poll(() => running.output(), waiting).toContain('"code":"ETLS"');
      expect([mails, passwords, kept().length]).toEqual([[], [], 1]);
    });
  });

  test('a web server that never answers delays no e-mail, and one that redirects or fails is asked again', async () => {
    const web = await startWebReceiver((response, count) => {
      if (count === 2) response.writeHead(302, { location: '/elsewhere' }).end();
      if (count > 2) response.writeHead(200).write('{');
    });
    closing.push(web.close);
    const { port, mails } = await startMailServer();
    intake.configure({
      alerts: {
        kinds: ['paid'],
        everySeconds: 1,
        webhook: { url: web.url, secret: { file: 'alerts.secret' } },
        email: {
          host: '127.0.0.1',
          port,
          tls: 'off',
          user: 'counterfoil',
          password: { file: 'mail.password' },
          from: 'c@example.com',
          to: ['a@example.com'],
        },
      },
    });
    const running = await intake.start();
    expect(await running.post(signedCallbacks(password)())).toBe(200);
    await expect.poll(() => web.received.length, { timeout: 90_000 }).toBe(3);
    await expect.poll(() => kept().length, waiting).toBe(0);
    expect(mails).toHaveLength(1);
    expect(running.output()).toContain('The webhook answered 302.');
    expect(new Set(web.received.map(one => messageOf(one).id)).size).toBe(1);
  }, 120_000);

  test('the check of a configuration says where alerts go', async () => {
    intake.configure({
      alerts: {
        webhook: { url: 'https://hooks.example.com/secret-path', secret: { file: 'alerts.secret' } },
      },
    });
    const { stdout } = await intake.command('check');
    expect(stdout).toContain('to hooks.example.com');
    expect(stdout).not.toContain('secret-path');
  });
});
