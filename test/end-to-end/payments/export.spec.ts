import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { button, command, word, shows } from '../../../tools/browser-harness/console.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** Exports of the whole list, or of the selected rows. */

const count = 40;

onEachDriver('an export', name => {
  /** Outside the console's own folder, where exports are refused. */
  const folder = newFolder('exported');
  const file = join(folder, 'out.jsonl');
  const app = useConsole(
    {
      driver: name,
      prepare: withEvents(
        Array.from({ length: count }, (_, index) => requested(0, {}, { orderNumber: `OLD-${index}` })),
      ),
    },
    async () => {
      await willChoose(app.app, file);
      await command(page, 'payments', word('nav.payments'));
      await grid().getByRole('row').filter({ hasText: 'OLD-39' }).waitFor();
    },
  );
  const { page } = app;
  const grid = () => page.getByRole('grid', { name: word('list.name') });
  const strip = () => page.getByTestId('export-strip');
  let isRemembered = false;
  const write = async (key: MessageKey): Promise<string[]> => {
    await button(page, key).press('Enter');
    const dialog = page.getByRole('dialog', { name: word('export.title') });
    const further = dialog.getByRole('radio', { name: word('export.format.jsonl') });
    // Folded, until it was the last choice.
    if (!isRemembered) {
      await expect.poll(() => further.count()).toBe(0);
      await dialog.getByRole('button', { name: word('export.format.more') }).press('Enter');
    }
    isRemembered = true;
    await further.press('Space');
    await dialog.getByRole('button', { name: word('export.start') }).press('Enter');
    await shows(strip(), /exported to/);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map(line => (JSON.parse(line) as { orderNumber: string }).orderNumber);
  };

  test('an export of selected rows contains only those, and its message can be dismissed', async () => {
    await grid().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await write('selection.export')).toEqual(['OLD-39', 'OLD-38']);
    await button(strip(), 'dismiss').press('Enter');
    await expect.poll(() => strip().innerText()).toBe('');
  });

  test('an export of all rows selected with Ctrl+A, or of the list, contains every page', async () => {
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.getByText(`${count} payments selected.`).waitFor();
    expect(await write('selection.export')).toHaveLength(count);
    await button(strip(), 'dismiss').press('Enter');
    await button(page, 'selection.none').press('Enter');
    expect(await write('export.open')).toHaveLength(count);
  });
});
