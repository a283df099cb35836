import { useState } from 'react';
import {
  maxWithdrawalText,
  withdrawalReasons,
  type WithdrawalReason,
} from '../../../../shared/payments/order-link.ts';
import type { OrderLink } from '../../../../shared/payments/payment.ts';
import { ConfirmDialog } from '../../../components/controls/confirm-dialog.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../queries/payment.ts';

/** Asks why a link is withdrawn, and says that the gateway cannot cancel it. */
export const WithdrawQuestion = ({ link, onClose }: { link: OrderLink; onClose: () => void }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const withdraw = usePayment(store => store.withdraw);
  const [reason, setReason] = useState<WithdrawalReason>('replaced');
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, problem, run } = useTask();
  const isMissing = reason === 'other' && text.trim() === '';
  const confirm = (): void => {
    setTried(true);
    if (!isMissing) void run('send', () => withdraw(link.idempotencyKey, reason, text.trim()), onClose);
  };
  return (
    <ConfirmDialog
      title={t('withdraw.name')}
      hasFields
      confirm={t('withdraw.name')}
      refuse={t('cancel')}
      onConfirm={confirm}
      isPending={isBusy}
      onClose={onClose}
    >
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
    </ConfirmDialog>
  );
};
