import { expect, test } from 'vitest';
import { newPayment, startTestApp, value } from '../../../tools/app-harness/running-app.ts';

test('the sandbox’s dashboard opens in the browser, with the payments that were created there', async () => {
  const app = await startTestApp();
  try {
    value(await app.request('payments.create', newPayment({ orderNumber: 'DASH-1' })));
    value(await app.request('sandbox.openDashboard', {}));
    const [address = ''] = app.opened;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\//);
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('DASH-1');
  } finally {
    await app.remove();
  }
});
