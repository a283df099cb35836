import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { SandboxFault } from '../../../shared/contract/contract.ts';
import { requested, unanswered } from '../../../tools/evidence/evidence.ts';
import {
  button,
  ipcRequest,
  fillNewPayment,
  raiseLink,
  waitForState,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';

/** A gateway that does not answer: the wait can be cancelled, and no unknown outcome is reported. */

const old = { orderNumber: 'OLD-1' };

onEachDriver('while the gateway does not answer', name => {
  const { page } = useConsole({
    driver: name,
    prepare: withEvents([requested(0, {}, old), { ...unanswered(), ...old }]),
  });
  const fault = (...faults: SandboxFault[]) => ipcRequest(page, 'sandbox.faults', { faults });

  test('a link whose creation was cancelled has an unknown outcome, and is found by a look-up', async () => {
    await fault('delay');
    await fillNewPayment(page, { amount: '50', description: 'Slow', orderNumber: 'SLOW-1' });
    await page.keyboard.press('Control+Enter');
    await button(page, 'new.sending').waitFor();
    await page.getByText(word('waiting-for.link')).waitFor();
    await button(page, 'waiting-for.stop').press('Enter');
    await waitForState(page, 'outcome-unknown');
    await page.getByText(word('do-not.outcome-unknown')).waitFor();
    // Never two links for one form: no other link is offered before a look-up.
    await button(page, 'look-up.now').waitFor();
    await expect.poll(() => button(page, 'link.new').count()).toBe(0);

    await fault();
    await button(page, 'look-up.now').press('Enter');
    await waitForState(page, 'waiting');
    // Its page is prepared, and no one has its link.
    await page.getByText(word('say.link-lost')).first().waitFor();
  });

  test('a cancelled look-up of a payment changes nothing, and moves nothing on its page', async () => {
    await raiseLink(page, { amount: '60', description: 'Seen', orderNumber: 'SEEN-1' });
    const read = () => inPage(page).read('SEEN-1');
    const before = await read();
    const verdict = page.locator('.verdict');
    const place = await verdict.boundingBox();
    await fault('delay');
    await button(page, 'look-up.now').press('Enter');
    await button(page, 'waiting-for.stop').waitFor();
    expect(await verdict.boundingBox()).toMatchObject({ y: place?.y });
    await button(page, 'waiting-for.stop').press('Enter');
    await page.getByText(word('waiting-for.look-up.stopped')).waitFor();
    expect(await verdict.boundingBox()).toMatchObject({ y: place?.y });
    expect((await read()).payment.flags).toEqual(before.payment.flags);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await fault();
    await button(page, 'look-up.now').press('Enter');
    const kinds = async () => (await read()).events.map(({ kind }) => kind);
    await expect.poll(kinds).toContain('status.observed');
  });
});
