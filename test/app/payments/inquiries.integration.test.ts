import { expect, test } from 'vitest';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Look-ups of an unknown order number, in the real application with the sandbox as the gateway. */

const app = useApp();

const ask = (by: 'order-number' | 'payment-id', value: string) =>
  app.request('payments.lookUp', { profileId: 'sandbox', key: { by, value } });

test(
  'a look-up of an unknown number creates no payment, and is shown among the inquiries at once',
  { timeout: 10_000 },
  async () => {
    const unknownId = crypto.randomUUID();
    expect(await ask('order-number', 'com')).toMatchObject({ ok: false });
    expect(await ask('payment-id', unknownId)).toMatchObject({ ok: false });
    const counted = await app.request('payments.count', { filter: {} });
    expect(counted).toMatchObject({ ok: true, value: { count: 0 } });
    const queue = await app.request('payments.reconcile', { profileId: 'sandbox' });
    expect(queue).toMatchObject({ ok: true, value: { rows: [], counts: [] } });
    const read = await app.request('payments.read', { profileId: 'sandbox', orderNumber: 'com' });
    expect(read).toMatchObject({ ok: false, error: { code: 'payment.missing' } });
    const listed = await app.request('lookUps.inquiries', { profileId: 'sandbox' });
    expect(listed).toMatchObject({
      ok: true,
      value: {
        inquiries: [
          { asked: { by: 'payment-id', value: unknownId }, problem: { code: 'gateway.sandbox-forgot' } },
          { asked: { by: 'order-number', value: 'com' } },
        ],
      },
    });
  },
);
