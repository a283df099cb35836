import { inLine } from '../../../shared/plain-text.ts';
import type { AppError } from '../../../shared/errors.ts';
import { stateNamed } from '../../../shared/payments/payment-kinds.ts';
import { SecondLinkQuestion } from '../../components/controls/second-link-question.tsx';
import { Money, timeInSentence } from '../../components/display/values.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { go } from '../../stores/route-store.ts';
import { useMessage, useText, useLocaleChoice } from '../../i18n/text.ts';
import { firstLinkRoute, firstOrderOf, questionOf, type AllowedSeconds } from './second-links.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { useClock } from '../../stores/clock-store.ts';

/** "Zoë O’Brien has an open link for EUR 80.00, created 2 minutes ago.", from the details of the refusal. */
const useSameIntentText = (error: AppError): string => {
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

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * The order number has a link already, or the customer has one for the same amount: open that payment, or confirm the
 * second link.
 */
export const DuplicateQuestion = ({
  error,
  profileId,
  onAllow,
  onClose,
}: {
  error: AppError;
  profileId: string;
  onAllow: (allowed: keyof AllowedSeconds) => void;
  onClose: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const sameIntent = useSameIntentText(error);
  const question = questionOf(error);
  const isSameIntent = question === 'allowSameIntent';
  const orderNumber = firstOrderOf(error);
  const state = stateNamed(error.details?.['state']);
  return (
    <SecondLinkQuestion
      title={t(isSameIntent ? 'same-intent.title' : 'duplicate.title')}
      safeAnswer={{
        name: t(orderNumber === null ? 'nav.payments' : isSameIntent ? 'same-intent.open' : 'duplicate.open'),
        onPress: () => {
          onClose();
          go(firstLinkRoute(error, profileId));
        },
      }}
      {...(isSameIntent ? { create: t('same-intent.create') } : {})}
      onCreate={() => {
        if (question !== null) onAllow(question);
      }}
      onClose={onClose}
    >
      <p>
        {orderNumber === null || error.code === 'payment.raised-elsewhere'
          ? say(error.message)
          : isSameIntent
            ? sameIntent
            : t('duplicate.text', { order: orderNumber })}
      </p>
      {orderNumber === null ? null : (
        <div className="line spread panel sunk">
          <span className="code">{inLine(orderNumber)}</span>
          {state ? <StatusBadge state={state} /> : null}
          <Money amount={text(error.details?.['amount'])} currency={text(error.details?.['currency'])} />
        </div>
      )}
    </SecondLinkQuestion>
  );
};
