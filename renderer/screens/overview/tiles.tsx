import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import {
  convertedStates,
  noOutcomes,
  outcomeStates,
  raisedOf,
  raisedStates,
  type Outcome,
} from '../../../shared/payments/outcomes.ts';
import type { CurrencyOverview } from '../../../shared/reports/overview.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { durationText } from '../../components/display/duration.ts';
import { Money } from '../../components/display/money.tsx';
import { toneOf } from '../../components/display/status-badge.tsx';
import { hrefOf, type Route } from '../../routes.ts';
import type { Span } from '../../../shared/reports/periods.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { listOfLinks } from './links.ts';
import { NumberLink } from './number-link.tsx';
import { markOf, OutcomeMark } from './outcome-mark.tsx';

const Tile = ({
  name,
  value,
  description,
  to,
  tone = 'over',
  inWords = false,
  children,
}: {
  name: ReactNode;
  value: string;
  /** The accessible name and value, for screen readers. */
  description: string;
  to: Route | null;
  tone?: string;
  /** The value is longer than a number. */
  inWords?: boolean;
  children?: ReactNode;
}) => (
  <div className={`tile figure tone-edge tone-${tone}`}>
    <span className="tile-name line">{name}</span>
    {to === null ? (
      <span className="tile-count quiet">{value}</span>
    ) : (
      <Link
        href={hrefOf(to)}
        className={`tile-count number-link ${inWords ? 'in-words' : ''}`}
        aria-label={description}
      >
        {value}
      </Link>
    )}
    {children === undefined ? null : <span className="small muted">{children}</span>}
  </div>
);

const shown: readonly Outcome[] = ['paid', 'not-paid', 'expired', 'open', 'returned', 'unclear'];

/** The key figures of one currency, each with today's part; each opens its list. */
export const Tiles = ({ of, span }: { of: CurrencyOverview; span: Span }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { currency, figures, days } = of;
  const number = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const raised = raisedOf(figures.outcomes);
  const last = days.at(-1);
  const today = days.length > 1 && last ? last : null;
  const list = (states: readonly PaymentState[], within: Span = span): Route =>
    listOfLinks(within, states, { currency }, language);
  const ofToday = (count: number, states: readonly PaymentState[], name: string) =>
    today === null ? null : (
      <>
        {t('overview.today')} <NumberLink count={count} name={name} to={list(states, today)} />
      </>
    );
  const todays = today?.outcomes ?? noOutcomes();
  return (
    <div className="tiles figures">
      <Tile
        name={t('overview.created')}
        value={number.format(raised)}
        description={`${number.format(raised)} ${t('overview.created')}`}
        to={raised === 0 ? null : list(raisedStates)}
      >
        <Money amount={figures.raisedAmount} currency={currency} />
        <br />
        {figures.unreadAmounts > 0 ? (
          <>
            {t('overview.unread-amounts', { count: figures.unreadAmounts })}
            <br />
          </>
        ) : null}
        {ofToday(raisedOf(todays), raisedStates, t('overview.created'))}
      </Tile>
      {shown.map(outcome => {
        const count = figures.outcomes[outcome];
        const name = t(`overview.outcome.${outcome}`);
        return (
          <Tile
            key={outcome}
            name={<OutcomeMark outcome={outcome} />}
            value={number.format(count)}
            description={`${number.format(count)} ${name}`}
            tone={toneOf[markOf[outcome]]}
            to={count === 0 ? null : list(outcomeStates[outcome])}
          >
            {outcome === 'paid' ? (
              <>
                <Money amount={figures.paidAmount} currency={currency} />
                <br />
              </>
            ) : null}
            {ofToday(todays[outcome], outcomeStates[outcome], name)}
          </Tile>
        );
      })}
      <Tile
        name={t('overview.conversion')}
        value={raised === 0 ? '–' : share.format(figures.converted / raised)}
        description={t('overview.conversion.text', { converted: figures.converted, raised })}
        to={figures.converted === 0 ? null : list(convertedStates)}
      >
        {t('overview.conversion.text', { converted: figures.converted, raised })}
      </Tile>
      <Tile
        name={t('overview.median')}
        inWords
        value={figures.medianToPay === null ? '–' : durationText(figures.medianToPay, locale)}
        description={
          figures.medianToPay === null
            ? ''
            : `${durationText(figures.medianToPay, locale)} ${t('overview.median')}`
        }
        to={figures.medianToPay === null ? null : list(convertedStates)}
      >
        {t('overview.median.text')}
      </Tile>
    </div>
  );
};
