import { useState } from 'react';
import { Eraser } from 'lucide-react';
import type { Payment } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/confirm-dialog.tsx';
import { usePayment } from '../../stores/payments/payment.ts';
import { useText } from '../../i18n/text.ts';

/** Erasing a customer's details cannot be undone, so it requires a confirmation. */
export const EraseQuestion = ({ payment }: { payment: Payment }) => {
  const t = useText();
  const { erase, busy } = usePayment();
  const [asking, setAsking] = useState(false);
  if (!payment.customer?.name && !payment.customer?.email) return null;
  return (
    <>
      <Button
        variant="quiet"
        icon={<Eraser size={16} />}
        isPending={busy === 'erase'}
        onPress={() => setAsking(true)}
      >
        {t('erase.name')}
      </Button>
      <ConfirmDialog
        title={t('erase.name')}
        isOpen={asking}
        confirm={t('erase.yes')}
        refuse={t('cancel')}
        onConfirm={() => {
          setAsking(false);
          void erase();
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('erase.text')}</p>
      </ConfirmDialog>
    </>
  );
};
