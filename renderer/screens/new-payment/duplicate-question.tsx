import { inLine } from '../../../shared/plain-text.ts';
import type { AppError } from '../../../shared/errors.ts';
import { stateNamed } from '../../../shared/payments/payment-kinds.ts';
import { SecondLinkQuestion } from '../../components/controls/second-link-question.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { go } from '../../stores/route-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { firstLinkRoute, firstOrderOf, questionOf, type AllowedSeconds } from './second-links.ts';
import { useSameIntentText } from './same-intent-text.ts';

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
