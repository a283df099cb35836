import { expect, test, vi } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { logFailure } from '../../main/payment-log/failures.ts';
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
      writer: 'desk-1',
      events: (after, limit) => Promise.resolve(events.slice(after, after + limit)),
      recent: () => null,
      onWriting: () => () => true,
      restore: () => Promise.resolve({ ok: true, value: undefined }),
      correctClock: () => Promise.resolve(),
    },
    chainEnds: () => Promise.resolve([{ writer: 'desk-1', seq: count, hash: `hash-${count}` }]),
    onChange: () => () => true,
  };
};

test('on a line that is too slow for large batches, smaller ones are sent', async () => {
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
  const shipping = startShipping({ journal: journalOf(200), shared });
  expect(await shipping.shipped(200, 20_000)).toBe(true);
  expect(sizes.slice(0, 3)).toEqual([200, 128, 32]);
  await shipping.close();
});

test('while the journal is slow the shared log does not count as unreachable', async () => {
  vi.useFakeTimers();
  const journal = journalOf(1);
  let write: (isDurable: boolean) => void = () => undefined;
  const durable = new Promise<boolean>(resolve => {
    write = resolve;
  });
  const [event] = await journal.ownChain.events(0, 1);
  const shared = {
    join: () =>
      Promise.resolve(
        ok({
          end: { seq: 0, hash: '0'.repeat(64) },
          append: () => durable.then(() => ok('stored' as const)),
        }),
      ),
  } as unknown as Given['shared'];
  const recent = () => ({ events: event ? [event] : [], durable });
  const shipping = startShipping({
    journal: { ...journal, ownChain: { ...journal.ownChain, recent } },
    shared,
  });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(shipping.standing()).toMatchObject({ state: 'catching-up', unshipped: { events: 1 } });
  write(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(shipping.standing().state).toBe('connected');
  vi.useRealTimers();
  await shipping.close();
});
