import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { button, goTo, word } from '../../../tools/browser-harness/console.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** A long file of callbacks, from an integrator's view. */

const callback = (at: number): string =>
  `id=6f1d2c3b-0000-4000-8000-${String(at).padStart(12, '0')}&order_number=FILE-${at}&order_amount=10.00&order_currency=EUR&order_description=Two+nights&type=sale&status=success&hash=${'0'.repeat(40)}`;

onEachDriver('a long file of callbacks', name => {
  const app = useConsole({ driver: name });
  const { page } = app;

  test('a long file of callbacks is opened, filtered, stored and closed', async () => {
    const file = join(app.userData, 'march.log');
    writeFileSync(file, Array.from({ length: 3_000 }, (_, at) => callback(at)).join('\n'));
    await willChoose(app.app, file);
    await goTo(page, 'nav.callbacks');
    await button(page, 'callbacks.open-file').click();
    const panel = page.getByRole('region', { name: word('file.name') });
    await panel.getByRole('heading', { name: '3,000 callbacks in march.log' }).waitFor();
    const list = page.getByRole('region', { name: word('file.list') });
    await list.getByRole('button', { name: word('callbacks.next') }).click();
    await list.getByText('26–50 of 3,000').waitFor();
    await list.getByRole('row', { name: 'sale success FILE-30', exact: true }).click();
    const one = page.getByRole('region', { name: 'Callback 31 in the file' });
    await one.getByRole('heading', { name: 'Callback 31 in the file' }).waitFor();
    await expect.poll(() => one.getByText('FILE-30').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Save all 3,000 to payment history' }).click();
    await panel.getByText('3,000 callbacks saved.').waitFor();
    await button(page, 'file.close').click();
    await panel.waitFor({ state: 'detached' });
    await goTo(page, 'nav.payments');
    await page.getByText('FILE-2999').first().waitFor();
  });

  test('a file of callbacks of any length can be dropped on the window, and a short one is shown in the text field', async () => {
    const drop = async (file: string): Promise<void> => {
      const at = await page.getByRole('textbox', { name: word('callbacks.paste') }).boundingBox();
      const session = await page.context().newCDPSession(page);
      const data = { items: [], files: [file], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', {
          type,
          x: (at?.x ?? 0) + 20,
          y: (at?.y ?? 0) + 20,
          data,
        });
      await session.detach();
    };
    const long = join(app.userData, 'april.log');
    writeFileSync(long, Array.from({ length: 30_000 }, (_, at) => callback(at)).join('\n'));
    await goTo(page, 'nav.callbacks');
    await drop(long);
    const panel = page.getByRole('region', { name: word('file.name') });
    await panel.getByRole('heading', { name: '30,000 callbacks in april.log' }).waitFor();
    const short = join(app.userData, 'one.log');
    writeFileSync(short, callback(7));
    await drop(short);
    await panel.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: word('callbacks.meaning') })
      .getByText('FILE-7')
      .first()
      .waitFor();
  });
});
