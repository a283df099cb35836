import { expect, test } from 'vitest';
import { newPayment, startDesk, value } from '../../../tools/app-harness/running-app.ts';

test("the sandbox's dashboard is opened in the browser, with the payments that were raised there", async () => {
  const desk = await startDesk();
  try {
    value(await desk.call('payments.create', newPayment({ orderNumber: 'DASH-1' })));
    value(await desk.call('sandbox.openDashboard', {}));
    const [address = ''] = desk.opened;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\//);
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('DASH-1');
  } finally {
    await desk.remove();
  }
});
