import { create } from 'zustand';
import { readClocks, type ClockReading } from '../i18n/time-left.ts';

/** One ticking clock for every relative time and countdown. */
export const useClock = create<ClockReading>(() => readClocks());

/** Ticks once a second, and immediately when the window becomes visible (after sleep, a timer may be late). */
export const startClock = (): void => {
  const tick = (): void => useClock.setState(readClocks());
  window.setInterval(tick, 1000);
  document.addEventListener('visibilitychange', tick);
};
