import type { Payment } from './payment.ts';

/** The money of texts, papers and notifications: what came in, before that what was asked for. Wire form. */
export const shownMoney = ({
  amount,
  currency,
  paidAmount,
  paidCurrency,
}: Pick<Payment, 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>): {
  amount: string | null;
  currency: string | null;
} =>
  paidAmount === null ? { amount, currency } : { amount: paidAmount, currency: paidCurrency ?? currency };
