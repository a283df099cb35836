import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { playTour } from '../../../tools/browser-harness/play-tour.ts';

const isAvailable = drivers.some(({ name, available }) => name === 'stand-in' && available);

describe.skipIf(!isAvailable)('the tour', () => {
  test('the tour which `npm start` plays without a display, holds to its last step', async () => {
    const folder = newFolder('tour-spec');
    const lines: string[] = [];
    const pictures = join(folder, 'pictures');
    await playTour({ pictures, print: line => lines.push(line), browser: 'shared' });
    // How many look-ups confirm a payment meanwhile depends on the machine.
    expect(lines.at(-1)).toMatch(/^  The log verifies: \d+ events, 2 payments\.$/);
    expect(readdirSync(pictures).toSorted().at(-2)).toBe('11-profiles.png');
  }, 180_000);
});
