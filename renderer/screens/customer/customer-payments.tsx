import { Link } from 'react-aria-components';
import { headOf } from '../../../shared/reports/head.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { AlignedMoney, Time, Truncate } from '../../components/display/values.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';

const figure = { headClass: 'figure', className: 'figure' };

/** All payments of the customer, newest first, with what went back of each. */
export const CustomerPayments = ({ rows, more }: { rows: readonly PaymentRow[]; more: boolean }) => {
  const t = useText();
  // The clock ticks; the table is drawn again when a link expires.
  useClock(({ wallClock }) => rows.filter(row => wallClock >= (row.expiresAt ?? Infinity)).length);
  const heads = (row: PaymentRow) => headOf(row, useClock.getState().wallClock);
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
        <DataTable
          className="customer-payments full to-edges collapsed small"
          rows={rows}
          keyOf={paymentKey}
          rowClass={row => (heads(row).kind.startsWith('expired') ? 'over' : '')}
          columns={{
            state: {
              head: t('column.state'),
              cell: row => <StatusBadge state={heads(row)} inList />,
            },
            amount: {
              ...figure,
              head: t('column.amount'),
              cell: row => <AlignedMoney {...shownMoney(row)} />,
            },
            ...(withRefunds
              ? {
                  refunded: {
                    ...figure,
                    head: t('column.refunded'),
                    cell: (row: PaymentRow) => {
                      const { refunded } = moneyOf(row);
                      return (
                        <AlignedMoney
                          amount={Number(refunded ?? 0) === 0 ? null : refunded}
                          currency={row.currency}
                        />
                      );
                    },
                  },
                  net: {
                    ...figure,
                    head: t('column.net'),
                    cell: (row: PaymentRow) => (
                      <AlignedMoney amount={moneyOf(row).net} currency={row.currency} />
                    ),
                  },
                }
              : {}),
            what: {
              head: t('customer.what'),
              cell: ({ profileId, orderNumber, description }) => (
                <Link
                  className="row-link tracks min-0 ink-inherit undecorated"
                  href={hrefOf({ screen: 'payment', profileId, orderNumber })}
                >
                  <Truncate text={description ?? '–'} />
                  <Truncate className="code tiny quiet" text={orderNumber} />
                </Link>
              ),
            },
            when: {
              head: t('column.when'),
              cell: row => <Time at={row.firstAt} />,
              headClass: 'figure',
              className: 'figure quiet',
            },
          }}
        />
      </div>
    </section>
  );
};
