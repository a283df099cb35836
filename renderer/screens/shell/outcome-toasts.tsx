import { X } from 'lucide-react';
import { messageMs, useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { Link } from 'react-aria-components';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { Money, Truncate } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { focusScreen } from '../../focus.ts';
import { hrefOf } from '../../routes.ts';
import { useAnnouncedOutcomes, useOutcomes } from '../../queries/outcomes.ts';
import { useText } from '../../i18n/text.ts';

const Toast = ({ row }: { row: PaymentRow }) => {
  const t = useText();
  const dismiss = useOutcomes(state => state.dismiss);
  const leave = (): void => dismiss(row);
  const frame = useDismissLater<HTMLLIElement>(leave, messageMs);
  const { profileId, orderNumber } = row;
  const head = useHead(row);
  return (
    <li ref={frame} className={`toast line gap-1 rounded-l tone-${head.tone}`}>
      <Link
        className="toast-link"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        onPress={leave}
      >
        <StatusBadge state={head} size={20} />
        <Money {...head.money} />
        <Truncate className="toast-who" text={ownCustomer(row)?.name || row.description || orderNumber} />
      </Link>
      <IconButton
        name={t('open-links.put-away', { order: orderNumber })}
        icon={<X size={14} />}
        onPress={() => {
          leave();
          focusScreen();
        }}
      />
    </li>
  );
};

/**
 * Payments that have just turned paid or declined while another screen is shown. Screen readers announce them from the open
 * links in the navigation, so this is no live region.
 */
export const OutcomeToasts = () => {
  const t = useText();
  const shown = useAnnouncedOutcomes();
  if (shown.length === 0) return null;
  return (
    <section aria-label={t('outcome.toasts')}>
      <ul>
        {shown.map(row => (
          <Toast key={paymentKey(row)} row={row} />
        ))}
      </ul>
    </section>
  );
};
