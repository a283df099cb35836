import { Check, Link2 } from 'lucide-react';
import { useState } from 'react';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { paymentAddress, readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import { Button } from '../../components/controls/button.tsx';
import { useText } from '../../i18n/text.ts';

/** Copies the address of this page; not the payment link, as its label states. */
export const CopyAddress = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const [copied, setCopied] = useState(false);
  const address = paymentAddress({ profileId, orderNumber });
  // An address that Counterfoil itself would refuse is not offered.
  if (readPaymentAddress(address) === null) return null;
  const copy = (): void => {
    void navigator.clipboard.writeText(address).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <>
      <Button
        variant="quiet"
        icon={copied ? <Check size={16} /> : <Link2 size={16} />}
        onPress={copy}
        onBlur={() => setCopied(false)}
      >
        {t('address.copy')}
      </Button>
      <output className="tiny quiet">{t(copied ? 'address.copied' : 'address.copy.text')}</output>
    </>
  );
};
