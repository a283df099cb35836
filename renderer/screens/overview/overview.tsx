import { ChartNoAxesColumn, Flag, TriangleAlert } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import type { PaymentState } from '../../../shared/payment.ts';
import { Empty } from '../../components/note.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusMark, toneOf } from '../../components/status-mark.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { hrefOf, type Route } from '../../routes.ts';
import { useCounts } from '../../stores/counts.ts';
import { useActiveProfile } from '../../stores/desk.ts';
import { attentionStates, openStates, sumOf } from '../../stores/filters.ts';
import { useLocaleChoice, useText } from '../../text.ts';

const paidStates: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed'];
const unpaidStates: readonly PaymentState[] = ['declined', 'expired', 'refused'];

const listOf = (states: readonly PaymentState[]): Route => ({
  screen: 'payments',
  view: 'all',
  words: '',
  states,
});

const Tile = ({
  name,
  count,
  to,
  tone,
  icon,
}: {
  name: string;
  count: number;
  to: Route;
  tone: string;
  icon?: ReactNode;
}) => {
  const { locale } = useLocaleChoice();
  return (
    <Link href={hrefOf(to)} className={`tile tone-edge tone-${tone}`}>
      <span className="tile-count">{new Intl.NumberFormat(locale).format(count)}</span>
      <span className="tile-name line">
        {icon}
        {name}
      </span>
    </Link>
  );
};

/** Where the payments of this profile stand; every number opens the list that makes it. */
export const OverviewScreen = () => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { states, flagged } = useCounts();
  const profile = useActiveProfile();
  useEffect(() => void useCounts.getState().read(), []);
  const total = Object.values(states).reduce((sum, count) => sum + count, 0);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  const shown = statesInOrder.filter(state => (states[state] ?? 0) > 0);
  const most = Math.max(1, ...shown.map(state => states[state] ?? 0));
  return (
    <Screen
      title={t('nav.overview')}
      label={t('nav.overview')}
      lead={t('overview.lead', { profile: profile?.name ?? '' })}
      className="overview"
    >
      {total === 0 ? (
        <Empty icon={<ChartNoAxesColumn size={28} />} title={t('overview.empty')}>
          {t('overview.empty.text')}
        </Empty>
      ) : (
        <>
          <div className="tiles">
            <Tile name={t('overview.all')} count={total} to={listOf([])} tone="over" />
            <Tile
              name={t('overview.paid')}
              count={sumOf(states, paidStates)}
              to={listOf(paidStates)}
              tone="paid"
            />
            <Tile
              name={t('overview.open')}
              count={sumOf(states, openStates)}
              to={listOf(openStates)}
              tone="open"
            />
            <Tile
              name={t('overview.unpaid')}
              count={sumOf(states, unpaidStates)}
              to={listOf(unpaidStates)}
              tone="unpaid"
            />
            <Tile
              name={t('overview.attention')}
              count={sumOf(states, attentionStates)}
              to={listOf(attentionStates)}
              tone="alert"
              icon={<TriangleAlert size={14} aria-hidden="true" />}
            />
          </div>
          <section className="panel" aria-label={t('overview.by-state')}>
            <header className="line spread">
              <h2>{t('overview.by-state')}</h2>
              <span className="small quiet line">
                <Flag size={14} aria-hidden="true" /> {t('overview.flagged', { count: flagged })}
              </span>
            </header>
            <table className="bars">
              <thead className="out-of-sight">
                <tr>
                  <th scope="col">{t('column.state')}</th>
                  <th scope="col">{t('overview.payments')}</th>
                  <th scope="col">{t('overview.share')}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(state => {
                  const count = states[state] ?? 0;
                  return (
                    <tr key={state}>
                      <th scope="row">
                        <Link href={hrefOf(listOf([state]))} className="bar-name">
                          <StatusMark state={state} />
                        </Link>
                      </th>
                      <td className="bar-cell">
                        <span
                          className={`bar tone-${toneOf[state]}`}
                          style={{ inlineSize: `${(count / most) * 100}%` }}
                          aria-hidden="true"
                        />
                        <span className="bar-count">{number.format(count)}</span>
                      </td>
                      <td className="bar-share quiet small">{share.format(count / total)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
        </>
      )}
    </Screen>
  );
};
