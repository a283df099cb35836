import { ChevronsDown, X } from 'lucide-react';
import { Link } from 'react-aria-components';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { openStates } from '../../../shared/payments/state-groups.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { Money } from '../../components/display/money.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Countdown } from '../../components/display/time.tsx';
import { hrefOf, type Route } from '../../routes.ts';
import { useClock } from '../../stores/clock.ts';
import { useAppState } from '../../stores/app-state.ts';
import { cardLimit, isCard, useOpenLinks } from '../../stores/payments/open-links.ts';
import { useText } from '../../i18n/text.ts';

const Card = ({ row, isCurrent }: { row: PaymentRow; isCurrent: boolean }) => {
  const t = useText();
  const state = useClock(({ wallClock }) => stateAt(row, wallClock));
  const { profileId, orderNumber, expiresAt } = row;
  const runs = endsWithLink(state) && expiresAt !== null;
  return (
    <li className={`waiting-card state-${state}`}>
      <Link
        className="waiting-link"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
        // Chromium does not scroll to a card that is partly visible.
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        <StatusBadge state={state} size={14} />
        {runs ? <Countdown expiresAt={expiresAt} /> : <span />}
        <Truncate className="code" text={orderNumber} />
        <Money amount={row.amount} currency={row.currency} />
      </Link>
      {openStates.includes(state) ? null : (
        <IconButton
          name={t('waiting.put-away', { order: orderNumber })}
          icon={<X size={14} />}
          onPress={() => useOpenLinks.getState().dismiss(row)}
        />
      )}
    </li>
  );
};

/** The active links, on every screen, since customers may take their time. */
export const OpenLinksRail = ({ route }: { route: Route }) => {
  const t = useText();
  const { cards, dismissed, more } = useOpenLinks();
  const change = useAppState(state => state.change);
  // Updated by the clock, so that a finished card disappears.
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 10_000) * 10_000);
  const shown = cards.filter(row => isCard(row, minute) && !dismissed.has(paymentKey(row)));
  const first = shown.slice(0, cardLimit);
  const rest = shown.length - first.length;
  const turned = shown.find(row => !openStates.includes(stateAt(row, minute)));
  return (
    <>
      <output className="out-of-sight">
        {turned
          ? t('waiting.turned', {
              order: turned.orderNumber,
              state: t(`state.${stateAt(turned, minute)}`),
            })
          : ''}
      </output>
      {first.length === 0 ? null : (
        <nav className="waiting" aria-label={t('waiting.name')}>
          <ul>
            {first.map(row => (
              <Card
                key={paymentKey(row)}
                row={row}
                isCurrent={
                  route.screen === 'payment' &&
                  route.profileId === row.profileId &&
                  route.orderNumber === row.orderNumber
                }
              />
            ))}
          </ul>
          {rest > 0 || more ? (
            <Link
              className="waiting-more small"
              href={hrefOf({ screen: 'payments', view: 'open', words: '' })}
            >
              {t(more ? 'waiting.many' : 'waiting.more', { count: rest })}
            </Link>
          ) : null}
          <span className="push" />
          <IconButton
            name={t('waiting.hide')}
            icon={<ChevronsDown size={16} />}
            onPress={() => void change({ waitingRail: false })}
          />
        </nav>
      )}
    </>
  );
};
