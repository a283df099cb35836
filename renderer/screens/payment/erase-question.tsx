import { useState } from 'react';
import { Eraser } from 'lucide-react';
import type { Payment } from '../../../shared/payment.ts';
import { Button } from '../../components/button.tsx';
import { Sheet } from '../../components/dialog.tsx';
import { usePayment } from '../../stores/payment.ts';
import { useText } from '../../text.ts';

/** Erasing a customer's details cannot be undone, so it is asked for twice. */
export const EraseQuestion = ({ payment }: { payment: Payment }) => {
  const t = useText();
  const { erase, busy } = usePayment();
  const [asking, setAsking] = useState(false);
  if (!payment.customer?.name && !payment.customer?.email) return null;
  return (
    <>
      <Button
        look="quiet"
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
              look="danger"
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
