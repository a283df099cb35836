import { useCallback } from 'react';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { isPaidOtherwise, isUnchecked } from '../../../shared/payments/expired.ts';
import { parseScript } from '../../../shared/merchant-texts/custom-scripts.ts';
import { isLinkLive, type WithExpiry } from '../../../shared/payments/link.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { clockTime, spokenTime } from '../../components/display/time.tsx';
import { formatScript, type ScriptValues } from '../../i18n/script-text.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useInDirection, useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';

/** The phone script of a state with given values: the merchant's own, if valid, otherwise the catalogue's. */
export const useCustomScript = (): ((
  state: PaymentState,
  own: string | undefined,
  values: ScriptValues,
) => string) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const inDirection = useInDirection();
  return useCallback(
    (state, own, values) => {
      const read = own === undefined ? null : parseScript(own, state);
      return read?.ok ? formatScript(read.parts, inDirection(values), language) : t(`say.${state}`, values);
    },
    [t, language, inDirection],
  );
};

/**
 * The phone script of this state, for all places that show one. `minutes`: whole minutes until the link expires,
 * rounded down; `now` in milliseconds. Our scripts never quote the bank's reason for a decline: lost, stolen and
 * fraud must not be mentioned on the phone.
 */
export const useSentence = (
  payment: Pick<
    Payment,
    | 'orderNumber'
    | 'amount'
    | 'currency'
    | 'paidAmount'
    | 'paidCurrency'
    | 'since'
    | 'linkUsable'
    | 'checkedAt'
    | 'paidAt'
    | 'series'
  > &
    WithExpiry,
  state: PaymentState,
  minutes: number,
  now: number,
): string => {
  const { language, locale } = useLocaleChoice();
  const own = useAppState(({ appState: app }) => app?.settings.sentences[language][state]);
  const customScript = useCustomScript();
  const t = useText();
  const hasLiveLink = useClock(({ wallClock }) => isLinkLive(payment, wallClock));
  if (isUnchecked(state, payment)) return t('say.expired-unchecked');
  const { amount, currency } = shownMoney(payment);
  const money = amount === null ? '' : formatMoney(amount, currency ?? '', locale);
  if (isPaidOtherwise(state, payment)) return t('say.other-amount', { amount: money });
  // A charge of a stored card has no link.
  if (payment.series !== null && (state === 'refused' || (state === 'declined' && !payment.linkUsable)))
    return t('say.charge-failed');
  // Another attempt needs an active link.
  if (state === 'declined' && payment.linkUsable && !hasLiveLink) return t('say.declined-expired');
  // The provider has prepared the page, and its answer with the link did not arrive here.
  const hasNoLink = (payment.link?.expiresAt ?? payment.expiresAt ?? null) === null;
  if (state === 'waiting' && hasNoLink) return t('say.link-lost');
  if (state === 'waiting' && !payment.linkUsable) return t('say.withdrawn');
  // The merchant's own script for a cancelled payment cannot know that this one had been paid.
  if ((state === 'voided' || state === 'reversed') && payment.paidAt !== null) return t(`say.${state}-paid`);
  return customScript(state, own, {
    minutes,
    amount: money,
    order: payment.orderNumber,
    time: spokenTime(payment.since, locale, now, t),
  });
};

/** What the person on the phone must not do or say. */
export const doNotOf = (payment: Pick<Payment, 'paidAt'>, state: PaymentState): MessageKey =>
  isPaidOtherwise(state, payment) ? 'do-not.paid-unconfirmed' : `do-not.${state}`;

/** The evidence behind the script: "the gateway's callback of 14:02, signature verified". */
export const basisOf = (
  { basis, state }: Pick<Payment, 'basis' | 'state'>,
  now: number,
  locale: string,
  t: Translate,
): string => {
  if (basis === null) return t('basis.nothing');
  const time = clockTime(basis.at, locale, now);
  if (state === 'paid-confirmed' && basis.kind === 'callback') return t('basis.confirmed', { time });
  if (basis.kind === 'callback')
    return basis.verified ? t('basis.callback.verified', { time }) : t('basis.callback.unverified', { time });
  return t(`basis.${basis.kind}`, { time });
};
