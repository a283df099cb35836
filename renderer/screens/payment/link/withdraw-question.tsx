import { useState } from 'react';
import {
  maxWithdrawalText,
  withdrawalReasons,
  type WithdrawalReason,
} from '../../../../shared/payments/order-link.ts';
import type { OrderLink } from '../../../../shared/payments/payment.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../stores/payments/payment-store.ts';

/** Asks why a link is withdrawn, and says that the gateway cannot cancel it. */
export const WithdrawQuestion = ({ link, onClose }: { link: OrderLink; onClose: () => void }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const withdraw = usePayment(store => store.withdraw);
  const [reason, setReason] = useState<WithdrawalReason>('replaced');
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const isMissing = reason === 'other' && text.trim() === '';
  const confirm = async (): Promise<void> => {
    setTried(true);
    if (isMissing) return;
    const done = await withdraw(link.idempotencyKey, reason, text.trim());
    if (done.ok) onClose();
    else setProblem(done.error);
  };
  return (
    <Sheet title={t('withdraw.name')} isOpen onClose={onClose} role="alertdialog">
      <div className="stack">
        <p>{t('withdraw.text', { time: clockTime(link.expiresAt, locale, now) })}</p>
        <SelectBox
          label={t('withdraw.reason')}
          options={withdrawalReasons.map(id => ({ id, name: t(`withdrawal.${id}`) }))}
          value={reason}
          onChange={setReason}
        />
        <TextBox
          label={t('withdraw.note')}
          value={text}
          onChange={setText}
          maxLength={maxWithdrawalText}
          problem={isTried && isMissing ? t('withdraw.note.needed') : null}
          autoComplete="off"
        />
        {problem ? <ErrorNote error={problem} /> : null}
        <div className="line end">
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="danger" onPress={() => void confirm()}>
            {t('withdraw.name')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
