import { ScanSearch } from 'lucide-react';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { useText } from '../../i18n/text.ts';

/** Before a second link while the first may still be paid: query the gateway, or confirm. */
export const NewLinkQuestion = ({
  isOpen,
  state,
  onClose,
  onLookUp,
  onRaise,
}: {
  isOpen: boolean;
  state: PaymentState;
  onClose: () => void;
  onLookUp: () => void;
  onRaise: () => void;
}) => {
  const t = useText();
  return (
    <Sheet
      title={t(state === 'expired' ? 'new-link.expired' : 'new-link.title')}
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
    >
      <div className="stack">
        <StatusBadge state={state} size={20} />
        <p>{t('new-link.text')}</p>
        <div className="line wrap dialog-actions">
          {/* The initial focus is on the safe answer. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <Button variant="primary" autoFocus icon={<ScanSearch size={16} />} onPress={onLookUp}>
            {t('new-link.look-up')}
          </Button>
          <Button onPress={onRaise}>{t('duplicate.create')}</Button>
          <Button variant="quiet" onPress={onClose} className="push">
            {t('go-back')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
