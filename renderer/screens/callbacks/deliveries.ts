import { fromAbsolute, getLocalTimeZone, isSameDay } from '@internationalized/date';
import { deliveryKey } from '../../../shared/callbacks/pii-fields.ts';
import type { Received } from '../../queries/callbacks.ts';

/** Groups the deliveries of one callback: the first arrival, and the number of deliveries. */
export const groupDeliveries = (
  events: readonly Received[],
): { event: Received; deliveries: readonly Received[] }[] => {
  const groups = new Map<string, Received[]>();
  for (const event of events) {
    const key = deliveryKey(event);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].flatMap(deliveries => {
    const event = deliveries.at(-1);
    return event ? [{ event, deliveries }] : [];
  });
};

export const inboxFilters = ['all', 'not-verified', 'today'] as const;
export type InboxFilter = (typeof inboxFilters)[number];

/** Whether the inbox shows a callback with this filter; a day is one of the merchant's books. `now`: Unix milliseconds. */
export const matchesFilter = (event: Received, filter: InboxFilter, now: number): boolean => {
  const day = (at: number) => fromAbsolute(at, getLocalTimeZone());
  return (
    filter === 'all' ||
    (filter === 'not-verified'
      ? event.body.verification.verdict !== 'verified'
      : isSameDay(day(event.happenedAt), day(now)))
  );
};
