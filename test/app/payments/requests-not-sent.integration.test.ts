import { beforeAll, expect, test } from 'vitest';
import { filterOf } from '../../../renderer/stores/payments/filters.ts';
import type { View } from '../../../renderer/routes.ts';
import { raisedOf } from '../../../shared/payments/outcomes.ts';
import { profileDefaults } from '../../../shared/settings/profile.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** A request that was never sent has no link and is not an unpaid payment. */

const app = useApp();
let profileId: string;
beforeAll(async () => {
  const profile = {
    ...profileDefaults,
    successUrl: 'https://shop.test/thank-you',
    cancelUrl: 'https://shop.test/cancelled',
    name: 'Unreachable',
    kind: 'test' as const,
    // Port 1 of this PC has no listener.
    baseUrl: 'https://127.0.0.1:1',
    merchantKey: 'key',
  };
  profileId = (
    await app.value('profiles.save', { id: null, profile, password: 'correct horse', thisRunOnly: true })
  ).id;
});

test('a request that was not sent is in no count of the day’s links, of unpaid payments, of a customer’s links, and of the overview', async () => {
  const customer = { name: 'Ada Lovelace', email: 'ada@example.test', phone: '' };
  const form = newPayment({ profileId, customer });
  expect(await app.refusal('payments.create', form)).toBe('gateway.unreachable');
  const { orderNumber } = form;
  const { payment, events } = await app.value('payments.read', { profileId, orderNumber });
  expect(payment.state).toBe('refused');
  expect(events.at(-1)).toMatchObject({ kind: 'session.refused', body: { sent: false } });

  const now = Date.now();
  const listed = async (view: View) => {
    const filter = filterOf({ view, words: '' }, profileId, now);
    const counted = await app.value('payments.count', { filter });
    const { rows } = await app.value('payments.list', { filter, limit: 20 });
    expect(counted.count).toBe(rows.length);
    return rows.map(row => row.orderNumber);
  };
  expect(await listed('unpaid-today')).toEqual([]);
  expect(await listed('open')).toEqual([]);
  expect(await listed('today')).toEqual([]);
  // The request itself is still listed, but no sum of links contains it.
  expect(await listed('all')).toEqual([orderNumber]);
  const filter = filterOf({ view: 'all', words: '' }, profileId, now);
  const totals = await app.value('payments.totals', { filter });
  expect(totals).toMatchObject({ count: 1, sums: [{ amount: '0.00' }] });
  expect((await app.value('payments.knownCustomer', { profileId, ...customer })).customer).toBeNull();

  const hour = 3_600_000;
  const { currencies } = await app.value('payments.overview', {
    profileId,
    from: now - hour,
    until: now + hour,
    timeZone: 'UTC',
  });
  expect(currencies.map(({ figures }) => [raisedOf(figures.outcomes), figures.refused])).toEqual([[0, 1]]);
  expect(currencies[0]?.figures.raisedAmount).toBe('0.00');
});
