import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRoomForCopy, isMostlyHoles } from '../../../main/app/payment-log/payment-log-feature.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';

/** Files from outside that would fill the disk if they were restored. */

const folder = newFolder('copy');

test('a file of 8 GB that occupies 300 KB is no backup; a compressed log of a tenth of its size is one', () => {
  expect(isMostlyHoles({ size: 8e9, allocated: 300_000 })).toBe(true);
  expect(isMostlyHoles({ size: 8e9, allocated: 800_000_000 })).toBe(false);
  expect(isMostlyHoles({ size: 1_000_000, allocated: 0 })).toBe(false);
});

test('a backup that is larger than the free space is refused before it is copied, with its write-ahead log', async () => {
  const copy = join(folder, 'copy.db');
  writeFileSync(copy, 'x'.repeat(1_000));
  const room = (free: number | null) => checkRoomForCopy(copy, join(folder, 'payments.db'), async () => free);
  expect(await room(1_000)).toMatchObject({ ok: true });
  expect(await room(null)).toMatchObject({ ok: true });
  expect(await room(999)).toMatchObject({ error: { code: 'file.no-room', details: { needed: 1, free: 1 } } });
  writeFileSync(`${copy}-wal`, 'x');
  expect(await room(1_000)).toMatchObject({ error: { code: 'file.no-room' } });
});
