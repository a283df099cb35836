import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextRound, type RetentionRounds } from '../../../main/app/payment-log/retention-clock.ts';

/** Erasing by age, and clocks that are wrong. */

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const rounds = (...times: readonly number[]): boolean[] => {
  let state: RetentionRounds = { roundAt: null, jumpedAt: null };
  return times.map(at => {
    const next = nextRound(state, at);
    state = next.rounds;
    return next.mayErase;
  });
};

test('a clock that is right erases from the second day on', () => {
  expect(rounds(start, start + day, start + 2 * day)).toEqual([false, true, true]);
});

test('a clock that is ahead for one day erases nothing, and nothing is different when it is right again', () => {
  const wrong = start + 2 * day + 400 * day;
  expect(rounds(start, start + day, wrong, start + 3 * day)).toEqual([false, true, false, true]);
  // The same wrong day, read several times.
  expect(rounds(start, start + day, wrong, wrong + 3_600_000, wrong + 7_200_000)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test('a PC that was off for months erases on its second day', () => {
  expect(rounds(start, start + day, start + 100 * day, start + 101 * day)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

test('no single round erases more than thirty days after the one before it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 2, maxLength: 12 }), jumps => {
      let state: RetentionRounds = { roundAt: start, jumpedAt: null };
      let at = start;
      for (const jump of jumps) {
        const before = at;
        at += jump * day;
        const next = nextRound(state, at);
        if (next.mayErase)
          expect(Math.min(at - (state.roundAt ?? 0), at - before)).toBeLessThanOrEqual(30 * day);
        state = next.rounds;
      }
    }),
  );
});
