import { Link } from 'react-aria-components';
import {
  convertedStates,
  outcomeStates,
  raisedOf,
  raisedStates,
  type Outcome,
} from '../../../shared/payments/outcomes.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { durationText } from '../../components/display/duration.ts';
import { toneOf } from '../../../shared/reports/head.ts';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { hrefOf } from '../../routes.ts';
import type { Span } from '../../../shared/reports/periods.ts';
import { useLocaleChoice, useText, useNumber } from '../../i18n/text.ts';
import { listOfLinks } from './links.ts';
import { ConversionLink, NumberLink } from './number-link.tsx';
import { shownOutcomes } from './figures-table.tsx';

/** The state whose shape and tone represent an outcome. */
const markOf: Readonly<Record<Outcome, PaymentState>> = {
  paid: 'paid-confirmed',
  open: 'waiting',
  'not-paid': 'declined',
  expired: 'expired',
  returned: 'refunded',
  unclear: 'outcome-unknown',
};

/** The links of one currency by outcome, which add up to their number; beside them the rates, which are no parts. */
export const LinksCard = ({ of, span }: { of: CurrencyOverview; span: Span }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { currency, figures, medianToPay } = of;
  const { outcomes, converted } = figures;
  const number = useNumber();
  const raised = raisedOf(outcomes);
  const groups = shownOutcomes(outcomes);
  return (
    <section className="panel links-card" aria-label={t('overview.links')}>
      <header className="wrap">
        <h2>
          {raised === 0 ? (
            t('overview.links.created', { count: 0 })
          ) : (
            <Link
              className="number-link"
              href={hrefOf(listOfLinks(span, raisedStates, { currency }, language))}
            >
              {t('overview.links.created', { count: raised })}
            </Link>
          )}
        </h2>
        <span className="small quiet">
          {[
            formatMoney(figures.raisedAmount, currency, locale),
            ...(figures.unreadAmounts === 0
              ? []
              : [t('overview.unread-amounts', { count: figures.unreadAmounts })]),
            t('overview.links.text'),
          ].join(' · ')}
        </span>
      </header>
      <div className="links-bar row" aria-hidden="true">
        {groups
          .filter(outcome => outcomes[outcome] > 0)
          .map(outcome => (
            <span
              key={outcome}
              className={`tone-${toneOf(markOf[outcome])}`}
              style={{ flexGrow: outcomes[outcome] }}
            />
          ))}
      </div>
      <dl className="links-figures row wrap spread">
        {groups.map(outcome => (
          <div key={outcome}>
            <dd className="line">
              <StatusBadge state={markOf[outcome]} size={16} wordless />
              <NumberLink
                count={outcomes[outcome]}
                name={t(`overview.outcome.${outcome}`)}
                to={listOfLinks(span, outcomeStates[outcome], { currency }, language)}
              />
            </dd>
            <dt className="tiny quiet">{t(`overview.outcome.${outcome}`)}</dt>
          </div>
        ))}
        <div className="links-rate">
          <dd>
            <ConversionLink
              figures={figures}
              name={t('overview.conversion')}
              to={listOfLinks(span, convertedStates, { currency }, language)}
            />
          </dd>
          <dt className="tiny quiet">
            {t('overview.conversion.name', {
              converted: number(converted),
              raised: number(raised),
            })}
          </dt>
        </div>
        <div className="links-rate">
          <dd>
            {medianToPay === null ? <span className="quiet">–</span> : durationText(medianToPay, locale)}
          </dd>
          <dt className="tiny quiet">{t('overview.median')}</dt>
        </div>
      </dl>
    </section>
  );
};
