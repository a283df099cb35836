import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import {
  button,
  ipcRequest,
  raiseLink,
  results,
  word,
  box,
  shows,
} from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';

/** Agents, PINs and the lock screen, with the keyboard only. */

onEachDriver('the signed-in agent', name => {
  const { page } = useConsole({ driver: name }, async () => {
    await ipcRequest(page, 'agents.save', {
      id: null,
      name: 'Grace Hopper',
      pin: '2468',
    });
    await ipcRequest(page, 'agents.save', { id: null, name: 'Ada', role: 'administrator' });
  });
  const corner = () => page.getByRole('button', { name: /^Signed in:/ });
  const choose = async (person: string): Promise<void> => {
    await corner().click();
    await page.getByRole('menuitem', { name: person }).click();
  };
  const isSignedIn = (person: string) => page.getByRole('button', { name: `Signed in: ${person}` }).waitFor();
  const enterPin = async (pin: string): Promise<void> => {
    await page.getByLabel('PIN of Grace Hopper').last().waitFor();
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
  };

  test('the signed-in agent is selected in the agent menu, with a PIN if there is one', async () => {
    await corner().focus();
    await page.keyboard.press('Enter');
    const entry = page.getByRole('menuitem', { name: /Grace Hopper/ });
    await entry.waitFor();
    await entry.focus();
    await page.keyboard.press('Enter');
    await enterPin('1111');
    await page.getByText(word('error.agent.wrong-pin')).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
    await isSignedIn('Grace Hopper');
  });

  test('while Counterfoil is locked, the window contains no customer data, and requires the PIN', async () => {
    const { orderNumber } = await raiseLink(page, {
      amount: '12',
      description: 'A secret errand',
      name: 'Anna Secret',
      email: 'anna@secret.example',
    });
    await page.getByRole('heading', { level: 1, name: orderNumber }).waitFor();
    await page.keyboard.press('Control+Shift+L');
    const pin = page.getByLabel('PIN of Grace Hopper').last();
    await pin.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const left = await page.evaluate(() => ({
      title: document.title,
      hash: location.hash,
      // Elements of the previous page, hidden or not.
      shell: document.querySelectorAll('.shell').length,
      text: document.documentElement.outerHTML,
      earlier: history.length,
    }));
    expect(left).toMatchObject({ title: 'Counterfoil', hash: '', shell: 0, earlier: 1 });
    for (const secret of [orderNumber, 'errand', 'Anna', 'secret.example'])
      expect(left.text).not.toContain(secret);
    await page.keyboard.press('Escape');
    await expect.poll(() => pin.isVisible()).toBe(true);
    for (const name of ['payments.list', 'app.read'] as const)
      expect(await ipcRequest(page, name, { filter: {} })).toMatchObject({
        error: { code: 'app.locked' },
      });
  });

  test('after the same agent unlocks Counterfoil, the window shows the previous screen', async () => {
    await page.getByLabel('PIN of Grace Hopper').last().focus();
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
    await page.getByText('A secret errand').first().waitFor();
    expect(page.url()).toContain('#/payment/sandbox/');
  });

  test('without a PIN any key unlocks Counterfoil, and the lock screen says so', async () => {
    await choose('Ada');
    await isSignedIn('Ada');
    await page.keyboard.press('Control+Shift+L');
    await page.getByRole('main', { name: word('lock-screen.name') }).waitFor();
    await page.getByText(/Ada.*: no PIN set/).waitFor();
    await page.keyboard.press('Enter');
    await corner().waitFor();
    await page.keyboard.press('Control+Shift+L');
    await page.getByRole('main', { name: word('lock-screen.name') }).waitFor();
    await page.keyboard.press('Escape');
    await corner().waitFor();
  });

  test('choosing a name at the lock screen moves no name, and a double click leaves the focus in the PIN', async () => {
    await page.keyboard.press('Control+Shift+L');
    const names = page.locator('.lock-agents').getByRole('button');
    await names.first().waitFor();
    const places = () => names.evaluateAll(all => all.map(one => one.getBoundingClientRect().top));
    const before = await places();
    await names.filter({ hasText: 'Grace Hopper' }).dblclick();
    await page.getByLabel('PIN of Grace Hopper').last().and(page.locator(':focus')).waitFor();
    await expect.poll(places).toEqual(before);
    await names.filter({ hasText: 'Ada' }).click();
    await corner().waitFor();
  });

  test('what the role of an agent does not include says why, by keyboard too, and does nothing', async () => {
    await choose('Grace Hopper');
    await enterPin('2468');
    await isSignedIn('Grace Hopper');
    await show(page, '#/payments/all');
    const refused = page.getByRole('button', { name: word('export.open') });
    await refused.focus();
    await shows(page.getByRole('tooltip'), /does not include this. Ask .* or Ada/);
    await expect.poll(() => refused.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    // The search offers the pages of settings that the role can use, and no other.
    const found = (key: MessageKey) => results(page).getByRole('option', { name: word(key) });
    await page.keyboard.press('Control+k');
    await page.keyboard.type(word('settings.appearance'));
    await found('settings.appearance').first().waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(word('receiver.switch'));
    await found('settings.appearance').first().waitFor({ state: 'detached' });
    await expect.poll(() => found('receiver.switch').count()).toBe(0);
    await page.keyboard.press('Escape');
    await show(page, '#/settings/receiver');
    await page.getByText(/You can read this page but not change it/).waitFor();
    await expect
      .poll(() => page.getByRole('switch', { name: word('receiver.switch') }).isDisabled())
      .toBe(true);
    await choose('Ada');
    await isSignedIn('Ada');
  });

  test('an accountant reads the form for a new payment, and whom to ask at its button, and sends nothing', async () => {
    await ipcRequest(page, 'agents.save', { id: null, name: 'Acc', pin: null, role: 'accountant' });
    await choose('Acc');
    await isSignedIn('Acc');
    await show(page, '#/new');
    await page.getByText(/You can read this page but not change it/).waitFor();
    await expect
      .poll(() => page.locator('.new-foot').innerText())
      .toMatch(/does not include this. Ask .* or Ada\.$/);
    const amount = page.locator('[name="amount"]');
    await expect.poll(() => amount.isDisabled()).toBe(true);
    await button(page, 'new.clear').focus();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.getByText(word('new.amount.missing')).count()).toBe(0);
    await choose('Ada');
    await isSignedIn('Ada');
  });

  test('agents are added, changed and removed in the settings', async () => {
    await corner().click();
    await page.getByRole('menuitem', { name: word('agent.manage') }).click();
    await button(page, 'agents.add').click();
    await box(page.getByRole('dialog'), 'agents.person').fill('Linus');
    await button(page.getByRole('dialog'), 'save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit Linus' }).waitFor();
    await page.getByRole('button', { name: 'Remove Linus' }).click();
    await button(page.getByRole('dialog'), 'agents.remove').click();
    await page.getByRole('button', { name: 'Edit Linus' }).waitFor({ state: 'detached' });
    // Its button disappeared with its row: the focus is in the row at its position.
    await page
      .locator('[data-entry] button:focus')
      .and(page.getByRole('button', { name: /^Edit / }))
      .waitFor();
  });
});
