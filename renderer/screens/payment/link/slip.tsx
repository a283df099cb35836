import { createPortal } from 'react-dom';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { Money } from '../../../components/display/money.tsx';
import { QrCode } from '../../../components/display/qr-code.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';

/** The print layout: one page with the link as text and code. Visible only on paper. */
export const PaymentSlip = ({ payment, merchant }: { payment: Payment; merchant: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  if (payment.link === null) return null;
  return createPortal(
    <section className="slip" aria-hidden="true">
      <p className="slip-merchant">{merchant}</p>
      <p className="slip-amount">
        <Money amount={payment.amount} currency={payment.currency} size="large" />
      </p>
      <p>{payment.description}</p>
      <p className="code">{payment.orderNumber}</p>
      <QrCode text={payment.link.url} name="" size={260} />
      <p className="code slip-link">{payment.link.url}</p>
      <p>{t('slip.until', { time: clockTime(payment.link.expiresAt, locale, 0) })}</p>
      <p className="slip-warning">{t('slip.warning')}</p>
    </section>,
    document.body,
  );
};
