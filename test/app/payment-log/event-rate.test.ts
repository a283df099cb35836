import { expect, test } from 'vitest';
import { createEventRate } from '../../../main/app/payment-log/payment-log-maintenance.ts';

const atClock = () => {
  let now = 0;
  return { rate: createEventRate(() => now), pass: (ms: number) => void (now += ms) };
};

test('single callbacks over a working day are no flood', () => {
  const { rate, pass } = atClock();
  for (let at = 0; at < 3_600; at += 1) {
    rate.countEvents(5);
    pass(100);
    expect(rate.isFlooded()).toBe(false);
  }
});

test('a flood is detected at once, lasts between two checks, and ends ten seconds after its last event', () => {
  const { rate, pass } = atClock();
  for (let at = 0; at < 20; at += 1) {
    rate.countEvents(600);
    expect(rate.isFlooded()).toBe(true);
    pass(400);
  }
  pass(4_000);
  expect(rate.isFlooded()).toBe(true);
  pass(10_000);
  expect(rate.isFlooded()).toBe(false);
});
