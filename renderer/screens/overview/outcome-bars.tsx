import { outcomes, outcomeStates, raisedOf } from '../../../shared/payments/outcomes.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import { toneOf } from '../../components/display/status-badge.tsx';
import type { Span } from '../../../shared/reports/periods.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { listOfLinks } from './links.ts';
import { NumberLink } from './number-link.tsx';
import { markOf, OutcomeMark } from './outcome-mark.tsx';

/** The outcomes of links as bars: for a single day, which has no columns. */
export const OutcomeBars = ({ of, span }: { of: CurrencyOverview; span: Span }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const counts = of.figures.outcomes;
  const raised = Math.max(1, raisedOf(counts));
  const most = Math.max(1, ...outcomes.map(outcome => counts[outcome]));
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <section className="panel" aria-label={t('overview.outcomes')}>
      <header>
        <h2>{t('overview.outcomes')}</h2>
      </header>
      <table className="bars">
        <thead className="out-of-sight">
          <tr>
            <th scope="col">{t('overview.outcomes')}</th>
            <th scope="col">{t('overview.created')}</th>
            <th scope="col">{t('overview.share')}</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(outcome => (
            <tr key={outcome}>
              <th scope="row">
                <OutcomeMark outcome={outcome} />
              </th>
              <td className="bar-cell">
                {counts[outcome] === 0 ? null : (
                  <span
                    className={`bar tone-${toneOf[markOf[outcome]]}`}
                    style={{ inlineSize: `${(counts[outcome] / most) * 100}%` }}
                    aria-hidden="true"
                  />
                )}
                <NumberLink
                  count={counts[outcome]}
                  name={t(`overview.outcome.${outcome}`)}
                  to={listOfLinks(span, outcomeStates[outcome], { currency: of.currency }, language)}
                />
              </td>
              <td className="bar-share quiet small">{share.format(counts[outcome] / raised)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
