import { afterAll, expect, test } from 'vitest';
import { filter, logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, note, requested } from '../../tools/evidence/evidence.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';

const folder = logFolder();
afterAll(() => folder.remove());

test('a corrected clock dates events, never puts them before earlier ones, and expires links in the list', async () => {
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

  const issuedAt = Date.now();
  const link = accepted(500, { issuedAt, expiresAt: issuedAt + 3_600_000 });
  must(await log.append([requested(0), link].map(draft => ({ ...draft, orderNumber: 'CLOCK' }))));
  const expired = async (): Promise<number> =>
    (await log.list(filter({ states: ['expired'], words: 'CLOCK' }), null, 10)).rows.length;
  expect(await expired()).toBe(0);
  await log.ownChain.correctClock(2 * 3_600_000);
  expect(await expired()).toBe(1);
});
