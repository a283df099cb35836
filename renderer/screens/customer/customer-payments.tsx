import { Link } from 'react-aria-components';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { AlignedMoney } from '../../components/display/money-text.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useHead } from '../../hooks/use-head.ts';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';

const Payment = ({ row, withRefunds }: { row: PaymentRow; withRefunds: boolean }) => {
  const head = useHead(row);
  const { profileId, orderNumber } = row;
  const { refunded, net } = moneyOf(row);
  return (
    <tr className={head.kind.startsWith('expired') ? 'over' : ''}>
      <td>
        <StatusBadge state={head} inList />
      </td>
      <td className="figure">
        <AlignedMoney {...shownMoney(row)} />
      </td>
      {withRefunds ? (
        <>
          <td className="figure">
            <AlignedMoney amount={Number(refunded ?? 0) === 0 ? null : refunded} currency={row.currency} />
          </td>
          <td className="figure">
            <AlignedMoney amount={net} currency={row.currency} />
          </td>
        </>
      ) : null}
      <td>
        <Link
          className="row-link tracks min-0 ink-inherit undecorated"
          href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        >
          <Truncate text={row.description ?? '–'} />
          <Truncate className="code tiny quiet" text={orderNumber} />
        </Link>
      </td>
      <td className="figure quiet">
        <Time at={row.firstAt} />
      </td>
    </tr>
  );
};

/** All payments of the customer, newest first, with what went back of each. */
export const CustomerPayments = ({ rows, more }: { rows: readonly PaymentRow[]; more: boolean }) => {
  const t = useText();
  const withRefunds = rows.some(row => Number(moneyOf(row).refunded ?? 0) > 0);
  return (
    <section className="panel flush" aria-label={t('nav.payments')}>
      <header>
        <h2>{t('nav.payments')}</h2>
        <span className="small quiet">
          {t(more ? 'customer.count.more' : 'customer.count', { count: rows.length })}
        </span>
      </header>
      <div className="wide-frame">
        <table className="customer-payments full to-edges collapsed small">
          <thead>
            <tr>
              <th scope="col">{t('column.state')}</th>
              <th scope="col" className="figure">
                {t('column.amount')}
              </th>
              {withRefunds ? (
                <>
                  <th scope="col" className="figure">
                    {t('column.refunded')}
                  </th>
                  <th scope="col" className="figure">
                    {t('column.net')}
                  </th>
                </>
              ) : null}
              <th scope="col">{t('customer.what')}</th>
              <th scope="col" className="figure">
                {t('column.when')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <Payment key={paymentKey(row)} row={row} withRefunds={withRefunds} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
