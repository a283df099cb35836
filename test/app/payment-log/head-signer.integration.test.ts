import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createHeadSigner } from '../../../main/app/payment-log/head-signer.ts';
import { openCredentialStore } from '../../../main/credentials/keychain.ts';
import { keyName } from '../../../main/payment-log/heads/signed-head.ts';
import { value } from '../../../tools/app-harness/running-app.ts';

/** The key that signs the payment log's head: real keychain. */

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-signer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('heads that are signed at the same time at the first start have one key, and it stays', async () => {
  const credentials = openCredentialStore({ service: `Counterfoil test ${crypto.randomUUID()}` });
  const signer = () => createHeadSigner(credentials, join(folder, 'payments.db'), Date.now);
  const first = signer();
  const together = await Promise.all([1, 2, 3].map(() => first.signEnds([])));
  const later = await signer().signEnds([]);
  const keys = [...together, later].map(head => keyName(value(head)));
  expect(new Set(keys)).toEqual(new Set([keyName(value(later))]));
});
