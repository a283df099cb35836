import { inLine } from '../../../shared/plain-text.ts';
import { useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { callbackOutcome } from '../../../shared/callbacks/outcome-labels.ts';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { VerificationMark } from '../../components/display/verification-mark.tsx';
import { useClock } from '../../stores/clock-store.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { useText } from '../../i18n/text.ts';
import type { Received } from '../../queries/callbacks.ts';
import { go } from '../../stores/route-store.ts';
import { inboxFilters, matchesFilter, type groupDeliveries, type InboxFilter } from './deliveries.ts';

const valueOf = (event: Received, name: string): string =>
  event.body.fields.find(([field]) => field === name)?.[1] ?? '';

/** The result of a verified callback in words. What an unverified one claims is no fact: its raw words. */
export const resultOf = (event: Received): MessageKey | null =>
  event.body.verification.verdict === 'verified'
    ? callbackOutcome(valueOf(event, 'type'), valueOf(event, 'status'))
    : null;

const columns = ['signature', 'result', 'order', 'amount', 'received'] as const;

/** The live inbox: received callbacks, verified or not, with duplicates grouped as deliveries of one event. */
export const Inbox = ({ groups }: { groups: ReturnType<typeof groupDeliveries> }) => {
  const t = useText();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const [filter, setFilter] = useState<InboxFilter>('all');
  const shown = groups.filter(({ event }) => matchesFilter(event, filter, now));
  return (
    <section className="stack tight">
      <SegmentedControl
        label={t('inbox.filter')}
        options={inboxFilters.map(id => ({ id, name: t(`inbox.filter.${id}`) }))}
        value={filter}
        onChange={setFilter}
      />
      <div className="panel flush">
        <div
          className="inbox-item hovers focus-inside stack line-below small no-outline received inbox-head"
          aria-hidden="true"
        >
          {columns.map(column => (
            <span key={column} className={`inbox-head-${column}`}>
              {t(`inbox.column.${column}`)}
            </span>
          ))}
        </div>
        <GridList
          className="inbox whole"
          aria-label={t('inbox.name')}
          items={shown.map(group => ({ ...group, id: group.event.id }))}
          onAction={key => {
            const event = shown.find(group => group.event.id === key)?.event;
            if (event?.orderNumber)
              go({ screen: 'payment', profileId: event.profileId, orderNumber: event.orderNumber });
          }}
          renderEmptyState={() => (
            <p className="small quiet inbox-empty">
              {t(groups.length === 0 ? 'inbox.empty' : 'inbox.no-match')}
            </p>
          )}
        >
          {({ event, deliveries }) => {
            const type = valueOf(event, 'type') || '–';
            const status = valueOf(event, 'status') || '–';
            const result = resultOf(event);
            const amount = valueOf(event, 'order_amount');
            return (
              <GridListItem
                className="inbox-item hovers focus-inside stack line-below small no-outline received"
                id={event.id}
                textValue={inLine(
                  `${result === null ? `${type} ${status}` : t(result)} ${event.orderNumber ?? ''}`,
                )}
              >
                <VerificationMark verification={event.body.verification} />
                {result === null ? (
                  <span className="code quiet">
                    {type} · {status}
                  </span>
                ) : (
                  <strong className="inbox-result medium">{t(result)}</strong>
                )}
                {event.orderNumber === null ? (
                  <span className="tag warning">{t('inbox.no-order.warning')}</span>
                ) : (
                  <Truncate className="code" text={event.orderNumber} />
                )}
                <span className="tabular text-end">
                  {amount === '' ? null : (
                    <Money amount={amount} currency={valueOf(event, 'order_currency')} />
                  )}
                </span>
                <span className="line to-end">
                  {deliveries.length > 1 ? (
                    <span className="tag">{t('inbox.deliveries', { count: deliveries.length })}</span>
                  ) : null}
                  <Time at={event.happenedAt} />
                </span>
              </GridListItem>
            );
          }}
        </GridList>
      </div>
    </section>
  );
};
