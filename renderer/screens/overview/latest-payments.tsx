import { Link } from 'react-aria-components';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Money } from '../../components/display/money-text.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { clockTime } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useHead } from '../../hooks/use-head.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';

const LatestPayment = ({ row }: { row: PaymentRow }) => {
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const head = useHead(row);
  const at = useClock(({ wallClock }) => clockTime(row.firstAt, locale, wallClock));
  const { profileId, orderNumber, description } = row;
  return (
    <li>
      <Link
        className="latest-link tracks ink-inherit small undecorated"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
      >
        <StatusBadge state={head} size={16} wordless />
        <span className="out-of-sight">{say(head.label)}</span>
        <Truncate text={ownCustomer(row)?.name || description || orderNumber} />
        <Money {...head.money} />
        <Truncate
          className="tiny quiet"
          text={ownCustomer(row)?.name ? (description ?? orderNumber) : orderNumber}
        />
        <span className="tiny quiet time">{at}</span>
      </Link>
    </li>
  );
};

/** The payments that began last, of any period and currency. */
export const LatestPayments = ({ rows }: { rows: readonly PaymentRow[] }) => {
  const t = useText();
  if (rows.length === 0) return null;
  return (
    <section className="panel flush bare" aria-label={t('overview.latest')}>
      <header>
        <h2>{t('overview.latest')}</h2>
        <Link className="small push" href={hrefOf({ screen: 'payments', view: 'all', words: '' })}>
          {t('overview.latest.all')}
        </Link>
      </header>
      <ul className="latest">
        {rows.map(row => (
          <LatestPayment key={paymentKey(row)} row={row} />
        ))}
      </ul>
    </section>
  );
};
