import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/open-payment-log.ts';
import { reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { button, ipcRequest, goTo, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { openPayer, type Payer } from '../../../tools/browser-harness/payer.ts';

/** The queue from a supervisor's view, on a log that contains every cause once. */

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('reconciliation', () => {
    let app: StartedApp;
    let page: Page;
    let payer: Payer;
    const exported = mkdtempSync(join(tmpdir(), 'counterfoil-queue-'));
    const row = (orderNumber: string) => page.getByRole('row', { name: orderNumber, exact: true });
    const open = async (): Promise<void> => {
      await goTo(page, 'nav.reconciliation');
      await page.getByRole('heading', { level: 1, name: word('nav.reconciliation') }).waitFor();
    };

    beforeAll(async () => {
      payer = await openPayer();
      app = await startApp({
        driver: name,
        prepare: async userData => {
          const log = await openPaymentLog({ file: join(userData, 'payments.db'), writer: 'yesterday' });
          if (!log.ok) throw new Error(log.error.code);
          for (const cause of reconciliationCauses)
            await log.value.append(moved(attemptHistories[cause], 'sandbox', `R-${cause}`));
          await log.value.close();
        },
      });
      ({ page } = app);
    });
    afterAll(async () => {
      await app?.close();
      await payer?.close();
      rmSync(exported, { recursive: true, force: true });
    });

    test('the rail counts the payments that need review, and the queue is grouped by cause, gravest first', async () => {
      const entry = page.getByRole('navigation').getByRole('link', { name: word('nav.reconciliation') });
      // Expired links and refunds are informational and need no action.
      await entry.getByText(String(reconciliationCauses.length - 2), { exact: true }).waitFor();
      await open();
      await row('R-refund-seen').waitFor();
      const groups = await page.locator('#place').getByRole('heading', { level: 2 }).allInnerTexts();
      expect(groups).toEqual(reconciliationCauses.map(cause => word(`cause.${cause}`)));
      for (const cause of reconciliationCauses)
        await row(`R-${cause}`)
          .getByText(word(`cause.${cause}.text`))
          .waitFor();
      // States and fields have their names on the screens, not the stored codes.
      expect(await page.locator('#place').innerText()).not.toMatch(
        /paid-(?:un)?confirmed|\bours\b|\btheirs\b|≠/,
      );
    });

    test('the amount and its time leave room for the next step', async () => {
      await open();
      await row('R-refund-seen').waitFor();
      const gaps = await page.evaluate(() =>
        [...document.querySelectorAll('.queue-row')].map(one => {
          // The text itself: the box of an element ends before text that overflows it.
          const text = document.createRange();
          // The seeded evidence is of today; older evidence is shown with its day.
          for (const time of one.querySelectorAll('.queue-amount .tiny > *'))
            time.textContent = 'since Nov 17, 08:30 PM';
          const edges = [...one.querySelectorAll('.queue-amount *')].map(element => {
            text.selectNodeContents(element);
            return text.getBoundingClientRect().right;
          });
          return (one.querySelector('.queue-why')?.getBoundingClientRect().left ?? 0) - Math.max(...edges);
        }),
      );
      expect(gaps.length).toBeGreaterThan(0);
      expect(Math.min(...gaps)).toBeGreaterThan(8);
    });

    test('the page, the overview and the handover note show the same number as the rail', async () => {
      const count = reconciliationCauses.length - 2;
      const description = `${count} payments to review`;
      await open();
      await page.getByRole('status').getByText(description, { exact: true }).waitFor();
      await goTo(page, 'nav.overview');
      await page
        .getByRole('region', { name: word('overview.attention') })
        .getByText(description, { exact: true })
        .waitFor();
      await button(page, 'nav.handover-note').click();
      await page.getByTestId('handover-note').getByText(`To review (${count})`, { exact: true }).waitFor();
    });

    test('no rule of WCAG 2.2 AA is violated', async () => {
      await open();
      expect(await violationsOn(page)).toEqual([]);
    });

    test('with the keyboard only: to a row, into the payment, back, and to the row’s button', async () => {
      const list = page.getByRole('grid', { name: word('cause.outcome-unknown') });
      const focused = page.locator(':focus');
      const enterList = async (): Promise<void> => {
        await list.focus();
        // The list moves the focus to its first row.
        await list.getByRole('row').and(focused).waitFor();
      };
      await enterList();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'R-outcome-unknown' }).waitFor();
      await page.keyboard.press('Escape');
      await enterList();
      await page.keyboard.press('ArrowRight');
      await list
        .getByRole('button', { name: word('look-up.now') })
        .and(focused)
        .waitFor();
    });

    test('the queue can be limited to one cause, or show all, with one click', async () => {
      await open();
      const chip = page.getByRole('radio', { name: word('cause.chargeback') });
      await chip.click();
      await row('R-settled-twice').waitFor({ state: 'detached' });
      await row('R-chargeback').waitFor();
      await chip.click();
      await row('R-settled-twice').waitFor();
    });

    test('the answer of a look-up from the row is stored, and the row shows the result', async () => {
      await ipcRequest(page, 'sandbox.faults', { faults: ['callback-wrong-signature'] });
      const { link, orderNumber } = await raiseLink(page, { amount: '21', description: 'Unseen' });
      await payer.go(link, 'pay');
      await ipcRequest(page, 'sandbox.faults', { faults: [] });
      await open();
      await row(orderNumber).getByText(word('cause.unverified-callback.text')).waitFor();
      await row(orderNumber)
        .getByRole('button', { name: word('look-up.now') })
        .click();
      await row(orderNumber).getByText(word('state.paid-unconfirmed')).waitFor();
      await row(orderNumber).getByText(word('reconciliation.no-action')).waitFor();
      const read = await ipcRequest(page, 'payments.read', { profileId: 'sandbox', orderNumber });
      expect(read.ok && read.value.events.some(event => event.kind === 'status.observed')).toBe(true);
      // The next read of the queue leaves it out.
      await button(page, 'reconciliation.changed').click();
      await row(orderNumber).waitFor({ state: 'detached' });
    });

    test('a look-up that the gateway refuses is reported beside its payment', async () => {
      await open();
      const refused = row('R-paid-without-look-up');
      await refused.getByRole('button', { name: word('look-up.now') }).click();
      await refused.getByRole('alert').getByText(word('error.gateway.signature-refused')).waitFor();
      await refused.getByText(word('cause.paid-without-look-up.text')).waitFor();
    });

    test('a new link requires a confirmation, and can then be shared', async () => {
      await open();
      await row('R-expired-without-outcome')
        .getByRole('button', { name: word('reconciliation.new-link') })
        .click();
      const question = page.getByRole('alertdialog', { name: word('new-link.expired') });
      await question.locator(':focus').waitFor();
      await question.getByRole('button', { name: word('duplicate.create') }).click();
      await page.getByRole('heading', { level: 1, name: 'R-expired-without-outcome' }).waitFor();
      await page.getByTestId('payment-link').waitFor();
    });

    test('the queue is exported as CSV', async () => {
      await open();
      const file = join(exported, 'queue.csv');
      await app.app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      }, file);
      await button(page, 'reconciliation.export').click();
      await page.getByText(/\d+ payments exported/).waitFor();
      const text = readFileSync(file, 'utf8');
      expect(text).toContain('R-chargeback');
      expect(text).toContain('hand-to-finance');
      expect(text).not.toContain('http');
    });
  });
});
