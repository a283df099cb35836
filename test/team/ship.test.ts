import { expect, test, vi } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { logFailure } from '../../main/payment-log/log-failures.ts';
import type { SharedEnd } from '../../main/payment-log/postgres/chains.ts';
import { startShipping } from '../../main/team/ship.ts';
import { ok } from '../../shared/errors.ts';
import { startServerClock } from '../../main/team/server-clock.ts';
import { clockCorrection } from '../../shared/team/clock-correction.ts';

type Given = Parameters<typeof startShipping>[0];

/** A journal with this number of events. */
const journalOf = (count: number): Given['journal'] => {
  const events = Array.from(
    { length: count },
    (_, index) => ({ writerSeq: index + 1, hash: `hash-${index + 1}`, recordedAt: index }) as ChainedEvent,
  );
  return {
    ownChain: {
      writer: 'console-1',
      events: (after, limit) => Promise.resolve(events.slice(after, after + limit)),
      restore: () => Promise.resolve({ ok: true, value: undefined }),
      correctClock: () => Promise.resolve(),
    },
    chainEnds: () => Promise.resolve([{ writer: 'console-1', seq: count, hash: `hash-${count}` }]),
    onChange: () => () => true,
  };
};

test('smaller batches are sent on a line that is too slow for large ones', async () => {
  let end: SharedEnd = { seq: 0, hash: '0'.repeat(64) };
  const sizes: number[] = [];
  const shared = {
    join: () =>
      Promise.resolve(
        ok({
          end,
          append: (_: SharedEnd, events: readonly ChainedEvent[]) => {
            sizes.push(events.length);
            const last = events.at(-1);
            if (events.length > 40 || !last)
              return Promise.resolve(logFailure('log.unreachable', 'DEADLINE'));
            end = { seq: last.writerSeq, hash: last.hash };
            return Promise.resolve(ok('stored' as const));
          },
        }),
      ),
  } as unknown as Given['shared'];
  const shipping = startShipping({ clock: Date.now, journal: journalOf(200), shared });
  expect(await shipping.shipped(200, 20_000)).toBe(true);
  expect(sizes.slice(0, 3)).toEqual([200, 128, 32]);
  await shipping.close();
});

const serverClock = (measured: readonly (readonly [offsetMs: number, roundTripMs: number])[]) => {
  let at = 0;
  const clock = vi.fn(async () => {
    const [offsetMs, roundTripMs] = measured[at++ % measured.length] ?? [0, 0];
    return ok({ offsetMs, roundTripMs });
  });
  const onChange = vi.fn();
  return {
    onChange,
    clock: startServerClock({
      shared: { installations: { clock } },
      clock: Date.now,
      onChange,
    }),
  };
};

test('the median of five measurements counts, without those over a slow line', async () => {
  const { clock, onChange } = serverClock([
    [600_010, 20],
    [600_000, 20],
    [900_000, 1_500],
    [600_005, 30],
    [10, 20],
  ]);
  expect(clock.offsetMs()).toBeNull();
  await clock.measure();
  expect(clock.offsetMs()).toBe(600_005);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(600_005);
  await clock.close();
});

test('small differences from the server’s clock are left alone, large ones are corrected', () => {
  expect([null, 0, 400, -999].map(clockCorrection)).toEqual([0, 0, 0, 0]);
  expect([-600_000, 1_000].map(clockCorrection)).toEqual([-600_000, 1_000]);
});
