import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { useHead } from '../../hooks/use-head.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useSentence } from '../payment/sentence.ts';

/** What to say about a found payment: the phone script of its head now. */
export const usePaymentAnswer = (row: PaymentRow): string => {
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const minutes = row.expiresAt === null ? 0 : Math.max(0, Math.floor((row.expiresAt - minute) / 60_000) - 1);
  return useSentence(row, useHead(row), minutes);
};
