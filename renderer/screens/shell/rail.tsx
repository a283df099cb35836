import { inLine } from '../../../shared/plain-text.ts';
import {
  Bookmark,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  CircleX,
  FlaskConical,
  ListTree,
  Plus,
  ReceiptText,
  ScanSearch,
  Settings2,
  SlidersHorizontal,
  Users,
  Webhook,
  ChevronsUpDown,
  CircleDashed,
  X,
  type LucideIcon,
} from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import {
  Link,
  Button,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { IconButton, SingleKey } from '../../components/controls/button.tsx';
import { hrefOf, overviewRoute, type Route, type View } from '../../routes.ts';
import { useReviewCounts } from '../../queries/review.ts';
import { useViewCount, useCounts } from '../../queries/counts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { draftsOf, isInUse } from '../../stores/new-payment/drafts.ts';
import { useSavedViews, useViews, viewRoute } from '../../stores/payments/views-store.ts';
import { useText, useLocaleChoice, useMessage, useNumber } from '../../i18n/text.ts';
import { useSelf, useWhoElse } from '../../use-rights.ts';
import { useOwnerLabel } from '../views/use-owner-label.ts';
import { Truncate, Countdown } from '../../components/display/values.tsx';
import { ProfileLogo } from '../../components/display/marks.tsx';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { openLinksIn, openStates } from '../../../shared/payments/outcomes.ts';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { focusScreen } from '../../focus.ts';
import { useClock } from '../../stores/clock-store.ts';
import { cardLimit, isCard, useOpenLinks } from '../../queries/open-link-cards.ts';

/** One destination of the navigation, with its count. */
const RailItem = ({
  to,
  isCurrent,
  icon: Icon,
  name,
  detail = null,
  count,
  more = false,
  alert = false,
}: {
  to: Route;
  isCurrent: boolean;
  icon: LucideIcon;
  name: string;
  /** What the icon means, for a screen reader. */
  detail?: string | null;
  count?: number | undefined;
  /** The count is a lower bound. */
  more?: boolean | undefined;
  alert?: boolean;
}) => {
  const number = useNumber({ notation: 'compact' });
  return (
    <Link
      href={hrefOf(to)}
      className="rail-item focus-inside"
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
    >
      <span className="rail-icon centred quiet" aria-hidden="true">
        <Icon size={16} />
      </span>
      <Truncate className="rail-name grow" text={name} />
      {detail === null ? null : <span className="out-of-sight"> ({detail})</span>}
      {count !== undefined && count > 0 ? (
        <span className={`rail-count quiet tiny tabular ${alert ? 'alert' : ''}`}>
          {number(count)}
          {more ? '+' : ''}
        </span>
      ) : null}
    </Link>
  );
};

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
  const isLive = useClock(({ wallClock }) => isLinkLive(row, wallClock));
  const runs = (isLive || endsWithLink(state)) && expiresAt !== null;
  return (
    <li className={`open-link row relative at-start state-${state}`}>
      <Link
        className="open-link-to tracks grow min-0 rounded ink small undecorated hovers focus-inside"
        href={hrefOf({ screen: 'payment', profileId, orderNumber })}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        <StatusBadge state={head} size={14} wordless />
        <Truncate text={who ?? orderNumber} />
        {who === null ? null : <span className="out-of-sight code">{inLine(orderNumber)}</span>}
        {runs ? <Countdown expiresAt={expiresAt} /> : <span />}
        <span className="open-link-what">
          {amount === null ? '' : `${formatMoney(amount, currency ?? '', locale)} · `}
          {say(head.label)}
        </span>
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
const OpenLinks = ({ route }: { route: Route }) => {
  const t = useText();
  const { cards, more } = useOpenLinks();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const say = useMessage();
  const counts = useCounts();
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
          icon={CircleDashed}
          name={t('view.open')}
          count={openLinksIn(counts)}
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
            className="open-links-more block small"
            href={hrefOf({ screen: 'payments', view: 'open', words: '' })}
          >
            {more ? t('open-links.all') : t('open-links.more', { count: rest })}
          </Link>
        ) : null}
      </section>
    </>
  );
};

