import { X } from 'lucide-react';
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
import { cardLimit, isCard, useOpenLinks } from '../../stores/payments/open-links.ts';
import { useText } from '../../i18n/text.ts';

const OpenLink = ({ row, isCurrent }: { row: PaymentRow; isCurrent: boolean }) => {
  const t = useText();
  const state = useClock(({ wallClock }) => stateAt(row, wallClock));
  const { profileId, orderNumber, expiresAt, customer } = row;
  const runs = endsWithLink(state) && expiresAt !== null;
  return (
    <li className={`open-link state-${state}`}>
      <Link
        className="open-link-to"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        <StatusBadge state={state} size={14} wordless />
        <Truncate className="open-link-who" text={customer?.name ?? orderNumber} />
        {customer?.name === undefined ? null : <span className="out-of-sight">{orderNumber}</span>}
        {runs ? <Countdown expiresAt={expiresAt} /> : <span />}
        <span className="open-link-what clip">
          <Money amount={row.amount} currency={row.currency} /> · {t(`state.${state}`)}
        </span>
      </Link>
      {openStates.includes(state) ? null : (
        <IconButton
          name={t('open-links.put-away', { order: orderNumber })}
          icon={<X size={14} />}
          onPress={() => useOpenLinks.getState().dismiss(row)}
        />
      )}
    </li>
  );
};

/** The links that can still be paid, and payments that have just ended, on every screen. */
export const OpenLinks = ({ route }: { route: Route }) => {
  const t = useText();
  const { cards, dismissed, more } = useOpenLinks();
  // Updated by the clock, so that a finished payment disappears.
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 10_000) * 10_000);
  const shown = cards.filter(row => isCard(row, minute) && !dismissed.has(paymentKey(row)));
  const first = shown.slice(0, cardLimit);
  const rest = shown.length - first.length;
  const turned = shown.find(row => !openStates.includes(stateAt(row, minute)));
  return (
    <>
      <output className="out-of-sight">
        {turned
          ? t('open-links.turned', {
              order: turned.orderNumber,
              state: t(`state.${stateAt(turned, minute)}`),
            })
          : ''}
      </output>
      {first.length === 0 ? null : (
        <section className="open-links" aria-label={t('open-links.name')}>
          <h2 className="rail-caption caps">{t('open-links.name')}</h2>
          <ul>
            {first.map(row => (
              <OpenLink
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
              className="open-links-more small"
              href={hrefOf({ screen: 'payments', view: 'open', words: '' })}
            >
              {t(more ? 'open-links.many' : 'open-links.more', { count: rest })}
            </Link>
          ) : null}
        </section>
      )}
    </>
  );
};
