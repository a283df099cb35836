import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { certificateFacts } from '../../../main/callbacks/certificate.ts';
import type { ReceiverHealth } from '../../../shared/contract/contract.ts';
import {
  addShop,
  openReceiver,
  shopProfile,
  type TestApp,
  startTestApp,
  value,
} from '../../../tools/app-harness/running-app.ts';
import { hasOpenssl, selfSigned } from '../../../tools/server-harness/self-signed.ts';
import { listen } from '../../../tools/server-harness/test-server.ts';
import { signedBody } from '../../../tools/evidence/sign-callback.ts';

/** The receiver through the requests of the window: real HTTP and HTTPS, real log, real files. */

let app: TestApp;
/** A new shop for each test. */
let profileId: string;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  profileId = await addShop(app);
});
/** Without the shop, and with the receiver of a new console. */
afterEach(async () => {
  vi.useRealTimers();
  await app.value('profiles.remove', { id: profileId });
  const receiver = { enabled: false, host: '127.0.0.1', port: 0, tls: null, quarantine: 10_000 };
  await app.value('settings.change', { language: 'en', receiver });
  await app.value('receiver.resetQuarantine', {});
  await app.value('sandbox.faults', { faults: [] });
});
afterAll(() => app.remove());

const open = (changes?: Parameters<typeof openReceiver>[2]) => openReceiver(app, profileId, changes);
const ofShop = () => ({ filter: { profileId }, limit: 200 });
const health = async (): Promise<ReceiverHealth> => (await app.state()).receiver;

/** Each over a separate connection: a restarted listener has closed its previous ones. */
const post = (url: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = httpRequest(url, { method: 'POST', agent: false, headers }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Sends callbacks with a wrong signature for as many orders; resolves to the statuses of the answers. */
const postUnverified = (url: string, orders: string, count: number, password = 'wrong'): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => post(url, signedBody(`${orders}-${index}`, password))),
  );

/** Works while no timer runs; then the delay of a retry that was begun meanwhile is over. */
const retryingAtOnce = async (work: () => Promise<void>): Promise<void> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await work();
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
};

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'ignore' });
const mayAddress = (() => {
  try {
    ip('addr', 'add', '192.0.2.78/32', 'dev', 'lo');
    ip('addr', 'del', '192.0.2.78/32', 'dev', 'lo');
    return true;
  } catch {
    return false;
  }
})();

test('the quarantine accepts unverified callbacks up to its limit, then answers 503; it stays full over a restart at the same address, until a person resets it', async () => {
  const url = await open({ quarantine: 100 });
  const answers = await postUnverified(url, 'Q', 103);
  expect(answers.filter(status => status === 200)).toHaveLength(100);
  expect(answers.filter(status => status === 503)).toHaveLength(3);
  // A verified one is always accepted.
  expect(await post(url, signedBody('Q-real', 'correct horse'))).toBe(200);
  const full = { callbacks: 100, maxCallbacks: 100, full: true };
  expect((await health()).quarantine).toMatchObject({ ...full, refused: 3 });
  expect((await app.value('payments.list', ofShop())).rows).toHaveLength(101);

  await app.close();
  // Another program may use the port meanwhile; then the receiver waits for it.
  await retryingAtOnce(async () => {
    app = await startTestApp(app.folder);
  });
  await vi.waitFor(async () => expect((await health()).addresses).toContainEqual({ profileId, url }), 10_000);
  expect(new URL(url).port).not.toBe('0');
  expect((await health()).quarantine).toMatchObject(full);
  const made = await app.value('receiver.resetQuarantine', {});
  expect(made.receiver.quarantine).toMatchObject({ callbacks: 0, full: false, refused: 0, by: 'anna' });
  const { made: remembered } = JSON.parse(readFileSync(join(app.folder, 'quarantine.json'), 'utf8'));
  expect(remembered.at(-1)).toMatchObject({ by: 'anna', callbacks: 100 });
  expect(await post(url, signedBody('Q-after', 'wrong'))).toBe(200);
  expect((await app.value('payments.list', ofShop())).rows).toHaveLength(102);
});

