import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openCredentialStore } from '../../main/credentials/keychain.ts';
import { readSignedHead } from '../../main/payment-log/heads/read-signed-head.ts';
import { hasValidSignature } from '../../main/payment-log/heads/signed-head.ts';
import type { PaymentDetail } from '../../shared/contract/contract.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { inState, newPayment, startTestApp, type TestApp } from '../../tools/app-harness/running-app.ts';
import { finished, startBundle } from './child.ts';
import { testFolder } from './test-folder.ts';

/** Every step of the main job, on Windows: each step uses what the steps before it left. */

const order = 'WIN-1';
const key = { profileId: 'sandbox', orderNumber: order };

describe('the main job', () => {
  const folder = testFolder();
  let app: TestApp;
  let paid: PaymentDetail;
  before(async () => {
    app = await startTestApp(folder.app);
  });
  after(async () => {
    await app.close();
    folder.remove();
  });

  const keychain = () => {
    const { installation } = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8'));
    return openCredentialStore({ service: `Counterfoil test ${installation}` });
  };
  const orders = async (): Promise<string[]> =>
    (await app.value('payments.list', { filter: {} })).rows.map(row => row.orderNumber);

  test('a link is created against the sandbox', async () => {
    const { payment } = await app.value('payments.create', newPayment({ orderNumber: order }));
    assert.equal(payment.state, 'waiting');
    assert.match(payment.link?.url ?? '', /^http:\/\/127\.0\.0\.1:/);
  });

  test('the payer’s callback arrives, is verified, and is confirmed by a look-up', async () => {
    const { payment } = await app.value('payments.read', key);
    const body = new URLSearchParams({ scenario: 'pay' });
    assert.ok((await fetch(payment.link?.url ?? '', { method: 'POST', body })).ok);
    paid = await app.until(order, inState('paid-confirmed'));
    const verdicts = paid.events.flatMap(event =>
      event.kind === 'callback.received' ? [event.body.verification.verdict] : [],
    );
    assert.ok(verdicts.length >= 2);
    assert.ok(verdicts.every(verdict => verdict === 'verified'));
  });

  test('the status of a payment is looked up by payment id', async () => {
    const lookUp = { by: 'payment-id', value: paid.payment.paymentIds[0] ?? '' } as const;
    const { event } = await app.value('payments.lookUp', { profileId: 'sandbox', key: lookUp });
    assert.equal(event.kind, 'status.observed');
  });

  test('a payment is exported as CSV and as a workbook', async () => {
    for (const [format, start] of [
      ['csv', '\uFEFF'],
      ['xlsx', 'PK'],
    ] as const) {
      const { file, written } = await app.value('payments.export', { filter: {}, format });
      assert.equal(written, 1);
      const content = readFileSync(file ?? '', 'utf8');
      assert.ok(content.startsWith(start));
      if (format === 'csv') assert.match(content, new RegExp(`${order}.*\r\n`));
    }
  });

  test('the dossier of a payment is written, with a proof', async () => {
    const { file, proven } = await app.value('payments.dossier', key);
    assert.equal(proven, true);
    assert.ok(existsSync(file ?? ''));
  });

  test('the day’s copy and signed head are written, with a key in the Credential Manager', async () => {
    await app.daily();
    const day = new Date().toISOString().slice(0, 10);
    assert.deepEqual(readdirSync(join(app.folder, 'copies')), [`payments-${day}.db`]);
    const head = readSignedHead(JSON.parse(readFileSync(join(app.folder, 'heads', `${day}.json`), 'utf8')));
    assert.ok(head && hasValidSignature(head));
    assert.equal((await keychain().password('payment-log-signing-key')).ok, true);
    const { log } = await app.value('app.read', {});
    assert.equal(log.dailyTaskProblem, null);
    assert.equal(log.checked?.problems, 0);
  });

  test('the payment log verifies', async () => {
    assert.deepEqual((await app.value('log.verify', {})).problems, []);
  });

  test('a password is kept in the Credential Manager, and deleted with its profile', async () => {
    const profile = {
      ...profileDefaults,
      name: 'Café Zürich',
      kind: 'test' as const,
      baseUrl: 'https://pay.example.com',
      merchantKey: 'shop-key',
      successUrl: 'https://shop.test/thank-you',
      cancelUrl: 'https://shop.test/cancelled',
    };
    const password = 'pässwörd € 日本';
    const { id } = await app.value('profiles.save', { id: null, profile, password, thisRunOnly: false });
    assert.deepEqual(await keychain().password(id), { ok: true, value: password });
    await app.value('profiles.remove', { id });
    assert.equal(await keychain().state(id), 'missing');
  });

  test('a backup replaces the payment log, which is archived', async () => {
    const { file } = await app.value('log.backUp', {});
    await app.value('payments.create', newPayment({ orderNumber: 'WIN-2' }));
    app.willOpen(file);
    const { candidate } = await app.value('log.checkCopy', { name: null });
    const { archivedAs } = await app.value('log.restore', { token: candidate?.token ?? '' });
    assert.deepEqual(await orders(), [order]);
    assert.ok(existsSync(join(app.folder, archivedAs)));
    assert.deepEqual((await app.value('log.verify', {})).problems, []);
  });

  test('a second console is refused', async () => {
    const { output, errors } = await finished(startBundle('second-console-child', app.folder));
    assert.equal(output.trim(), 'log.busy', errors);
  });

  test('after a restart every payment is still there', async () => {
    await app.close();
    app = await startTestApp(folder.app);
    assert.deepEqual(await orders(), [order]);
    assert.deepEqual((await app.value('log.verify', {})).problems, []);
  });
});
