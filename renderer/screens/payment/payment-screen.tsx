import { inLine } from '../../../shared/plain-text.ts';
import { useLayoutEffect } from 'react';
import { ScanSearch } from 'lucide-react';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { PaymentPage } from './payment-page-panel.tsx';

/** A payment by its number: its page, or the reason why there is none. */
export const PaymentScreen = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const { value: file, problem } = paymentQuery.use({ profileId, orderNumber });
  const hasProfile = useAppState(
    app => app.appState?.profiles.some(profile => profile.id === profileId) ?? false,
  );
  useLayoutEffect(() => {
    const key = { profileId, orderNumber };
    usePayment.getState().open(key);
    return () => usePayment.getState().leave(key);
  }, [profileId, orderNumber]);
  if (file) return <PaymentPage key={`${profileId} ${orderNumber}`} file={file} />;
  return (
    <Screen title={<span className="code">{inLine(orderNumber)}</span>} label={inLine(orderNumber)}>
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
