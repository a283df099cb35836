import { amountWithout } from '../../../shared/money/wire-amount.ts';
import { Money } from '../../components/display/money-text.tsx';
import { useText } from '../../i18n/text.ts';
import type { Customer } from '../../queries/customer.ts';

/** The customer's money, each currency for itself: amounts of two currencies are never added. */
export const CustomerTotals = ({ sums }: { sums: Customer['sums'] }) => {
  const t = useText();
  if (sums.length === 0) return null;
  return (
    <section className="panel" aria-label={t('customer.totals')}>
      <header>
        <h2>{t('customer.totals')}</h2>
      </header>
      {sums.map(({ currency, links, open, paid, paidAmount, refundedAmount, uncounted }) => (
        <div key={currency} className="customer-total">
          <dl className="customer-sums small">
            <dt>{t('overview.moved.paid')}</dt>
            <dd>
              <Money amount={paidAmount} currency={currency} />
            </dd>
            {Number(refundedAmount) === 0 ? null : (
              <>
                <dt>{t('column.refunded')}</dt>
                <dd>
                  <Money amount={refundedAmount} currency={currency} />
                </dd>
                <dt>{t('column.net')}</dt>
                <dd>
                  <Money amount={amountWithout(paidAmount, [refundedAmount])} currency={currency} />
                </dd>
              </>
            )}
          </dl>
          <p className="tiny quiet">{t('customer.totals.counts', { paid, links, open })}</p>
          {uncounted === 0 ? null : (
            <p className="tiny muted">{t('customer.totals.uncounted', { count: uncounted })}</p>
          )}
        </div>
      ))}
    </section>
  );
};
