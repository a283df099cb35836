import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { clockTime } from '../../../components/display/values.tsx';

/**
 * The payments of an order by card, amount and time, with the reference where these are equal, null elsewhere.
 * `now`: milliseconds.
 */
export const paymentChoices = (
  { attempts, movements }: Pick<Payment, 'attempts' | 'movements'>,
  ids: readonly string[],
  locale: string,
  now: number,
): { id: string; name: string; reference: string | null }[] => {
  const choices = ids.map(id => {
    const attempt = attempts.find(({ paymentId }) => paymentId === id);
    const paid = movements.find(({ kind, paymentId }) => kind === 'paid' && paymentId === id);
    const parts = [
      attempt?.cardLast4 ? `•••• ${attempt.cardLast4}` : '',
      paid?.amount ? formatMoney(paid.amount, paid.currency ?? '', locale) : '',
      attempt ? clockTime(paid?.at ?? attempt.lastAt, locale, now) : '',
    ].filter(part => part !== '');
    return { id, name: parts.join(' · '), reference: attempt?.rrn ? `RRN ${attempt.rrn}` : id };
  });
  return choices.map(({ id, name, reference }) =>
    choices.some(one => one.id !== id && one.name === name)
      ? { id, name: `${name} · ${reference}`, reference }
      : { id, name: name || id, reference: null },
  );
};
