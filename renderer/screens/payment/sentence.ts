import type { Payment, PaymentRow, PaymentState } from '../../../shared/payment.ts';
import { formatMoney } from '../../../shared/money.ts';
import { clockTime } from '../../components/time.tsx';
import type { Say } from '../../text.ts';

type Told = Pick<Payment, 'orderNumber' | 'amount' | 'currency' | 'since' | 'restsOn'>;

/**
 * The sentence to say aloud in this state. `minutes`: whole minutes the link still works, rounded down.
 * A decline never quotes the bank's reason: lost, stolen and fraud are not for the phone.
 */
export const sentenceOf = (
  payment: Told | PaymentRow,
  state: PaymentState,
  minutes: number,
  now: number,
  locale: string,
  t: Say,
): string =>
  t(`say.${state}`, {
    minutes,
    amount: payment.amount === null ? '' : formatMoney(payment.amount, payment.currency ?? '', locale),
    order: payment.orderNumber,
    time: clockTime(payment.since, locale, now),
  });

/** What the sentence rests on: "the gateway's callback of 14:02, signature verified". */
export const basisOf = (
  { restsOn, state }: Pick<Payment, 'restsOn' | 'state'>,
  now: number,
  locale: string,
  t: Say,
): string => {
  if (restsOn === null) return t('rests.nothing');
  const time = clockTime(restsOn.at, locale, now);
  if (state === 'paid-confirmed') return t('rests.confirmed', { time });
  if (restsOn.kind === 'callback')
    return restsOn.verified
      ? t('rests.callback.verified', { time })
      : t('rests.callback.unverified', { time });
  return t(`rests.${restsOn.kind}`, { time });
};
