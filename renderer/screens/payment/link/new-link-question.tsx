import { ScanSearch } from 'lucide-react';
import type { PaymentState } from '../../../../shared/payments/payment.ts';
import { SecondLinkQuestion } from '../../../components/controls/second-link-question.tsx';
import { StatusBadge } from '../../../components/display/status-badge.tsx';
import { useText } from '../../../i18n/text.ts';

/** Before a second link while the first may still be paid: query the gateway, or confirm. */
export const NewLinkQuestion = ({
  state,
  onClose,
  onLookUp,
  onCreate,
}: {
  state: PaymentState;
  onClose: () => void;
  onLookUp: () => void;
  onCreate: () => void;
}) => {
  const t = useText();
  return (
    <SecondLinkQuestion
      title={t(state === 'expired' ? 'new-link.expired' : 'new-link.title')}
      safeAnswer={{ name: t('new-link.look-up'), icon: ScanSearch, onPress: onLookUp }}
      onCreate={onCreate}
      onClose={onClose}
    >
      <StatusBadge state={state} size={20} />
      <p>{t('new-link.text')}</p>
    </SecondLinkQuestion>
  );
};