test('the quarantine has room again if its callbacks verify with the corrected password', async () => {
  const url = await open({ quarantine: 100 });
  await postUnverified(url, 'S', 100, 'the real one');
  expect((await health()).quarantine.full).toBe(true);
  const profile = (await app.state()).profiles.find(({ id }) => id === profileId);
  if (!profile) throw new Error('no profile');
  const { id, password: _password, ...draft } = profile;
  await app.request('profiles.save', { id, profile: draft, password: 'the real one', thisRunOnly: true });
  expect((await health()).quarantine).toMatchObject({ callbacks: 0, full: false });
  const { payment } = await app.read('S-7', profileId);
  expect(payment.state).toBe('paid-unconfirmed');
  // The second time changes nothing: each callback leaves the count once.
  await postUnverified(url, 'S-forged', 3);
  await app.request('profiles.save', { id, profile: draft, password: 'the real one', thisRunOnly: true });
  expect((await health()).quarantine.callbacks).toBe(3);
  const { events } = await app.read('S-7', profileId);
  expect(events.filter(({ kind }) => kind === 'callback.reverified')).toHaveLength(1);
});

// Openssl, which nearly every machine has, makes the certificate.
describe.skipIf(!hasOpenssl)('the receiver with TLS', () => {
  const files = () => ({
    certificate: join(app.folder, 'shop.crt'),
    key: join(app.folder, 'shop.key'),
  });
  beforeEach(() => {
    const { key, cert } = selfSigned('shop.example.com', 30);
    writeFileSync(files().key, key);
    writeFileSync(files().certificate, cert);
  });
  const choose = async () => {
    const { certificate, key } = files();
    app.willOpen(certificate, key);
    return app.request('receiver.chooseCertificate', {});
  };

  test('the receiver with TLS answers https with the chosen certificate, and accepts a callback', async () => {
    expect(value(await choose()).certificate).toMatchObject({ name: 'shop.example.com' });
    const url = await open();
    expect(url).toMatch(/^https:/);
    const agent = new Agent({ ca: readFileSync(files().certificate), servername: 'shop.example.com' });
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        url,
        { method: 'POST', agent, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        response => void text(response).then(resolve, reject),
      );
      sent.on('error', reject);
      sent.end(signedBody('TLS-1', 'correct horse'));
    });
    agent.destroy();
    expect(answer).toBe('OK');
    expect((await health()).certificate).toMatchObject({ issuer: 'shop.example.com' });
  });

  test.each<[string, string, () => void]>([
    ['is no certificate', 'certificate', () => writeFileSync(files().certificate, 'Hello')],
    ['is no key', 'key', () => writeFileSync(files().key, 'Hello')],
    [
      'has a key with a passphrase',
      'encrypted-key',
      () => {
        const { privateKey } = generateKeyPairSync('ed25519');
        const cipher = { cipher: 'aes-256-cbc', passphrase: 'x' };
        writeFileSync(files().key, privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }));
      },
    ],
    [
      'has the key of another',
      'mismatch',
      () => {
        const { privateKey } = generateKeyPairSync('ed25519');
        writeFileSync(files().key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      },
    ],
  ])('the receiver with TLS refuses a pair that %s, and reports it', async (_says, what, spoil) => {
    spoil();
    expect(await choose()).toMatchObject({
      ok: false,
      error: { code: 'receiver.certificate', details: { what } },
    });
    expect((await app.state()).settings.receiver.tls).toBeNull();
  });

  test('the receiver with TLS accepts a certificate only from its first day to its last', () => {
    const { certificate, key } = files();
    const pems = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
    const day = 86_400_000;
    const at = (days: number) => certificateFacts(pems, Date.now() + days * day);
    expect(at(1).ok).toBe(true);
    expect(at(-1)).toMatchObject({ ok: false, error: { details: { what: 'not-yet' } } });
    expect(at(31)).toMatchObject({ ok: false, error: { details: { what: 'expired' } } });
  });

  test('the receiver with TLS stays closed and reports it if the certificate can no longer be read', async () => {
    value(await choose());
    writeFileSync(files().certificate, 'gone');
    await open();
    expect(await health()).toMatchObject({
      listening: false,
      problem: { code: 'receiver.certificate' },
    });
  });
});

test('the receiver’s address is neither closed nor counted from zero when a profile gets another name or password', async () => {
  const url = await open();
  expect(await post(url, signedBody('KEEP-1', 'any'))).toBe(200);
  await app.value('profiles.save', {
    id: profileId,
    profile: { ...shopProfile, name: 'Renamed' },
    password: 'another one',
    thisRunOnly: true,
  });
  expect((await health()).received).toBe(1);
  expect(await post(url, signedBody('KEEP-2', 'any'))).toBe(200);
  expect((await health()).received).toBe(2);
});

