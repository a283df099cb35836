import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { useText } from '../../i18n/text.ts';
import { Truncate } from './values.tsx';

/** The customer of a row; quiet, with its source, where the merchant did not name them. */
export const CustomerName = ({ row }: { row: PaymentRow }) => {
  const t = useText();
  return (
    <Truncate
      text={row.customer?.name || row.customer?.email || ''}
      {...(ownCustomer(row) !== null || row.customer === null
        ? {}
        : {
            className: 'quiet',
            note: t(`facts.customer.${row.customerFrom === 'callback' ? 'callback' : 'look-up'}`),
          })}
    />
  );
};
