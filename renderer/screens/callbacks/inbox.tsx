import { useEffect, useMemo } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { Truncate } from '../../components/display/truncate.tsx';
import { Time } from '../../components/display/time.tsx';
import { VerificationMark } from '../../components/display/verification-mark.tsx';
import { useAppState } from '../../stores/app-state.ts';
import { groupDeliveries, inboxLimit, useInbox, type Received } from '../../stores/callbacks/inbox.ts';
import { go } from '../../stores/route.ts';
import { useText } from '../../i18n/text.ts';
import { ReceiverHealthPanel } from './receiver-health.tsx';

const valueOf = (event: Received, name: string): string =>
  event.body.fields.find(([field]) => field === name)?.[1] ?? '–';

/** The live inbox: received callbacks, verified or not, with duplicates grouped as deliveries of one event. */
export const Inbox = () => {
  const t = useText();
  const events = useInbox(state => state.events);
  const health = useAppState(state => state.appState?.receiver ?? null);
  useEffect(() => void useInbox.getState().read(), []);
  const groups = useMemo(() => groupDeliveries(events), [events]);
  return (
    <aside className="stack" aria-label={t('inbox.name')}>
      {health ? <ReceiverHealthPanel health={health} /> : null}
      <section className="panel flush" aria-label={t('inbox.name')}>
        <header>
          <h2>{t('inbox.name')}</h2>
          <span className="small quiet">
            {t(events.length < inboxLimit ? 'inbox.count' : 'inbox.newest', { count: groups.length })}
          </span>
        </header>
        <GridList
          className="inbox"
          aria-label={t('inbox.name')}
          items={groups.map(group => ({ ...group, id: group.event.id }))}
          onAction={key => {
            const event = events.find(one => one.id === key);
            if (event?.orderNumber)
              go({ screen: 'payment', profileId: event.profileId, orderNumber: event.orderNumber });
          }}
          renderEmptyState={() => <p className="small quiet inbox-empty">{t('inbox.empty')}</p>}
        >
          {({ event, deliveries }) => (
            <GridListItem
              className="inbox-item"
              id={event.id}
              textValue={`${valueOf(event, 'type')} ${valueOf(event, 'status')} ${event.orderNumber ?? ''}`}
            >
              <div className="line spread">
                <strong className="code">
                  {valueOf(event, 'type')} · {valueOf(event, 'status')}
                </strong>
                <Time at={event.happenedAt} />
              </div>
              <div className="line spread small">
                <Truncate className="code" text={event.orderNumber ?? t('inbox.no-order')} />
                <VerificationMark verification={event.body.verification} />
              </div>
              {event.orderNumber === null ? (
                <span className="tag warning">{t('inbox.no-order.warning')}</span>
              ) : null}
              {deliveries.length > 1 ? (
                <span className="tag">{t('inbox.deliveries', { count: deliveries.length })}</span>
              ) : null}
            </GridListItem>
          )}
        </GridList>
      </section>
    </aside>
  );
};
