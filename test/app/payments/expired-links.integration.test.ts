import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { shareChannelSchema } from '../../../shared/payments/evidence.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { callback, lookUp } from '../../../tools/evidence/evidence.ts';
import { minute, moved, raised } from '../../../tools/evidence/incomplete-payments.ts';
import { startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** An expired link cannot be shared over any channel, in any state of its payment. */

const states = {
  waiting: [],
  started: [lookUp(minute, 'redirect')],
  'bank-check': [callback(minute, '3ds', 'success')],
  processing: [callback(minute, 'sale', 'waiting')],
  declined: [callback(minute, 'sale', 'fail')],
};

let app: TestApp;
beforeAll(async () => {
  const folder = newFolder('expired');
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'yesterday' });
  if (!log.ok) throw new Error(log.error.code);
  // Created three hours ago, with links that were valid for one.
  for (const [state, drafts] of Object.entries(states))
    await log.value.append(moved([...raised, ...drafts], 'sandbox', `OLD-${state}`));
  await log.value.close();
  app = await startTestApp(folder);
});
afterAll(() => app.remove());

test.each(Object.keys(states))(
  'a link that expired while its payment was "%s" cannot be shared',
  async state => {
    const orderNumber = `OLD-${state}`;
    const { payment } = await app.value('payments.read', { profileId: 'sandbox', orderNumber });
    expect(payment).toMatchObject({ state, linkUsable: true });
    for (const channel of shareChannelSchema.options)
      expect(await app.refusal('payments.shareLink', { profileId: 'sandbox', orderNumber, channel })).toBe(
        'payment.link-unusable',
      );
    expect(app.copied).toEqual([]);
    expect(app.opened).toEqual([]);
    const after = await app.value('payments.read', { profileId: 'sandbox', orderNumber });
    expect(after.events.some(({ kind }) => kind === 'link.shared')).toBe(false);
  },
);
