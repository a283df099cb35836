import {
  Bookmark,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  CircleDashed,
  CircleX,
  FlaskConical,
  ListTree,
  Plus,
  ScanSearch,
  Settings2,
  SlidersHorizontal,
  TriangleAlert,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { IconButton } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { hrefOf, overviewRoute, type Route, type View } from '../../routes.ts';
import { useCounts } from '../../stores/payments/counts.ts';
import { useReconciliation } from '../../stores/reports/reconciliation.ts';
import { attentionStates, openStates, sumOf } from '../../stores/payments/filters.ts';
import { useViewCounts } from '../../stores/payments/view-counts.ts';
import { useSavedViews, useViews, viewRoute } from '../../stores/payments/views.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { OpenLinks } from './open-links.tsx';
import { ProfileSwitch } from './profile-switch.tsx';

const Item = ({
  to,
  isCurrent,
  icon,
  name,
  keys,
  count,
  more = false,
  alert = false,
}: {
  to: Route;
  isCurrent: boolean;
  icon: ReactNode;
  name: string;
  keys?: string;
  count?: number | undefined;
  /** The count is a lower bound. */
  more?: boolean | undefined;
  alert?: boolean;
}) => {
  const { locale } = useLocaleChoice();
  return (
    <li>
      <Link href={hrefOf(to)} className="rail-item" {...(isCurrent ? { 'aria-current': 'page' } : {})}>
        <span className="rail-icon" aria-hidden="true">
          {icon}
        </span>
        <Truncate className="rail-name" text={name} />
        {count !== undefined && count > 0 ? (
          <span className={`rail-count ${alert ? 'alert' : ''}`}>
            {new Intl.NumberFormat(locale, { notation: 'compact' }).format(count)}
            {more ? '+' : ''}
          </span>
        ) : null}
        {keys === undefined ? null : <SingleKey>{keys}</SingleKey>}
      </Link>
    </li>
  );
};

const viewTo = (view: View): Route => ({ screen: 'payments', view, words: '' });

/** The left navigation: the screens, the open payments, and the payments that need review. */
export const Rail = ({ route }: { route: Route }) => {
  const t = useText();
  const counts = useCounts(state => state.states);
  const counted = useViewCounts();
  const views = useSavedViews();
  const needsReview = useReconciliation(state => state.needsReview);
  const inView = (view: View): boolean =>
    route.screen === 'payments' && route.view === view && route.words === '';
  return (
    <nav className="rail" aria-label={t('rail.name')}>
      <ProfileSwitch />
      <Link href={hrefOf({ screen: 'new' })} className="button primary rail-new">
        <Plus size={16} aria-hidden="true" />
        <span className="button-name">{t('nav.new')}</span>
        <SingleKey>N</SingleKey>
      </Link>
      <ul>
        <Item
          to={overviewRoute}
          isCurrent={route.screen === 'overview'}
          icon={<ChartNoAxesColumn size={16} />}
          name={t('nav.overview')}
        />
        <Item
          to={viewTo('all')}
          isCurrent={inView('all') || route.screen === 'payment'}
          icon={<ListTree size={16} />}
          name={t('nav.payments')}
        />
        <Item
          to={{ screen: 'reconciliation', cause: null }}
          isCurrent={route.screen === 'reconciliation'}
          icon={<CircleAlert size={16} />}
          name={t('nav.reconciliation')}
          {...needsReview}
          alert
        />
        <Item
          to={{ screen: 'look-up', by: 'order-number', value: '' }}
          isCurrent={route.screen === 'look-up'}
          icon={<ScanSearch size={16} />}
          name={t('nav.look-up')}
        />
        <Item
          to={{ screen: 'callbacks' }}
          isCurrent={route.screen === 'callbacks'}
          icon={<Webhook size={16} />}
          name={t('nav.callbacks')}
        />
      </ul>
      <div className="rail-caption-line">
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
        <Item
          to={viewTo('today')}
          isCurrent={inView('today')}
          icon={<CalendarDays size={16} />}
          name={t('view.today')}
          {...counted['today']}
        />
        <Item
          to={viewTo('open')}
          isCurrent={inView('open')}
          icon={<CircleDashed size={16} />}
          name={t('view.open')}
          count={sumOf(counts, openStates)}
        />
        <Item
          to={viewTo('attention')}
          isCurrent={inView('attention')}
          icon={<TriangleAlert size={16} />}
          name={t('view.attention')}
          count={sumOf(counts, attentionStates)}
          alert
        />
        <Item
          to={viewTo('unpaid-today')}
          isCurrent={inView('unpaid-today')}
          icon={<CircleX size={16} />}
          name={t('view.unpaid-today')}
          {...counted['unpaid-today']}
        />
        {views.map(view => (
          <Item
            key={view.id}
            to={viewRoute(view)}
            isCurrent={route.screen === 'payments' && route.words === view.words}
            icon={<Bookmark size={16} />}
            name={view.name}
            {...counted[view.id]}
          />
        ))}
      </ul>
      <OpenLinks route={route} />
      <ul className="rail-foot">
        <Item
          to={{ screen: 'sandbox' }}
          isCurrent={route.screen === 'sandbox'}
          icon={<FlaskConical size={16} />}
          name={t('nav.sandbox')}
        />
        <Item
          to={{ screen: 'settings', section: 'profiles', id: null }}
          isCurrent={route.screen === 'settings'}
          icon={<Settings2 size={16} />}
          name={t('nav.settings')}
        />
      </ul>
    </nav>
  );
};
