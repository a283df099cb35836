import { expect, test } from 'vitest';
import { shareChannelSchema } from '../../../shared/payments/evidence.ts';
import { accepted, callback, lookUp, requested } from '../../../tools/evidence/evidence.ts';
import { minute, moved, raised } from '../../../tools/evidence/incomplete-payments.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';

/** An expired link cannot be shared over any channel, in any state of its payment. */

const states = {
  waiting: [],
  started: [lookUp(minute, 'redirect')],
  'bank-check': [callback(minute, '3ds', 'success')],
  processing: [callback(minute, 'sale', 'waiting')],
  declined: [callback(minute, 'sale', 'fail')],
};

const app = useApp({
  evidence: [
    // Created three hours ago, with links that were valid for one.
    ...Object.entries(states).flatMap(([state, drafts]) =>
      moved([...raised, ...drafts], 'sandbox', `OLD-${state}`),
    ),
    requested(0),
    accepted(1),
    ...Array.from({ length: 600 }, (_, at) =>
      callback(
        1_000 + at,
        'sale',
        'fail',
        { reason: `no ${at}` },
        { verdict: 'no-hash', uppercasing: null, digest: 'md5' },
      ),
    ),
  ],
});

test.each(Object.keys(states))(
  'a link that expired while its payment was "%s" cannot be shared',
  async state => {
    const orderNumber = `OLD-${state}`;
    const { payment } = await app.read(orderNumber);
    expect(payment).toMatchObject({ state, linkUsable: true });
    for (const channel of shareChannelSchema.options)
      expect(await app.refusal('payments.shareLink', { profileId: 'sandbox', orderNumber, channel })).toBe(
        'payment.link-unusable',
      );
    expect(app.copied).toEqual([]);
    expect(app.opened).toEqual([]);
    const after = await app.read(orderNumber);
    expect(after.events.some(({ kind }) => kind === 'link.shared')).toBe(false);
  },
);

test('an order with 600 unverified callbacks is returned in pages, each limited in events and length', async () => {
  const seen = new Set<string>();
  for (let before: string | null = null, pages = 1; ; pages += 1) {
    const page: PaymentDetail = await app.value('payments.read', {
      profileId: 'sandbox',
      orderNumber: 'CF-1001',
      before,
    });
    expect(page.events.length).toBeLessThanOrEqual(250);
    expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
    for (const { id } of page.events) seen.add(id);
    before = page.earlier;
    if (before === null) break;
    expect(pages).toBeLessThan(100);
  }
  expect(seen.size).toBe(602);
});
