import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { MovedMoney } from '../../../shared/reports/overview.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { signedMoney } from './plain-amount.ts';

const heads = ['paid', 'refunded', 'voided', 'disputed', 'net'] as const;

/** The money of the period by the date on which it moved: what came in, what went back and how, and the difference. */
export const MovedCard = ({ moved }: { moved: readonly MovedMoney[] }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const uncounted = moved.reduce((sum, one) => sum + one.uncounted, 0);
  return (
    <section className="panel flush bare" aria-label={t('overview.moved')}>
      <header className="wrap">
        <h2>{t('overview.moved')}</h2>
        <span className="small quiet">{t('overview.moved.text')}</span>
      </header>
      <div className="numbers-frame">
        <table className="figures-table full to-edges collapsed small tabular">
          <thead>
            <tr>
              <th scope="col">{t('overview.currency')}</th>
              {heads.map(head => (
                <th key={head} scope="col">
                  {t(`overview.moved.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moved.map(of => (
              <tr key={of.currency}>
                <th scope="row">{of.currency}</th>
                {[of.paidAmount, of.refundedAmount, of.voidedAmount, of.disputedAmount].map((amount, at) => (
                  <td key={heads[at]}>
                    {Number(amount) === 0 ? (
                      // An amount that is not known may be of any kind.
                      <span className="quiet">{of.uncounted > 0 ? '–' : '0'}</span>
                    ) : (
                      formatMoney(amount, of.currency, locale)
                    )}
                  </td>
                ))}
                <td className="strong">{signedMoney(of.netAmount, of.currency, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {uncounted === 0 ? null : (
        <p className="small muted moved-uncounted">{t('overview.moved.uncounted', { count: uncounted })}</p>
      )}
    </section>
  );
};
