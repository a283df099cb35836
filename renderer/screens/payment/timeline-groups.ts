import type { Event } from '../../../shared/payments/evidence.ts';
import { deliveryKey } from '../../../shared/callbacks/pii-fields.ts';
import { dateFormat, numberFormat } from '../../i18n/text.ts';

/** One entry of the timeline: a callback with all its deliveries, or a single event. */
export type TimelineItem = { event: Event; deliveries: readonly Event[] };

/** Events in order of time, with deliveries of one callback grouped under the first of them (§6.2.4). */
export const timelineItemsOf = (events: readonly Event[]): TimelineItem[] => {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const key = event.kind === 'callback.received' ? deliveryKey(event) : event.id;
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].flatMap(deliveries => {
    const sorted = [...deliveries].sort((one, other) => one.happenedAt - other.happenedAt);
    const event = sorted[0];
    return event ? [{ event, deliveries: sorted }] : [];
  });
};

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `+5 s`, `+12 min`: the interval since the previous one, in the largest fitting unit, in the locale's notation. */
export const intervalOf = (milliseconds: number, locale: string): string => {
  const [unit, size] = steps.find(([, length]) => milliseconds >= length) ?? (['second', 1_000] as const);
  const amount = Math.round(milliseconds / size);
  return `+${numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(amount)}`;
};

/** Limit of deliveries listed one by one; further ones are counted. */
const named = 8;

/** The time of the first delivery and the intervals to the later ones. */
export const deliveryTimes = (deliveries: readonly Event[], locale: string): string => {
  const clock = dateFormat(locale, { timeStyle: 'medium' });
  const times = deliveries.slice(0, named).map((delivery, index) => {
    const before = deliveries[index - 1];
    return before
      ? intervalOf(delivery.happenedAt - before.happenedAt, locale)
      : clock.format(delivery.happenedAt);
  });
  return `${times.join(', ')}${deliveries.length > named ? ', …' : ''}`;
};
