import type { AppError } from '../../../shared/errors.ts';
import { stateNamed } from '../../../shared/payments/payment-kinds.ts';
import { SecondLinkQuestion } from '../../components/controls/second-link-question.tsx';
import { Money } from '../../components/display/money.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { go } from '../../stores/route-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The order number of a new payment has a link already: open that payment, or confirm the second link. */
export const DuplicateQuestion = ({
  error,
  profileId,
  onAllowDuplicate,
  onClose,
}: {
  error: AppError | null;
  profileId: string;
  onAllowDuplicate: () => void;
  onClose: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const orderNumber = text(error?.details?.['orderNumber']) ?? '';
  const state = stateNamed(error?.details?.['state']);
  return (
    <SecondLinkQuestion
      title={t('duplicate.title')}
      isOpen={error !== null}
      safeAnswer={{
        name: t('duplicate.open'),
        onPress: () => {
          onClose();
          go({ screen: 'payment', profileId, orderNumber });
        },
      }}
      onCreate={onAllowDuplicate}
      onClose={onClose}
    >
      <p>
        {error?.code === 'payment.raised-elsewhere'
          ? say(error.message)
          : t('duplicate.text', { order: orderNumber })}
      </p>
      <div className="line spread panel sunk">
        <span className="code">{orderNumber}</span>
        {state ? <StatusBadge state={state} /> : null}
        <Money amount={text(error?.details?.['amount'])} currency={text(error?.details?.['currency'])} />
      </div>
    </SecondLinkQuestion>
  );
};
