import { afterAll, beforeAll, expect, test } from 'vitest';
import { filterOf } from '../../../renderer/stores/payments/filters.ts';
import type { View } from '../../../renderer/routes.ts';
import { raisedOf } from '../../../shared/payments/outcomes.ts';
import { profileDefaults } from '../../../shared/settings/profile.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** A request that was never sent has no link and is not an unpaid payment. */

let app: TestApp;
let profileId: string;
beforeAll(async () => {
  app = await startTestApp();
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
  profileId = value(
    await app.request('profiles.save', { id: null, profile, password: 'correct horse', thisRunOnly: true }),
  ).id;
});
afterAll(() => app.remove());

test('it is in no list and no count of unpaid payments, and in no outcome of the overview', async () => {
  const form = newPayment({ profileId });
  expect(await app.request('payments.create', form)).toMatchObject({
    ok: false,
    error: { code: 'gateway.unreachable' },
  });
  const { orderNumber } = form;
  const { payment, events } = value(await app.request('payments.read', { profileId, orderNumber }));
  expect(payment.state).toBe('refused');
  expect(events.at(-1)).toMatchObject({ kind: 'session.refused', body: { sent: false } });

  const now = Date.now();
  const listed = async (view: View) => {
    const filter = filterOf({ view, words: '' }, profileId, now);
    const counted = value(await app.request('payments.count', { filter }));
    const { rows } = value(await app.request('payments.list', { filter, limit: 20 }));
    expect(counted.count).toBe(rows.length);
    return rows.map(row => row.orderNumber);
  };
  expect(await listed('unpaid-today')).toEqual([]);
  expect(await listed('open')).toEqual([]);
  // It is still in the list of all requests of the day.
  expect(await listed('today')).toEqual([orderNumber]);

  const hour = 3_600_000;
  const { currencies } = value(
    await app.request('payments.overview', {
      profileId,
      from: now - hour,
      until: now + hour,
      timeZone: 'UTC',
    }),
  );
  expect(currencies.map(({ figures }) => [raisedOf(figures.outcomes), figures.refused])).toEqual([[0, 1]]);
  expect(currencies[0]?.figures.raisedAmount).toBe('0.00');
});
