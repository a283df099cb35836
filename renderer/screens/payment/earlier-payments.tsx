import '../../styles/screens/customer.css';
import { Link } from 'react-aria-components';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Money, Truncate } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { dateFormat, useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { customerQuery } from '../../queries/customer.ts';

/** Limit of payments on the page of another one. */
const maxShown = 5;

const EarlierPayment = ({ row }: { row: PaymentRow }) => {
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const head = useHead(row);
  const year = useClock(({ wallClock }) => new Date(wallClock).getFullYear());
  const date = dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(new Date(row.firstAt).getFullYear() === year ? {} : { year: 'numeric' }),
  });
  const { profileId, orderNumber } = row;
  return (
    <li>
      <Link
        className="earlier-link tracks middle rounded-s ink small undecorated hovers"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
      >
        <StatusBadge state={head} wordless />
        <span className="out-of-sight">{say(head.label)}</span>
        <Truncate text={row.description ?? orderNumber} />
        <Money {...head.money} />
        <span className="quiet nowrap">{date.format(row.firstAt)}</span>
      </Link>
    </li>
  );
};

/** The other payments of a payment's customer, newest first: the next question of many calls. */
export const EarlierPayments = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const customer = customerQuery.use({ profileId, orderNumber }).value?.customer ?? null;
  const others = (customer?.payments ?? []).filter(row => row.orderNumber !== orderNumber);
  if (customer === null || others.length === 0) return null;
  return (
    <div className="earlier tracks gap-1 below-3 line-above">
      <h3 className="tiny quiet">{t('customer.earlier')}</h3>
      <ul aria-label={t('customer.earlier')}>
        {others.slice(0, maxShown).map(row => (
          <EarlierPayment key={paymentKey(row)} row={row} />
        ))}
      </ul>
      <Link className="small" href={hrefOf({ screen: 'customer', profileId, orderNumber })}>
        {t('customer.all-of', { name: customer.name ?? customer.email ?? customer.phone ?? '' })}
      </Link>
    </div>
  );
};
