import { inLine } from '../../../shared/plain-text.ts';
import { CircleDashed, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { openStates } from '../../../shared/payments/outcomes.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Countdown } from '../../components/display/time.tsx';
import { focusScreen } from '../../focus.ts';
import { useHead } from '../../hooks/use-head.ts';
import { hrefOf, type Route } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useCounts } from '../../queries/counts.ts';
import { sumOf } from '../../stores/payments/filters.ts';
import { cardLimit, isCard, useOpenLinks } from '../../queries/open-link-cards.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { RailItem } from './rail-item.tsx';

const OpenLink = ({
  row,
  isCurrent,
  onDismiss,
}: {
  row: PaymentRow;
  isCurrent: boolean;
  onDismiss: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const state = useClock(({ wallClock }) => stateAt(row, wallClock));
  const { profileId, orderNumber, expiresAt } = row;
  const head = useHead(row);
  const { amount, currency } = head.money;
  const who = ownCustomer(row)?.name || row.description;
  const runs = endsWithLink(state) && expiresAt !== null;
  return (
    <li className={`open-link row relative at-start state-${state}`}>
      <Link
        className="open-link-to hovers focus-inside"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        <StatusBadge state={head} size={14} wordless />
        <Truncate text={who ?? orderNumber} />
        {who === null ? null : <span className="out-of-sight code">{inLine(orderNumber)}</span>}
        {runs ? <Countdown expiresAt={expiresAt} /> : <span />}
        <Truncate
          className="open-link-what"
          text={`${amount === null ? '' : `${formatMoney(amount, currency ?? '', locale)} · `}${say(head.label)}`}
        />
      </Link>
      {openStates.includes(state) ? null : (
        <IconButton
          name={t('open-links.put-away', { order: orderNumber })}
          icon={<X size={14} />}
          onPress={onDismiss}
        />
      )}
    </li>
  );
};

/** The links that can still be paid, and payments that have just ended, on every screen. */
export const OpenLinks = ({ route }: { route: Route }) => {
  const t = useText();
  const { cards, more } = useOpenLinks();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const say = useMessage();
  const { states: counts } = useCounts();
  // Updated by the clock, so that a finished payment disappears.
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 10_000) * 10_000);
  const shown = cards.filter(row => isCard(row, minute) && !dismissed.has(paymentKey(row)));
  const isListed = useAppState(state => state.appState?.settings.waitingRail !== false);
  const first = isListed ? shown.slice(0, cardLimit) : [];
  const rest = isListed ? shown.length - first.length : 0;
  const turned = shown.find(row => !openStates.includes(stateAt(row, minute)));
  return (
    <>
      <output className="out-of-sight">
        {turned
          ? t('open-links.turned', {
              order: turned.orderNumber,
              state: say(headOf(turned, minute).label),
            })
          : ''}
      </output>
      <section className="open-links" aria-label={t('open-links.name')}>
        <RailItem
          to={{ screen: 'payments', view: 'open', words: '' }}
          isCurrent={route.screen === 'payments' && route.view === 'open' && route.words === ''}
          icon={<CircleDashed size={16} />}
          name={t('view.open')}
          count={sumOf(counts, openStates)}
        />
        {first.length === 0 ? null : (
          <ul>
            {first.map(row => (
              <OpenLink
                key={paymentKey(row)}
                row={row}
                onDismiss={() => {
                  setDismissed(new Set([...dismissed, paymentKey(row)]));
                  focusScreen();
                }}
                isCurrent={
                  route.screen === 'payment' &&
                  route.profileId === row.profileId &&
                  route.orderNumber === row.orderNumber
                }
              />
            ))}
          </ul>
        )}
        {isListed && (rest > 0 || more) ? (
          <Link
            className="open-links-more small"
            href={hrefOf({ screen: 'payments', view: 'open', words: '' })}
          >
            {more ? t('open-links.all') : t('open-links.more', { count: rest })}
          </Link>
        ) : null}
      </section>
    </>
  );
};
