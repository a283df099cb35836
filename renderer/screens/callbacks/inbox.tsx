import { GridList, GridListItem } from 'react-aria-components';
import { Money } from '../../components/display/money.tsx';
import { Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { VerificationMark } from '../../components/display/verification-mark.tsx';
import { useText } from '../../i18n/text.ts';
import type { groupDeliveries, Received } from '../../stores/callbacks/inbox.ts';
import { go } from '../../stores/route.ts';

const valueOf = (event: Received, name: string): string =>
  event.body.fields.find(([field]) => field === name)?.[1] ?? '';

/** The live inbox: received callbacks, verified or not, with duplicates grouped as deliveries of one event. */
export const Inbox = ({ groups }: { groups: ReturnType<typeof groupDeliveries> }) => {
  const t = useText();
  return (
    <section className="panel flush">
      <GridList
        className="inbox whole"
        aria-label={t('inbox.name')}
        items={groups.map(group => ({ ...group, id: group.event.id }))}
        onAction={key => {
          const event = groups.find(group => group.event.id === key)?.event;
          if (event?.orderNumber)
            go({ screen: 'payment', profileId: event.profileId, orderNumber: event.orderNumber });
        }}
        renderEmptyState={() => <p className="small quiet inbox-empty">{t('inbox.empty')}</p>}
      >
        {({ event, deliveries }) => {
          const type = valueOf(event, 'type') || '–';
          const status = valueOf(event, 'status') || '–';
          const amount = valueOf(event, 'order_amount');
          return (
            <GridListItem
              className="inbox-item received"
              id={event.id}
              textValue={`${type} ${status} ${event.orderNumber ?? ''}`}
            >
              <VerificationMark verification={event.body.verification} />
              <strong className="code">
                {type} · {status}
              </strong>
              {event.orderNumber === null ? (
                <span className="tag warning">{t('inbox.no-order.warning')}</span>
              ) : (
                <Truncate className="code" text={event.orderNumber} />
              )}
              <span className="received-amount">
                {amount === '' ? null : <Money amount={amount} currency={valueOf(event, 'order_currency')} />}
              </span>
              <span className="line received-end">
                {deliveries.length > 1 ? (
                  <span className="tag">{t('inbox.deliveries', { count: deliveries.length })}</span>
                ) : null}
                <Time at={event.happenedAt} />
              </span>
            </GridListItem>
          );
        }}
      </GridList>
    </section>
  );
};
