import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCallbackListeners } from '../../../main/app/callbacks/callback-listeners.ts';
import { startReceiver } from '../../../main/callbacks/start-receiver.ts';
import {
  batchSize,
  openQuarantine,
  reverifyCallbacks,
  storeDelivery,
} from '../../../main/callbacks/store/store-callback.ts';
import { logFailure } from '../../../main/payment-log/log-failures.ts';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { ok } from '../../../shared/errors.ts';
import { profileDefaults, type Profile } from '../../../shared/settings/profile.ts';
import { signedCallbacks } from '../../../scripts/load/callbacks.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';

const shop = (id: string): Profile => ({
  ...profileDefaults,
  id,
  name: id,
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: `key of ${id}`,
});

test('a profile that is saved while the listener opens gets its path with the next change, also on a port that was free', async () => {
  const folder = newFolder('listeners');
  const settings = openSettings(join(folder, 'settings.json'), 'anna');
  const save = (profiles: Profile[], enabled = true): void => {
    settings.change(stored => ({
      ...stored,
      profiles,
      settings: { ...stored.settings, receiver: { ...stored.settings.receiver, enabled, port: 0 } },
    }));
  };
  save([shop('one')]);
  let opened = 0;
  const listeners = createCallbackListeners(
    {
      settings,
      clock: Date.now,
      startReceiver: async options => {
        const started = await startReceiver(options);
        opened += 1;
        if (opened === 1) settings.change(stored => ({ ...stored, profiles: [shop('one'), shop('two')] }));
        return started;
      },
    },
    async () => ok({ verified: true }),
    openQuarantine(
      join(folder, 'quarantine.json'),
      () => 10,
      Date.now,
      () => undefined,
    ),
    () => undefined,
  );
  await listeners.follow();
  await listeners.follow();
  const address = listeners.health().addresses.find(({ profileId }) => profileId === 'two');
  const answer = await fetch(address?.url ?? '', { method: 'POST', body: 'id=1&order_number=1' });
  expect(answer.status).toBe(200);
  await listeners.follow();
  expect(opened).toBe(2);
  await listeners.close();
  await settings.flush();
});

test('the quarantine has room for what was verified again before a batch could not be written, and the failure is returned', async () => {
  const folder = newFolder('reverify');
  const quarantine = openQuarantine(
    join(folder, 'quarantine.json'),
    () => 1_000,
    Date.now,
    () => undefined,
  );
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'desk-1' });
  if (!opened.ok) throw new Error('The log cannot be opened.');
  const journal = opened.value;
  const next = signedCallbacks('secret');
  const verification = { verdict: 'no-password', uppercasing: null, digest: 'md5' } as const;
  await Promise.all(
    Array.from({ length: batchSize + 1 }, () =>
      storeDelivery(
        {
          profileId: 'shop',
          fields: [...new URLSearchParams(next())],
          form: 'urlencoded',
          arrivedAt: Date.now(),
          sender: '192.0.2.1',
        },
        { verification, refundAmount: undefined },
        { log: journal, quarantine },
      ),
    ),
  );
  expect(quarantine.state().callbacks).toBe(batchSize + 1);
  let batches = 0;
  const log: typeof journal = {
    ...journal,
    append: async drafts => {
      batches += 1;
      return batches === 2 ? logFailure('log.full') : journal.append(drafts);
    },
  };
  const candidate = { profileId: 'shop', password: 'secret', digest: 'md5' } as const;
  const first = await reverifyCallbacks(candidate, { log, quarantine }, Date.now());
  expect(first).toMatchObject({ ok: false, error: { code: 'log.full' } });
  expect(quarantine.state().callbacks).toBe(1);
  expect(await reverifyCallbacks(candidate, { log, quarantine }, Date.now())).toEqual(ok(undefined));
  expect(quarantine.state().callbacks).toBe(0);
  quarantine.close();
  await journal.close();
});
