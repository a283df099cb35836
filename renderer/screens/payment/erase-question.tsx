import { ConfirmDialog } from '../../components/controls/confirm-dialog.tsx';
import { usePayment } from '../../stores/payments/payment-store.ts';
import { useText } from '../../i18n/text.ts';

/** Erasing a customer's details cannot be undone, so it requires a confirmation. */
export const EraseQuestion = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const t = useText();
  const erase = usePayment(store => store.erase);
  return (
    <ConfirmDialog
      title={t('erase.name')}
      isOpen={isOpen}
      confirm={t('erase.yes')}
      refuse={t('cancel')}
      onConfirm={() => {
        onClose();
        void erase();
      }}
      onClose={onClose}
    >
      <p>{t('erase.text')}</p>
    </ConfirmDialog>
  );
};
