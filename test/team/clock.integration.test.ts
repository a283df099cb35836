import { afterAll, expect, test } from 'vitest';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';

const folder = logFolder();
afterAll(() => folder.remove());

test('a corrected clock dates events, and never puts them before earlier ones', async () => {
  const log = await folder.open();
  const tenMinutes = 600_000;
  await log.ownChain.correctClock(-tenMinutes);
  const recorded = async (): Promise<number> =>
    must(await log.append([note(0, 'x')])).events[0]?.recordedAt ?? 0;
  const slow = await recorded();
  expect(Math.abs(slow + tenMinutes - Date.now())).toBeLessThan(60_000);
  await log.ownChain.correctClock(tenMinutes);
  const fast = await recorded();
  expect(Math.abs(fast - tenMinutes - Date.now())).toBeLessThan(60_000);
  await log.ownChain.correctClock(0);
  expect(await recorded()).toBe(fast);
  expect((await log.verify()).problems).toEqual([]);
});
