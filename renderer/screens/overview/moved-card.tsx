import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { MovedMoney } from '../../../shared/reports/overview.ts';
import { DataTable, type Column } from '../../components/display/data-table.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { signedMoney } from './plain-amount.ts';

/** The money of the period by the date on which it moved: what came in, what went back and how, and the difference. */
export const MovedCard = ({ moved }: { moved: readonly MovedMoney[] }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const uncounted = moved.reduce((sum, one) => sum + one.uncounted, 0);
  const column = (
    name: 'paid' | 'refunded' | 'voided' | 'disputed',
    amountOf: (of: MovedMoney) => string,
  ): Column<MovedMoney> => ({
    head: t(`overview.moved.${name}`),
    cell: of =>
      Number(amountOf(of)) === 0 ? (
        // An amount that is not known may be of any kind.
        <span className="quiet">{of.uncounted > 0 ? '–' : '0'}</span>
      ) : (
        formatMoney(amountOf(of), of.currency, locale)
      ),
  });
  return (
    <section className="panel flush bare" aria-label={t('overview.moved')}>
      <header className="wrap">
        <h2>{t('overview.moved')}</h2>
        <span className="small quiet">{t('overview.moved.text')}</span>
      </header>
      <div className="numbers-frame">
        <DataTable
          className="figures-table full to-edges collapsed small tabular"
          rows={moved}
          keyOf={({ currency }) => currency}
          columns={{
            currency: { head: t('overview.currency'), cell: ({ currency }) => currency, isName: true },
            paid: column('paid', of => of.paidAmount),
            refunded: column('refunded', of => of.refundedAmount),
            voided: column('voided', of => of.voidedAmount),
            disputed: column('disputed', of => of.disputedAmount),
            net: {
              head: t('overview.moved.net'),
              cell: of => signedMoney(of.netAmount, of.currency, locale),
              className: 'strong',
            },
          }}
        />
      </div>
      {uncounted === 0 ? null : (
        <p className="small muted moved-uncounted">{t('overview.moved.uncounted', { count: uncounted })}</p>
      )}
    </section>
  );
};
