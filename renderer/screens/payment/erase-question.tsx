import { useState } from 'react';
import { Eraser } from 'lucide-react';
import type { Payment } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
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
      <Sheet title={t('erase.name')} isOpen={asking} onClose={() => setAsking(false)} role="alertdialog">
        <div className="stack">
          <p>{t('erase.text')}</p>
          <div className="line end">
            <Button onPress={() => setAsking(false)}>{t('restore.no')}</Button>
            <Button
              variant="danger"
              onPress={() => {
                setAsking(false);
                void erase();
              }}
            >
              {t('erase.yes')}
            </Button>
          </div>
        </div>
      </Sheet>
    </>
  );
};