/** The active gateway account, clearly marked. */
const ProfileSwitch = () => {
  const t = useText();
  const profile = useActiveProfile();
  const { appState: app, change } = useAppState();
  if (!app || !profile) return null;
  return (
    <MenuTrigger>
      <Button className={`profile-switch text-start pointer hovers line fixed full rounded ${profile.kind}`}>
        <span className="out-of-sight">{t('profile.switch')}</span>
        <ProfileLogo profile={profile} />
        <span className="profile-switch-words stack gap-0 grow at-start min-0">
          <Truncate className="profile-switch-name" text={profile.name} />
          <span className="profile-switch-kind quiet tiny">
            <span className="profile-switch-long">{t(`profile.money.${profile.kind}`)}</span>
            <span className="profile-switch-short" aria-hidden="true">
              {t(`kind.${profile.kind}`)}
            </span>
          </span>
        </span>
        <ChevronsUpDown size={14} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={t('profiles')}
          onAction={key => {
            if (key === ' add') go({ screen: 'settings', section: 'profiles', id: 'new' });
          }}
        >
          <MenuSection
            selectionMode="single"
            selectedKeys={[profile.id]}
            disallowEmptySelection
            aria-label={t('profiles')}
            onSelectionChange={keys => {
              const id = keys === 'all' ? undefined : [...keys][0];
              if (typeof id === 'string' && id !== profile.id) void change({ activeProfileId: id });
            }}
          >
            {app.profiles.map(one => (
              <MenuItem key={one.id} id={one.id} textValue={one.name} className="menu-item">
                <ProfileLogo profile={one} />
                <Truncate text={one.name} />
                <span className="quiet small">{t(`kind.${one.kind}`)}</span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="separator" />
          <MenuItem id=" add" className="menu-item">
            <Plus size={14} aria-hidden="true" />
            {t('profile.add')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};

/** The first screen is rendered before the payments that need review are counted. */
const countsAfterMs = 500;

const viewTo = (view: View) => ({ screen: 'payments', view, words: '' }) as const;

type Item = ComponentProps<typeof RailItem>;

const Items = ({ className, items }: { className?: string; items: readonly Item[] }) => (
  <ul className={className}>
    {items.map(item => (
      <li key={item.name}>
        <RailItem {...item} />
      </li>
    ))}
  </ul>
);

/** A view of the list, with the number of its payments. */
const ViewItem = ({ to, ...item }: Item & { to: Extract<Route, { screen: 'payments' }> }) => (
  <li>
    <RailItem to={to} {...item} {...useViewCount({ view: to.view, words: to.words })} />
  </li>
);

/** The left navigation: the screens, the open payments, and the payments that need review. */
export const Rail = ({ route }: { route: Route }) => {
  const t = useText();
  const views = useSavedViews();
  const ownerLabel = useOwnerLabel();
  // Both are in the search; an agent needs neither every day.
  const isAgent = useSelf()?.role === 'agent';
  const waiting = useNewPayment(form => draftsOf(form).filter(isInUse).length);
  const { needsReview } = useReviewCounts(countsAfterMs);
  const mayChangeProfiles = useWhoElse({ request: 'profiles.save' }) === null;
  const inView = (view: View): boolean =>
    route.screen === 'payments' && route.view === view && route.words === '';
  const itemOf = (to: Route, name: MessageKey, icon: LucideIcon, isCurrent = route.screen === to.screen) => ({
    to,
    name: t(name),
    icon,
    isCurrent,
  });
  const inPayments = inView('all') || route.screen === 'payment' || route.screen === 'customer';
  return (
    <nav className="rail row gap-3 pad-3" aria-label={t('rail.name')}>
      <ProfileSwitch />
      <Link href={hrefOf({ screen: 'new' })} className="button primary rail-new">
        <Plus size={16} aria-hidden="true" />
        <span className="button-name">{t('nav.new')}</span>
        {waiting === 0 || route.screen === 'new' ? null : (
          <span className="tiny tabular" title={t('drafts.name')}>
            <span className="out-of-sight">{t('drafts.name')}</span> {waiting}
          </span>
        )}
        <SingleKey>N</SingleKey>
      </Link>
      <Items
        items={[
          itemOf(overviewRoute, 'nav.overview', ChartNoAxesColumn),
          itemOf(viewTo('all'), 'nav.payments', ListTree, inPayments),
          {
            ...itemOf({ screen: 'reconciliation', cause: null }, 'nav.reconciliation', CircleAlert),
            ...needsReview,
            alert: true,
          },
          ...(isAgent
            ? []
            : [
                itemOf({ screen: 'month-end', month: null }, 'month-end.report', ReceiptText),
                itemOf({ screen: 'look-up', by: 'order-number', value: '' }, 'nav.look-up', ScanSearch),
                itemOf({ screen: 'callbacks' }, 'nav.callbacks', Webhook),
              ]),
        ]}
      />
      <div className="rail-caption-line row spread">
        <h2 className="rail-caption caps">{t('rail.views')}</h2>
        {views.length === 0 ? null : (
          <IconButton
            name={t('views.manage')}
            icon={<SlidersHorizontal size={14} />}
            onPress={() => useViews.getState().open('manage')}
          />
        )}
      </div>
      <ul>
        {(['today', 'unpaid-today'] as const).map(view => (
          <ViewItem
            key={view}
            to={viewTo(view)}
            isCurrent={inView(view)}
            icon={view === 'today' ? CalendarDays : CircleX}
            name={t(`view.${view}`)}
          />
        ))}
        {views.map(view => (
          <ViewItem
            key={view.id}
            to={viewRoute(view)}
            isCurrent={route.screen === 'payments' && route.words === view.words}
            icon={view.owner === null && ownerLabel(view) !== null ? Users : Bookmark}
            name={view.name}
            detail={ownerLabel(view)}
          />
        ))}
      </ul>
      <OpenLinks route={route} />
      <Items
        className="rail-foot"
        items={[
          itemOf({ screen: 'sandbox' }, 'nav.sandbox', FlaskConical),
          itemOf(
            { screen: 'settings', section: mayChangeProfiles ? 'profiles' : 'appearance', id: null },
            'nav.settings',
            Settings2,
          ),
        ]}
      />
    </nav>
  );
};
