import { sameAmount } from '../money/wire-amount.ts';
import type { Payment } from './payment.ts';

type Money = Pick<Payment, 'amount' | 'currency'>;

/** The money of texts, papers and notifications: what came in, before that what was asked for. Wire form. */
export const shownMoney = ({
  amount,
  currency,
  paidAmount,
  paidCurrency,
}: Pick<Payment, 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>): Money =>
  paidAmount === null ? { amount, currency } : { amount: paidAmount, currency: paidCurrency ?? currency };

/** Whether two amounts are the same money. */
export const sameMoney = (one: Money, other: Money): boolean =>
  one.currency === other.currency && sameAmount(one.amount ?? '', other.amount ?? '');
