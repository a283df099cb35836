import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { startTestApp } from '../../tools/app-harness/running-app.ts';

const hour = 3_600_000;

test('A start removes the temporary files that a kill left, and no others', async () => {
  const folder = newFolder('leftovers');
  const beforeStart = new Date(performance.timeOrigin - hour);
  const put = (name: string, isOlder = true): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"pin":"a hash"}');
    if (isOlder) utimesSync(file, beforeStart, beforeStart);
    return file;
  };
  const left = [
    put('settings.json.0123456789ab.part'),
    put('settings.json.copy.0123456789ab.part'),
    put('status.json.0123456789ab.part'),
    put('quarantine.json.0123456789ab.part'),
    put('heads/2026-01-01.json.0123456789ab.part'),
  ];
  const others = [put('notes.part'), put('settings.json.unreadable-0123456789ab')];
  const current = put('settings.json.ba9876543210.part', false);
  const app = await startTestApp(folder);
  await expect.poll(() => left.filter(existsSync)).toEqual([]);
  expect([...others, current].filter(file => !existsSync(file))).toEqual([]);
  await app.remove();
});
