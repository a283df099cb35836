import { headOf, type Head, type HeadFacts } from '../../shared/reports/head.ts';
import { useClock } from '../stores/clock-store.ts';

/** The head of a payment now; it changes when its link expires. */
export const useHead = (payment: HeadFacts): Head => {
  const { expiresAt } = payment;
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const isOver = useClock(({ wallClock }) => expiresAt !== null && wallClock >= expiresAt);
  return headOf(payment, isOver ? Math.max(minute, expiresAt ?? 0) : minute);
};
