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
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-aria-components';
import { IconButton } from '../../components/controls/button.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { hrefOf, overviewRoute, type Route, type View } from '../../routes.ts';
import { useReviewCounts } from '../../queries/review.ts';
import { useViewCount } from '../../queries/counts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { draftsOf, isInUse } from '../../stores/new-payment/open-drafts.ts';
import { useSavedViews, useViews, viewRoute } from '../../stores/payments/views-store.ts';
import { useText } from '../../i18n/text.ts';
import { useSelf, useWhoElse } from '../../use-rights.ts';
import { OpenLinks } from './open-links.tsx';
import { RailItem } from './rail-item.tsx';
import { ProfileSwitch } from './profile-switch.tsx';
import { useOwnerLabel } from '../views/use-owner-label.ts';

/** The first screen is rendered before the payments that need review are counted. */
const countsAfterMs = 500;

const viewTo = (view: View) => ({ screen: 'payments', view, words: '' }) as const;

/** A view of the list, with the number of its payments. */
const ViewItem = ({
  to,
  ...item
}: { to: Extract<Route, { screen: 'payments' }> } & Pick<
  ComponentProps<typeof RailItem>,
  'isCurrent' | 'icon' | 'name' | 'detail'
>) => <RailItem to={to} {...item} {...useViewCount({ view: to.view, words: to.words })} />;

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
  return (
    <nav className="rail" aria-label={t('rail.name')}>
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
      <ul>
        <li>
          <RailItem
            to={overviewRoute}
            isCurrent={route.screen === 'overview'}
            icon={<ChartNoAxesColumn size={16} />}
            name={t('nav.overview')}
          />
        </li>
        <li>
          <RailItem
            to={viewTo('all')}
            isCurrent={inView('all') || route.screen === 'payment' || route.screen === 'customer'}
            icon={<ListTree size={16} />}
            name={t('nav.payments')}
          />
        </li>
        <li>
          <RailItem
            to={{ screen: 'reconciliation', cause: null }}
            isCurrent={route.screen === 'reconciliation'}
            icon={<CircleAlert size={16} />}
            name={t('nav.reconciliation')}
            {...needsReview}
            alert
          />
        </li>
        {isAgent ? null : (
          <>
            <li>
              <RailItem
                to={{ screen: 'month-end', month: null }}
                isCurrent={route.screen === 'month-end'}
                icon={<ReceiptText size={16} />}
                name={t('month-end.report')}
              />
            </li>
            <li>
              <RailItem
                to={{ screen: 'look-up', by: 'order-number', value: '' }}
                isCurrent={route.screen === 'look-up'}
                icon={<ScanSearch size={16} />}
                name={t('nav.look-up')}
              />
            </li>
            <li>
              <RailItem
                to={{ screen: 'callbacks' }}
                isCurrent={route.screen === 'callbacks'}
                icon={<Webhook size={16} />}
                name={t('nav.callbacks')}
              />
            </li>
          </>
        )}
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
        <li>
          <ViewItem
            to={viewTo('today')}
            isCurrent={inView('today')}
            icon={<CalendarDays size={16} />}
            name={t('view.today')}
          />
        </li>
        <li>
          <ViewItem
            to={viewTo('unpaid-today')}
            isCurrent={inView('unpaid-today')}
            icon={<CircleX size={16} />}
            name={t('view.unpaid-today')}
          />
        </li>
        {views.map(view => (
          <li key={view.id}>
            <ViewItem
              to={viewRoute(view)}
              isCurrent={route.screen === 'payments' && route.words === view.words}
              icon={
                view.owner === null && ownerLabel(view) !== null ? (
                  <Users size={16} />
                ) : (
                  <Bookmark size={16} />
                )
              }
              name={view.name}
              detail={ownerLabel(view)}
            />
          </li>
        ))}
      </ul>
      <OpenLinks route={route} />
      <ul className="rail-foot">
        <li>
          <RailItem
            to={{ screen: 'sandbox' }}
            isCurrent={route.screen === 'sandbox'}
            icon={<FlaskConical size={16} />}
            name={t('nav.sandbox')}
          />
        </li>
        <li>
          <RailItem
            to={{ screen: 'settings', section: mayChangeProfiles ? 'profiles' : 'appearance', id: null }}
            isCurrent={route.screen === 'settings'}
            icon={<Settings2 size={16} />}
            name={t('nav.settings')}
          />
        </li>
      </ul>
    </nav>
  );
};
