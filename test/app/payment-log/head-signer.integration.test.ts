import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHeadSigner } from '../../../main/app/payment-log/head-signer.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { openCredentialStore } from '../../../main/credentials/keychain.ts';
import { keyName } from '../../../main/payment-log/heads/signed-head.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { value } from '../../../tools/app-harness/running-app.ts';

/** The key that signs the payment log's head: real keychain. */

const folder = newFolder('signer');

test('heads that are signed at the same time at the first start have one key, and it stays', async () => {
  const credentials = openCredentialStore({ service: `Counterfoil test ${crypto.randomUUID()}` });
  const signer = () => createHeadSigner(credentials, join(folder, 'payments.db'), Date.now);
  const first = signer();
  const together = await Promise.all([1, 2, 3].map(() => first.signEnds([])));
  const later = await signer().signEnds([]);
  const keys = [...together, later].map(head => keyName(value(head)));
  expect(new Set(keys)).toEqual(new Set([keyName(value(later))]));
});

test('the head in the keychain is away while the log is replaced, and back if it was not', async () => {
  const credentials = openCredentialStore({ service: `Counterfoil test ${crypto.randomUUID()}` });
  const signer = createHeadSigner(credentials, join(folder, 'payments.db'), Date.now);
  const head = JSON.stringify(
    value(await signer.signEnds([{ writer: 'here', seq: 1, hash: '0'.repeat(64) }])),
  );
  await credentials.set('payment-log-last-head', head, 'keychain');
  const stored = (): Promise<unknown> =>
    signer.readStored().then(found => found?.head?.chains.length ?? null);
  expect(await stored()).toBe(1);
  const refused = fail('log.full', msg('payment-log.full'));
  expect(
    await signer.whileReplaced(async () => {
      expect(await stored()).toBeNull();
      return refused;
    }),
  ).toEqual(refused);
  expect(await stored()).toBe(1);
  expect(await signer.whileReplaced(async () => ok(undefined))).toEqual(ok(undefined));
  expect(await stored()).toBeNull();
});
