import { useEffect } from 'react';
import { ScanSearch } from 'lucide-react';
import { sameKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { usePayment } from '../../stores/payments/payment-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { PaymentPage } from './payment-page-panel.tsx';

/** A payment by its number: its page, or the reason why there is none. */
export const PaymentScreen = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const { file, problem } = usePayment();
  const hasProfile = useAppState(
    app => app.appState?.profiles.some(profile => profile.id === profileId) ?? false,
  );
  useEffect(() => {
    void usePayment.getState().open({ profileId, orderNumber });
  }, [profileId, orderNumber]);
  const isRead = file !== null && sameKey(file.payment, { profileId, orderNumber });
  if (isRead) return <PaymentPage key={`${profileId} ${orderNumber}`} file={file} />;
  return (
    <Screen title={<span className="code">{orderNumber}</span>} label={orderNumber}>
      {problem ? (
        <ErrorNote error={problem}>
          {hasProfile ? (
            <Button
              request="payments.lookUp"
              icon={<ScanSearch size={16} />}
              onPress={() => go({ screen: 'look-up', by: 'order-number', value: orderNumber })}
            >
              {t('look-up.now')}
            </Button>
          ) : (
            <span className="small">{t('address.no-profile', { profile: profileId })}</span>
          )}
        </ErrorNote>
      ) : (
        <output className="quiet">{t('loading')}</output>
      )}
    </Screen>
  );
};
