import { expect, test } from 'vitest';
import { callback, invalid, start, verified } from '../../../tools/evidence/evidence.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

/** Which types of callbacks came for a profile. */
const used = useLog();

test('each type is counted with its last time, the last one first; forged ones do not count', async () => {
  const of = (profileId: string) => ({ profileId });
  await used.log.append([
    callback(1_000, 'redirect', 'success', {}, verified, of('shop')),
    callback(2_000, 'sale', 'success', { id: 'a' }, verified, of('shop')),
    callback(3_000, 'sale', 'success', { id: 'b' }, verified, of('shop')),
    callback(4_000, 'refund', 'success', {}, invalid, of('shop')),
    callback(5_000, 'void', 'success', {}, verified, of('hotel')),
  ]);
  expect(await used.log.callbackTypes('shop')).toEqual({
    types: [
      { type: 'sale', lastAt: start + 3_000, count: 2 },
      { type: 'redirect', lastAt: start + 1_000, count: 1 },
    ],
    more: false,
  });
  expect(await used.log.callbackTypes('unknown')).toEqual({ types: [], more: false });
  expect(await used.log.hasCallbacks('shop')).toBe(true);
  expect(await used.log.hasCallbacks('unknown')).toBe(false);
});
