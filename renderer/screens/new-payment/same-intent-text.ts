import type { AppError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { timeInSentence } from '../../components/display/time.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { useClock } from '../../stores/clock-store.ts';

/** "Zoë O’Brien has an open link for EUR 80.00, created 2 minutes ago.", from the details of the refusal. */
export const useSameIntentText = (error: AppError): string => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => wallClock);
  if (error.code !== 'payment.same-intent') return '';
  const details = error.details ?? {};
  const text = (name: string): string => {
    const value = details[name];
    return typeof value === 'string' ? value : '';
  };
  const at = typeof details['at'] === 'number' ? details['at'] : now;
  const customer = text('customer');
  const values = {
    customer: customer === '' ? t('same-intent.customer') : customer,
    amount: formatMoney(text('amount'), text('currency'), locale),
    time: timeInSentence(at, locale, Math.max(now, at), t),
  };
  if (details['kind'] === 'paid') return t('same-intent.paid', values);
  if (details['kind'] === 'unknown') return t('same-intent.unknown', values);
  if (details['kind'] === 'unchecked') return t('same-intent.unchecked', values);
  if (details['kind'] !== 'in-progress') return t('same-intent.link', values);
  const installation = text('installation');
  return installation === ''
    ? t('same-intent.under-way', { ...values, agent: text('agent') })
    : t('same-intent.under-way-at', { ...values, agent: text('agent'), installation });
};