test('the receiver’s address with the port of another program is reported as in use, and works automatically once the port is free', async () => {
  const { port, close } = await listen(createServer());
  await retryingAtOnce(async () => {
    expect(await open({ port })).toBe('');
    expect(await health()).toMatchObject({ listening: false, problem: { code: 'receiver.port-taken' } });
    await close();
  });
  await vi.waitFor(async () => expect(await health()).toMatchObject({ listening: true }), 10_000);
  const { addresses, problem } = await health();
  const url = addresses.find(one => one.profileId === profileId)?.url ?? '';
  expect(new URL(url).port).toBe(String(port));
  expect(await post(url, signedBody('P-1', 'correct horse'))).toBe(200);
  expect(problem).toBeNull();
});

// Adding and removing a network address requires permission.
test.runIf(mayAddress)(
  'the receiver’s address of a network that appears, disappears and comes back works while the network exists',
  async () => {
    const host = '192.0.2.77';
    const address = (what: 'add' | 'del') => ip('addr', what, `${host}/32`, 'dev', 'lo');
    try {
      await retryingAtOnce(async () => {
        expect(await open({ host })).toBe('');
        expect(await health()).toMatchObject({ listening: false, problem: { code: 'receiver.failed' } });
        address('add');
      });
      await vi.waitFor(async () => expect(await health()).toMatchObject({ listening: true }), 10_000);
      const url = (await health()).addresses.find(one => one.profileId === profileId)?.url ?? '';
      expect(await post(url, signedBody('N-1', 'correct horse'))).toBe(200);
      address('del');
      await expect(post(url, signedBody('N-2', 'correct horse'))).rejects.toThrow();
      address('add');
      expect(await post(url, signedBody('N-3', 'correct horse'))).toBe(200);
    } finally {
      try {
        address('del');
      } catch {
        // Already removed.
      }
    }
  },
);

test('callbacks that arrive after the clock was set back are stored in order, and the payment becomes paid', async () => {
  const url = await open();
  const hour = 3_600_000;
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  expect(await post(url, signedBody('C-1', 'correct horse', { type: 'redirect' }))).toBe(200);
  vi.setSystemTime(now - 2 * hour);
  expect(await post(url, signedBody('C-1', 'correct horse'))).toBe(200);
  expect(await post(url, signedBody('C-2', 'wrong'))).toBe(200);
  const { events } = await app.value('callbacks.recent', { limit: 10 });
  const recent = events.filter(event => event.profileId === profileId);
  expect(recent.map(({ orderNumber }) => orderNumber)).toEqual(['C-2', 'C-1', 'C-1']);
  const recorded = recent.map(({ recordedAt }) => recordedAt);
  expect(recorded).toEqual(recorded.toSorted((one, other) => other - one));
  const { payment } = await app.read('C-1', profileId);
  expect(payment).toMatchObject({ state: 'paid-unconfirmed', events: 2 });
  expect((await health()).quarantine.callbacks).toBe(1);
  expect((await app.value('log.verify', {})).problems).toEqual([]);
});

test('a test callback passes every step: sent, verified, on disk, answered 200; a wrong signature is reported', async () => {
  const tested = await app.value('receiver.test', {});
  expect(tested).toMatchObject({ httpStatus: 200, stored: true, verified: true });
  const { payment } = await app.read(tested.orderNumber);
  expect(payment).toMatchObject({ raisedHere: false, amount: '1.00' });
  await app.value('sandbox.faults', { faults: ['callback-wrong-signature'] });
  expect(await app.value('receiver.test', {})).toMatchObject({ stored: true, verified: false });
});

test('the receiver stores a callback under the profile whose address is shown, counts it, and counts none of the sandbox', async () => {
  expect(await health()).toMatchObject({ listening: false, received: 0, lastAt: null });
  await app.value('receiver.test', {});
  expect(await health()).toMatchObject({ listening: false, received: 0, lastAt: null });
  const url = await open();
  expect(await post(url, signedBody('COUNT-1', 'correct horse'))).toBe(200);
  const { events } = await app.value('callbacks.recent', { limit: 1 });
  expect(events).toMatchObject([{ profileId, orderNumber: 'COUNT-1' }]);
  expect(await health()).toMatchObject({ listening: true, received: 1, unverified: 0 });
});
