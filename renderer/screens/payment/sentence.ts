import { useCallback } from 'react';
import type { Head, HeadFacts, HeadKind } from '../../../shared/reports/head.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { parseScript } from '../../../shared/merchant-texts/custom-scripts.ts';
import type { Payment, PaymentState, PaymentRow } from '../../../shared/payments/payment.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { clockTime, spokenTime } from '../../components/display/values.tsx';
import { formatScript, type ScriptValues } from '../../i18n/script-text.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useInDirection, useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { useHead } from '../../components/display/status-badge.tsx';

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
 * The phone script of a payment's head, for all places that show one. `minutes`: whole minutes until the link expires,
 * rounded down. Our scripts never quote the bank's reason for a decline: lost, stolen and fraud must not be mentioned on
 * the phone.
 */
export const useSentence = (
  payment: HeadFacts & { orderNumber: string },
  head: Head,
  minutes: number,
): string => {
  const { language, locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const state = useClock(({ wallClock }) => stateAt(payment, wallClock));
  const own = useAppState(({ appState: app }) => app?.settings.sentences[language][state]);
  const customScript = useCustomScript();
  const t = useText();
  const { amount, currency } = head.sayMoney;
  const values = {
    minutes,
    amount: amount === null ? '' : formatMoney(amount, currency ?? '', locale),
    order: payment.orderNumber,
    time: spokenTime(head.sayAt, locale, now, t),
  };
  // The merchant's own script for a refunded payment says the same.
  const isOwn = head.say === null || (head.say === 'script.refund.done' && own !== undefined);
  return head.say === null || isOwn ? customScript(state, own, values) : t(head.say, values);
};

/** The evidence behind the script: "the gateway's callback of 14:02, signature verified". */
export const basisOf = (
  { basis, state, link }: Pick<Payment, 'basis' | 'state' | 'link'>,
  now: number,
  locale: string,
  t: Translate,
): string => {
  if (basis === null) return t('basis.nothing');
  const time = clockTime(basis.at, locale, now);
  if (state === 'paid-confirmed' && basis.kind === 'callback') return t('basis.confirmed', { time });
  if (basis.kind === 'callback')
    return basis.verified ? t('basis.callback.verified', { time }) : t('basis.callback.unverified', { time });
  if (basis.kind === 'acceptance' && link === null) return t('basis.accepted-charge', { time });
  return t(`basis.${basis.kind}`, { time });
};

const laterMoney: readonly HeadKind[] = ['money-open', 'money-overdue', 'money-unknown', 'refund-unclear'];

/** What the evidence is about: below a head about later money it confirms the payment alone, of two perhaps one. */
export const basisName = (
  { state, movements }: Pick<Payment, 'state' | 'movements'>,
  kind: HeadKind,
): MessageKey => {
  const isLater = laterMoney.includes(kind);
  if (state === 'paid-unconfirmed') return isLater ? 'verdict.seen.payment' : 'verdict.seen';
  const isOneOfTwo = movements.some(one => one.kind === 'paid' && one.fate === 'reported');
  if (isOneOfTwo && state === 'paid-confirmed' && (isLater || kind === 'paid-twice'))
    return 'verdict.basis.one';
  if (!isLater) return 'verdict.basis';
  return state === 'paid-confirmed' ? 'verdict.basis.payment' : 'verdict.basis.before';
};

/** What to say about a found payment: the phone script of its head now. */
export const usePaymentAnswer = (row: PaymentRow): string => {
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const minutes = row.expiresAt === null ? 0 : Math.max(0, Math.floor((row.expiresAt - minute) / 60_000) - 1);
  return useSentence(row, useHead(row), minutes);
};
