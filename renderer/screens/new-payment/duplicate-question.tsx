import type { AppError } from '../../../shared/errors.ts';
import { stateNamed } from '../../../shared/payments/payment-kinds.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { Money } from '../../components/display/money.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { go } from '../../stores/route.ts';
import { useText } from '../../i18n/text.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Prevents an accidental second link: the order has a payment already, so a confirmation is required. */
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
  const orderNumber = text(error?.details?.['orderNumber']) ?? '';
  const state = stateNamed(error?.details?.['state']);
  return (
    <Sheet title={t('duplicate.title')} role="alertdialog" isOpen={error !== null} onClose={onClose}>
      <div className="stack">
        <p>{t('duplicate.text', { order: orderNumber })}</p>
        <div className="line spread panel sunk">
          <span className="code">{orderNumber}</span>
          {state ? <StatusBadge state={state} /> : null}
          <Money amount={text(error?.details?.['amount'])} currency={text(error?.details?.['currency'])} />
        </div>
        <div className="line wrap dialog-actions">
          <Button
            variant="primary"
            // The initial focus is on the safe answer.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            onPress={() => {
              onClose();
              go({ screen: 'payment', profileId, orderNumber });
            }}
          >
            {t('duplicate.open')}
          </Button>
          <Button onPress={onAllowDuplicate}>{t('duplicate.create')}</Button>
          <Button variant="quiet" onPress={onClose} className="push">
            {t('go-back')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
