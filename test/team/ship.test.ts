import { expect, test } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { logFailure } from '../../main/payment-log/log-failures.ts';
import type { SharedEnd } from '../../main/payment-log/postgres/chains.ts';
import { startShipping } from '../../main/team/ship.ts';
import { ok } from '../../shared/errors.ts';

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
